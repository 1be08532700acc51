import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readBytes, temporaryFolder } from '../../testing/read.ts';
import { PART_CHARACTERS } from '../limits.ts';
import { markdownHeadings } from './markdown-headings.ts';
import { partsOf } from './parts.ts';

const folder = temporaryFolder();

describe('parts', () => {
  const texts: Record<string, string> = {
    paragraphs: Array.from({ length: 400 }, (_, i) => `Paragraph ${i} ${'word '.repeat(i % 40)}`).join('\n\n'),
    lines: Array.from({ length: 3000 }, (_, i) => `line ${i}`).join('\n'),
    words: 'word '.repeat(5000),
    'one word': 'x'.repeat(20_001),
    'pairs of surrogates': `a${'\u{1f600}'.repeat(9000)}`,
    'line ends': '\n'.repeat(10_000),
    short: 'abc',
  };

  it.each(Object.entries(texts))('of %s are together the text, each of bounded size', (_, text) => {
    const parts = [...partsOf(text)];
    expect(parts.map((part) => part.text).join('')).toBe(text);
    for (const part of parts) {
      expect(part.text.length).toBeLessThanOrEqual(PART_CHARACTERS);
      expect(part.text).toBe(text.slice(part.start, part.start + part.text.length));
      expect(part.text).not.toMatch(/^[\udc00-\udfff]|[\ud800-\udbff]$/);
    }
  });

  it('count lines as an editor does', () => {
    const lines = texts.lines!.split('\n');
    for (const {
      text,
      lines: [first, last],
    } of partsOf(texts.lines!)) {
      expect(text.replace(/\n$/, '')).toBe(lines.slice(first - 1, last).join('\n'));
    }
  });
});

describe('Markdown', () => {
  it('has headings outside of code', () => {
    const text = [
      '# One #',
      'Under',
      '=====',
      '```sh',
      '# no heading',
      '```',
      '- item',
      '---',
      '## Two *b*',
      'text',
      '####### seven',
      '    # code',
      '> quote',
      '===',
      '#no',
      '~~~',
      '## inside',
      '```',
      '~~~',
      '### Three',
    ].join('\n');
    expect(
      markdownHeadings(text).map(({ level, title, offset }) => [level, title, text.slice(offset).split('\n')[0]]),
    ).toEqual([
      [1, 'One', '# One #'],
      [1, 'Under', 'Under'],
      [2, 'Two b', '## Two *b*'],
      [3, 'Three', '### Three'],
    ]);
  });

  it('places headings on their parts, and names a part after what it continues', async () => {
    const body = 'Some words of a section.\n\n'.repeat(200);
    const source = `# Title\n\n${body}## Second\n\n${body}`;
    const document = await readBytes(folder, 'notes.md', source);
    expect(document).toMatchObject({ format: 'markdown', title: 'Title', encoding: 'utf-8' });
    expect(document.headings.map(({ title }) => title)).toEqual(['Title', 'Second']);
    for (const { title, page, offset } of document.headings) {
      expect(document.pages[page - 1]?.text.slice(offset)).toMatch(new RegExp(`^#+ ${title}\n`));
    }
    expect(document.pages[1]?.label).toBe('Title');
    expect(document.pages.at(-1)?.label).toBe('Second');
    expect(document.pages.map(({ text }) => text).join('')).toBe(source);
    expect(document.sha256).toBe(createHash('sha256').update(source).digest('hex'));
    expect(document.bytes).toBe(Buffer.byteLength(source));
  });

  it('takes time in proportion to its length', async () => {
    const hostile = `${'#'.repeat(200_000)}\n${'* _ `'.repeat(100_000)}\n${'=\n'.repeat(100_000)}${'`'.repeat(200_000)}`;
    expect((await readBytes(folder, 'hostile.md', hostile)).pageCount).toBeGreaterThan(100);
  });
});

describe('CSV and code', () => {
  it('CSV is never divided within a record', async () => {
    const records = Array.from({ length: 600 }, (_, i) => `${i},"two\nlines ""quoted"" ${i}",end`);
    const document = await readBytes(folder, 'table.csv', `id,text,last\n${records.join('\n')}\n`);
    expect(document.format).toBe('csv');
    expect(document.pageCount).toBeGreaterThan(3);
    for (const { text } of document.pages) {
      expect(text).toMatch(/^(id,text,last\n)?\d+,"two/);
      expect(text).toMatch(/,end\n$/);
    }
  });

  it('source code keeps its indentation and tells its lines', async () => {
    const source = 'def f(x):\n\tif x:\n\t    return 1\n\n\nprint(f(2))\n';
    const document = await readBytes(folder, 'program.py', source);
    expect(document).toMatchObject({ format: 'code', unit: 'part' });
    expect(document.pages).toEqual([{ number: 1, lines: [1, 6], text: source }]);
  });

  it.each([
    ['page.txt', '<!DOCTYPE html><html><body><p>A page</p></body></html>', 'html'],
    ['readme', 'plain words', 'text'],
    ['Makefile', 'all:\n\techo\n', 'code'],
    ['component.vue', '<html><p>x</p></html>', 'code'],
    ['data.unknown', 'plain words', 'text'],
  ])('%s is told by content and name', async (name, content, format) => {
    expect((await readBytes(folder, name, content)).format).toBe(format);
  });

  it.each([
    ['picture.txt', Buffer.from('89504e470d0a1a0a0000', 'hex'), 'document-unsupported', /a picture/],
    ['program.md', Buffer.from('7f454c4602010100', 'hex'), 'document-unsupported', /a program/],
    ['old.rtf', Buffer.from('{\\rtf1 text}'), 'document-unsupported', /Rich Text/],
    ['zeros.txt', Buffer.alloc(5000), 'document-unsupported', /no text/],
    ['empty.docx', Buffer.from('PK\x05\x06'.padEnd(22, '\0'), 'latin1'), 'document-unsupported', /another kind/],
  ])('%s is refused with its reason', async (name, bytes, kind, message) => {
    await expect(readBytes(folder, name, bytes)).rejects.toMatchObject({
      kind,
      message: expect.stringMatching(message),
    });
  });

  it('an empty file is a document without pages', async () => {
    expect(await readBytes(folder, 'empty.txt', '')).toMatchObject({ pageCount: 0, pages: [] });
  });
});
