import { createHash } from 'node:crypto';
import { join } from 'node:path';
import officeCrypto from 'officecrypto-tool';
import { describe, expect, it } from 'vitest';
import { rawPart, rawZip, zip } from '../../testing/archives.ts';
import { docx, docxParts, epub, odt, pptx, shape } from '../../testing/packages.ts';
import { readBytes, temporaryFolder, textOf, wordsOf } from '../../testing/read.ts';
import { hasTool, runTool } from '../../testing/tools.ts';
import { Archive } from './archive.ts';

const folder = temporaryFolder();
const body = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;

/** Compares the words of a document with those that pandoc finds in it. */
function expectSameWords(format: 'odt' | 'epub', name: string, document: Awaited<ReturnType<typeof readBytes>>): void {
  if (!hasTool('pandoc')) return;
  const text = runTool('pandoc', `--from=${format}`, '--to=plain', '--wrap=none', join(folder, name));
  // pandoc writes [] for a picture.
  expect(wordsOf(textOf(document)).sort()).toEqual(wordsOf(text.replaceAll('[]', '')).sort());
}

describe('OpenDocument texts', () => {
  it('have headings, lists, tables, spaces and notes', async () => {
    const bytes = await odt(
      '<text:h text:outline-level="1">Title  of the text</text:h>' +
        '<text:p>A<text:s text:c="3"/>b<text:tab/>c<text:line-break/>d <text:span>e</text:span>' +
        '<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>A note.</text:p></text:note-body></text:note>.</text:p>' +
        '<text:h text:outline-level="2">Part</text:h>' +
        '<text:list><text:list-item><text:p>one</text:p></text:list-item><text:list-item><text:p>two</text:p></text:list-item></text:list>' +
        '<table:table><table:table-row><table:table-cell><text:p>x</text:p></table:table-cell><table:table-cell><text:p>y</text:p></table:table-cell></table:table-row></table:table>',
    );
    const document = await readBytes(folder, 'text.odt', bytes);
    expect(document).toMatchObject({ format: 'odt', unit: 'part', title: 'An open text', problems: [] });
    expect(textOf(document)).toBe('Title of the text\n\nA note.\n\nA   b\tc\nd e[1].\n\nPart\n- one\n- two\n\nx | y');
    expect(document.headings.map(({ level, title }) => [level, title])).toEqual([
      [1, 'Title of the text'],
      [2, 'Part'],
    ]);
  });

  it('give inserted text once and deleted text never', async () => {
    const name = 'tracked.odt';
    const bytes = await odt(
      '<text:tracked-changes><text:changed-region text:id="d"><text:deletion><text:p>ninety</text:p></text:deletion></text:changed-region>' +
        '<text:changed-region text:id="i"><text:insertion/></text:changed-region></text:tracked-changes>' +
        '<text:p>The price is <text:change text:change-id="d"/><text:change-start text:change-id="i"/>eighty<text:change-end text:change-id="i"/> euros.</text:p>',
    );
    const document = await readBytes(folder, name, bytes);
    expect(textOf(document)).toBe('The price is eighty euros.');
    expectSameWords('odt', name, document);
  });

  it('know pages as they were laid out', async () => {
    const styles =
      '<style:style style:name="P1" style:master-page-name="Standard"/>' +
      '<style:style style:name="P2"><style:paragraph-properties fo:break-before="page"/></style:style>';
    const text =
      '<text:p text:style-name="P1">first <text:soft-page-break/>second</text:p><text:p>still second</text:p><text:p text:style-name="P2">third</text:p>';
    const document = await readBytes(folder, 'pages.odt', await odt(text, { styles, softPageBreaks: true }));
    expect(document.unit).toBe('page');
    expect(document.pages.map((page) => page.text)).toEqual(['first', 'second\n\nstill second', 'third']);
  });

  it('that are encrypted say so', async () => {
    const manifest =
      '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry manifest:full-path="content.xml">' +
      '<manifest:encryption-data/></manifest:file-entry></manifest:manifest>';
    const bytes = await odt('', { parts: { 'META-INF/manifest.xml': manifest, 'content.xml': '\u0001\u0002\u0003' } });
    await expect(readBytes(folder, 'locked.odt', bytes)).rejects.toMatchObject({ kind: 'document-unsupported' });
  });
});

