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
    const memory = { activeChatId: 'c', listFolded: true };
    const place = storage();
    writeMemory(place, memory);
    expect(readMemory(place)).toEqual(memory);
  });

  it.each([undefined, 'no json', 'null', '[]', '{"activeChatId":7,"listFolded":"yes"}'])(
    'is empty where the storage holds %s',
    (stored) => {
      expect(readMemory(storage(stored))).toEqual({ activeChatId: null, listFolded: false });
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
    expect(readMemory(broken).activeChatId).toBeNull();
    expect(() => writeMemory(broken, { activeChatId: null, listFolded: false })).not.toThrow();
  });
});
