import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { documentsIn, leftOutOf } from './folder.ts';
import { pdf } from './testing/pdfs.ts';
import { temporaryFolder } from './testing/read.ts';

const root = temporaryFolder();

/** Files by their place in a new folder. */
function tree(name: string, files: Record<string, string | Uint8Array>): string {
  const folder = join(root, name);
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(join(folder, file, '..'), { recursive: true });
    writeFileSync(join(folder, file), content);
  }
  return folder;
}

async function look(folder: string, limits = {}) {
  const { files, skipped } = await documentsIn(folder, { limits });
  const name = (file: string) => relative(folder, file).split(sep).join('/');
  return {
    files: files.map(({ path, bytes }) => [name(path), bytes]),
    skipped: Object.fromEntries(skipped.map(({ path, reason }) => [name(path), reason])),
  };
}

describe('a folder', () => {
  it('gives its documents, and says what it left out', async () => {
    const report = await pdf((document) => document.text('x'));
    const folder = tree('mixed', {
      'b.txt': 'text',
      'a/report.pdf': report,
      'a/renamed': report,
      'a/b/notes.md': '# n',
      'a/chinese.txt': '\u4f60'.repeat(3000),
      'picture.png': Buffer.from('89504e470d0a1a0a', 'hex'),
      'program.exe': Buffer.from('4d5a90000300', 'hex'),
      'data.bin': Buffer.alloc(5000, 1).fill(0, 100, 200),
      'sheet.xlsx': 'PK\x03\x04',
      'letter.docx': 'PK\x03\x04',
      '~$letter.docx': 'x',
      '.hidden.txt': 'x',
      '.git/config.txt': 'x',
      'node_modules/p/readme.md': 'x',
      'empty.txt': '',
    });
    symlinkSync(join(folder, 'b.txt'), join(folder, 'link.txt'));
    symlinkSync(folder, join(folder, 'a', 'up'));
    expect(await look(folder)).toEqual({
      files: [
        ['b.txt', 4],
        ['empty.txt', 0],
        ['letter.docx', 4],
        ['a/chinese.txt', 9000],
        ['a/renamed', report.length],
        ['a/report.pdf', report.length],
        ['a/b/notes.md', 3],
      ],
      skipped: {
        'picture.png': 'not-a-document',
        'program.exe': 'not-a-document',
        'data.bin': 'not-a-document',
        'sheet.xlsx': 'not-a-document',
        '~$letter.docx': 'hidden',
        '.hidden.txt': 'hidden',
        '.git': 'hidden',
        node_modules: 'hidden',
        'link.txt': 'link',
        'a/up': 'link',
      },
    });
  });

  it('names the first of what it left out, by reason', async () => {
    const pictures = Object.fromEntries(
      Array.from({ length: 12 }, (_, i) => [`${i + 10}.png`, Buffer.from('89504e470d0a1a0a', 'hex')]),
    );
    const folder = tree('album', { ...pictures, 'inner/.hidden': 'x', 'inner/a.txt': 'x' });
    const { skipped } = await documentsIn(folder);
    const [kinds, hidden, ...others] = leftOutOf([{ folder, skipped }]);
    expect(kinds).toMatchObject({ reason: 'not-a-document', count: 12 });
    expect(kinds?.names).toEqual([...Array(10).keys()].map((i) => join('album', `${i + 10}.png`)));
    expect(hidden).toEqual({ reason: 'hidden', count: 1, names: [join('album', 'inner', '.hidden')] });
    expect(others).toEqual([]);
  });

  it('is bounded in files, depth and entries, and says where it ended', async () => {
    const folder = tree('large', { '1.txt': '1', '2.txt': '2', '3.txt': '3', 'a/b/c/4.txt': '4' });
    expect(await look(folder, { files: 2 })).toEqual({
      files: [
        ['1.txt', 1],
        ['2.txt', 1],
      ],
      skipped: { '3.txt': 'limit' },
    });
    expect((await look(folder, { depth: 3 })).skipped).toEqual({ 'a/b/c': 'too-deep' });
    expect((await look(folder, { entries: 1 })).skipped).toEqual({ '2.txt': 'limit' });
  });

  it.skipIf(process.getuid?.() === 0 || process.platform === 'win32')('names what may not be read', async () => {
    const folder = tree('closed', { 'a.txt': 'x', 'b/c.txt': 'x' });
    chmodSync(join(folder, 'a.txt'), 0);
    chmodSync(join(folder, 'b'), 0);
    expect(await look(folder)).toEqual({ files: [], skipped: { 'a.txt': 'unreadable', b: 'unreadable' } });
  });

  it('that is not there is an error, and looking can be stopped', async () => {
    await expect(documentsIn(join(root, 'absent'))).rejects.toMatchObject({ kind: 'document-missing' });
    const folder = tree('stopped', { 'a.txt': 'x' });
    await expect(documentsIn(folder, { signal: AbortSignal.abort() })).rejects.toMatchObject({ kind: 'cancelled' });
  });
});