describe('presentations', () => {
  it('have slides in the order in which they are shown, with titles, tables and notes', async () => {
    const table =
      '<p:graphicFrame><a:tbl><a:tr><a:tc><a:txBody><a:p><a:r><a:t>Q1</a:t></a:r></a:p></a:txBody></a:tc>' +
      '<a:tc><a:txBody><a:p><a:r><a:t>12</a:t></a:r></a:p></a:txBody></a:tc></a:tr></a:tbl></p:graphicFrame>';
    const bytes = await pptx(
      [
        `${shape('Our plan', 'ctrTitle')}${shape('A subtitle')}${shape('3', 'sldNum')}`,
        `${shape('Numbers', 'title')}${shape('one\ntwo', 'body')}${table}`,
        '',
      ],
      { 1: 'Say this slowly.' },
    );
    const document = await readBytes(folder, 'slides.pptx', bytes);
    expect(document).toMatchObject({ format: 'pptx', unit: 'slide', pageCount: 3 });
    expect(document.pages.map(({ text }) => text)).toEqual([
      'Our plan\n\nA subtitle',
      'Numbers\n\none\ntwo\n\nQ1 | 12\n\nSay this slowly.',
      '',
    ]);
    expect(document.headings).toEqual([
      { level: 1, title: 'Our plan', page: 1, offset: 0 },
      { level: 1, title: 'Numbers', page: 2, offset: 0 },
    ]);
  });

  it('name a slide that is missing and keep the numbers of the others', async () => {
    const document = await readBytes(folder, 'missing.pptx', await pptx([shape('one'), undefined, shape('three')]));
    expect(document.pages.map(({ text }) => text)).toEqual(['one', '', 'three']);
    expect(document.problems).toEqual([{ kind: 'missing-part', part: 'ppt/slides/slide2.xml' }]);
  });
});

describe('books', () => {
  it('have chapters in reading order, named by the table of contents', async () => {
    const name = 'book.epub';
    const bytes = await epub([
      {
        file: 'one & only.xhtml',
        title: 'Chapter One',
        body: '<h1>Chapter One</h1><p>It was &mdash; <i>dark</i>.</p><script/><p>Then light.</p>',
      },
      { file: 'plate.xhtml', body: '<p><img src="x.png"/></p>' },
      { file: 'two.xhtml', title: 'Chapter Two', body: '<p>No heading here.</p>' },
    ]);
    const document = await readBytes(folder, name, bytes);
    expect(document).toMatchObject({ format: 'epub', unit: 'chapter', title: 'A small book', problems: [] });
    expect(document.pages).toEqual([
      { number: 1, label: 'Chapter One', text: 'Chapter One\n\nIt was — dark.\n\nThen light.' },
      { number: 2, text: '' },
      { number: 3, label: 'Chapter Two', text: 'No heading here.' },
    ]);
    expect(document.headings).toEqual([
      { level: 1, title: 'Chapter One', page: 1, offset: 0 },
      { level: 1, title: 'Chapter Two', page: 3, offset: 0 },
    ]);
    expectSameWords('epub', name, document);
  });

  it('name what is missing and what is protected; embedded fonts may be hidden', async () => {
    const encrypted = (uri: string, algorithm: string) =>
      `<enc:EncryptedData><enc:EncryptionMethod Algorithm="${algorithm}"/><enc:CipherData><enc:CipherReference URI="${uri}"/></enc:CipherData></enc:EncryptedData>`;
    const aes = 'http://www.w3.org/2001/04/xmlenc#aes128-cbc';
    const encryption = (...list: string[]) => ({
      'META-INF/encryption.xml': `<encryption xmlns:enc="http://www.w3.org/2001/04/xmlenc#">${list.join('')}</encryption>`,
    });
    const font = encrypted('OEBPS/font.otf', 'http://www.idpf.org/2008/embedding');
    const chapters = [{ file: 'a.xhtml', body: '<p>open</p>' }, { file: 'b.xhtml', body: 'xx' }, { file: 'c.xhtml' }];
    const book = await readBytes(
      folder,
      'some.epub',
      await epub(chapters, encryption(font, encrypted('OEBPS/b.xhtml', aes))),
    );
    expect(book.pages.map(({ text }) => text)).toEqual(['open', '', '']);
    expect(book.problems).toEqual([
      { kind: 'protected-part', part: 'OEBPS/b.xhtml' },
      { kind: 'missing-part', part: 'OEBPS/c.xhtml' },
    ]);
    const locked = await epub(chapters.slice(1, 2), encryption(encrypted('OEBPS/b.xhtml', aes)));
    await expect(readBytes(folder, 'locked.epub', locked)).rejects.toMatchObject({
      kind: 'document-unsupported',
      message: expect.stringContaining('DRM'),
    });
  });
});

