import { describe, expect, it } from 'vitest';
import { makeChat } from '../../testing/fake-main.ts';
import { hitRows, type Row, rowsOf } from './rows.ts';

const now = new Date(2026, 5, 15, 12).getTime();
const day = 86_400_000;

function shown(rows: readonly Row[]): string[] {
  return rows.map((row) => {
    if (row.kind === 'heading') return `# ${row.group}`;
    if (row.kind === 'folder') return `${row.open ? '-' : '+'} ${row.folder.name} (${row.count})`;
    return `${row.kind === 'chat' && row.inFolder ? '  ' : ''}${row.chat.title}`;
  });
}

const work = { id: 'w', name: 'Work' };
const empty = { id: 'e', name: 'Empty' };
const chats = [
  makeChat('1', 'Today', now),
  { ...makeChat('2', 'Filed', now - 1), folderId: 'w' },
  { ...makeChat('3', 'Pinned and filed', now - 2), folderId: 'w', pinned: true },
  { ...makeChat('4', 'Folder unknown', now - day), folderId: 'x' },
  makeChat('5', 'Old', now - 400 * day),
];

describe('rows', () => {
  it('are pinned chats, folders, then the others by date', () => {
    expect(shown(rowsOf(chats, [work, empty], new Set(), now))).toEqual([
      '# pinned',
      'Pinned and filed',
      '- Work (1)',
      '  Filed',
      '- Empty (0)',
      '# today',
      'Today',
      '# yesterday',
      'Folder unknown',
      '# older',
      'Old',
    ]);
  });

  it('leave out what is in a closed folder', () => {
    expect(shown(rowsOf(chats, [work], new Set(['w']), now))).toContain('+ Work (1)');
    expect(shown(rowsOf(chats, [work], new Set(['w']), now))).not.toContain('  Filed');
  });

  it('are none without chats and folders', () => {
    expect(rowsOf([], [], new Set(), now)).toEqual([]);
  });

  it('of a search keep its order and leave out chats that are gone', () => {
    expect(shown(hitRows([{ chatId: '5' }, { chatId: 'gone' }, { chatId: '1' }], chats))).toEqual(['Old', 'Today']);
  });
});
