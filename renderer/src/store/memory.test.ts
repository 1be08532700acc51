import { describe, expect, it } from 'vitest';
import { readMemory, writeMemory } from './memory.ts';

function storage(start?: string) {
  let value = start ?? null;
  return {
    getItem: () => value,
    setItem: (_key: string, next: string) => {
      value = next;
    },
  };
}

describe('what the window remembers', () => {
  it('comes back', () => {
    const memory = { drafts: { c: 'half a sen' }, activeChatId: 'c', listFolded: true };
    const place = storage();
    writeMemory(place, memory);
    expect(readMemory(place)).toEqual(memory);
  });

  it('leaves out empty and huge drafts', () => {
    const place = storage();
    writeMemory(place, { drafts: { a: '', b: 'x'.repeat(60_000), c: 'y' }, activeChatId: null, listFolded: false });
    expect(readMemory(place).drafts).toEqual({ c: 'y' });
  });

  it.each([undefined, 'no json', 'null', '[]', '{"drafts":{"c":5},"activeChatId":7,"listFolded":"yes"}'])(
    'is empty where the storage holds %s',
    (stored) => {
      expect(readMemory(storage(stored))).toEqual({ drafts: {}, activeChatId: null, listFolded: false });
    },
  );

  it('survives a storage that is full or forbidden', () => {
    const broken = {
      getItem: (): string => {
        throw new Error('denied');
      },
      setItem: (): void => {
        throw new Error('full');
      },
    };
    expect(readMemory(broken).drafts).toEqual({});
    expect(() => writeMemory(broken, { drafts: {}, activeChatId: null, listFolded: false })).not.toThrow();
  });
});