describe('encrypted Office documents', () => {
  it.each([
    ['agile', undefined],
    ['standard', { type: 'standard' }],
  ] as const)('%s: need their password and open with it', async (name, options) => {
    const plain = await docx(body('Only for those who know'));
    const bytes: Buffer = await officeCrypto.encrypt(plain, { password: 'pässwort 1', ...options });
    const file = `${name}.docx`;
    await expect(readBytes(folder, file, bytes)).rejects.toMatchObject({ kind: 'password-needed' });
    await expect(readBytes(folder, file, bytes, 'wrong')).rejects.toMatchObject({ kind: 'password-wrong' });
    expect(textOf(await readBytes(folder, file, bytes, 'pässwort 1'))).toBe('Only for those who know');
  });

  it('that are damaged, or of the old kind, are errors that say so', async () => {
    const plain = await docx(body('x'));
    const bytes: Buffer = await officeCrypto.encrypt(plain, { password: 'a' });
    await expect(readBytes(folder, 'half.docx', bytes.subarray(0, 600), 'a')).rejects.toMatchObject({
      kind: expect.stringMatching(/document-(invalid|unsupported)/),
    });
    const old = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(1024)]);
    await expect(readBytes(folder, 'old.doc', old)).rejects.toMatchObject({
      kind: expect.stringMatching(/document-(invalid|unsupported)/),
    });
  });
});

describe('hostile archives', () => {
  const limit = { kind: 'document-limit' };

  it('that would unpack to far more than they are are not opened', async () => {
    const bomb = await docx('', { 'word/document.xml': Buffer.alloc(60 * 2 ** 20, ' ') });
    expect(bomb.length).toBeLessThan(100_000);
    await expect(readBytes(folder, 'bomb.docx', bomb)).rejects.toMatchObject(limit);
  });

  it('that state less than they are give no more than they state', async () => {
    const parts = docxParts(body('x'));
    const document = rawPart('word/document.xml', Buffer.alloc(60 * 2 ** 20, ' '));
    const others = Object.entries(parts).filter(([name]) => name !== document.name);
    const lying = rawZip([
      ...others.map(([name, content]) => rawPart(name, Buffer.from(content))),
      { ...document, statedBytes: 1000 },
    ]);
    const read = await readBytes(folder, 'lying.docx', lying);
    expect(read).toMatchObject({ pages: [], problems: [{ kind: 'damaged', detail: 'word/document.xml' }] });
  });

  it('that hold many parts of bounded size have their sum bounded', async () => {
    // Each packed less tightly than a bomb, and no larger than a part may be.
    const noise = Array.from({ length: 22_000 }, (_, i) => createHash('sha512').update(`${i}`).digest());
    const part = { ...rawPart('', Buffer.concat(noise)), statedBytes: 190 * 2 ** 20 };
    const chapters = [1, 2, 3].map((n) => ({ file: `${n}.xhtml` }));
    const book = await epub(chapters);
    const frame = await Archive.open(book, 'book');
    const sound = await Promise.all(frame.names().map(async (name) => rawPart(name, await frame.readAll(name))));
    const bomb = rawZip([...sound, ...chapters.map(({ file }) => ({ ...part, name: `OEBPS/${file}` }))]);
    await expect(readBytes(folder, 'bomb.epub', bomb)).rejects.toMatchObject(limit);
  });

  it('with more parts than any document has are not opened', async () => {
    const empty = rawPart('', Buffer.alloc(0));
    const many = rawZip(Array.from({ length: 21_000 }, (_, i) => ({ ...empty, name: `word/${i}` })));
    await expect(readBytes(folder, 'many.docx', many)).rejects.toMatchObject(limit);
  });

  it.each(['../../etc/passwd', '/etc/passwd', 'C:/windows/x', '..\\..\\x'])(
    'with a part called %s are refused',
    async (name) => {
      const parts = Object.entries(docxParts(body('x'))).map(([part, content]) => rawPart(part, Buffer.from(content)));
      const bytes = rawZip([...parts, rawPart(name, Buffer.from('x'))]);
      await expect(readBytes(folder, 'escape.docx', bytes)).rejects.toMatchObject({ kind: 'document-invalid' });
    },
  );

  it('cannot refer to files outside of themselves', async () => {
    const rels =
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">' +
      '<Relationship Id="r1" Type="x/officeDocument" Target="../../../../etc/passwd"/></Relationships>';
    const bytes = await zip({ ...docxParts(body('x')), '_rels/.rels': rels });
    await expect(readBytes(folder, 'refer.docx', bytes)).rejects.toMatchObject({ kind: 'document-unsupported' });
  });
});
