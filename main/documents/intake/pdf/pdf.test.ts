import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pdf, png, rawPages } from '../../testing/pdfs.ts';
import { readBytes, temporaryFolder, textOf, wordsOf } from '../../testing/read.ts';
import { hasTool, runTool } from '../../testing/tools.ts';

const folder = temporaryFolder();
const CJK_FONT = '/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf';
const HELVETICA = '<</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>';
const WORDS = 'the quick brown fox jumps over a lazy dog while engineers measure what parsers need'.split(' ');

/** Sentences that are the same in every run. */
function prose(seed: number, words: number): string {
  return Array.from({ length: words }, (_, i) => WORDS[(seed * 7 + i * i) % WORDS.length]).join(' ');
}

/** Text of each page by another program, where it is installed. */
function expectSameWords(file: string, document: Awaited<ReturnType<typeof readBytes>>, password?: string): void {
  if (!hasTool('pdftotext')) return;
  const arguments_ = ['-enc', 'UTF-8', ...(password === undefined ? [] : ['-upw', password]), file, '-'];
  const pages = runTool('pdftotext', ...arguments_).split('\f');
  for (const { number, text } of document.pages) expect(wordsOf(text)).toEqual(wordsOf(pages[number - 1] ?? ''));
}

describe('pages', () => {
  it('have their text, in paragraphs', async () => {
    const paragraphs = [1, 2, 3, 4].map((seed) => prose(seed, 60));
    const bytes = await pdf((document) => {
      document.fontSize(11);
      for (const [i, text] of paragraphs.entries()) {
        if (i === 2) document.addPage();
        document.text(text).moveDown();
      }
    });
    const document = await readBytes(folder, 'two pages.pdf', bytes);
    expect(document).toMatchObject({ format: 'pdf', unit: 'page', pageCount: 2, problems: [] });
    const read = document.pages.flatMap(({ text }) =>
      text.split('\n\n').map((paragraph) => paragraph.replaceAll('\n', ' ')),
    );
    expect(read).toEqual(paragraphs);
    expectSameWords(join(folder, 'two pages.pdf'), document);
  });

  it('are told apart: blank, with a picture only, with text', async () => {
    const scan = png(400, 500);
    const bytes = await pdf((document) => {
      document.image(scan, 0, 0, { width: 595 });
      document.addPage();
      document.addPage().text('Text on page three');
      document.addPage().image(scan, 50, 50, { width: 200 }).text('Text beside a picture', 50, 400);
    });
    const document = await readBytes(folder, 'scan.pdf', bytes);
    expect(document.pages.map(({ text, problem }) => [text, problem])).toEqual([
      ['', 'scanned'],
      ['', undefined],
      ['Text on page three', undefined],
      ['Text beside a picture', undefined],
    ]);
    expectSameWords(join(folder, 'scan.pdf'), document);
  });

  it('drawn as outlines are like scanned ones, a ruled empty one is not', async () => {
    const bytes = await pdf((document) => {
      for (let i = 0; i < 60; i++)
        document
          .moveTo(50 + i * 5, 100)
          .bezierCurveTo(60, 120, 70, 130, 80, 100 + i)
          .fill();
      document.addPage().moveTo(50, 50).lineTo(500, 50).stroke();
    });
    const { pages } = await readBytes(folder, 'outlines.pdf', bytes);
    expect(pages.map(({ problem }) => problem)).toEqual(['scanned', undefined]);
  });

  it('carry the labels that the document gives them', async () => {
    const page = { content: 'BT /F1 12 Tf 50 700 Td (x) Tj ET' };
    const bytes = rawPages([page, page, page], HELVETICA);
    const labelled = Buffer.from(
      bytes
        .toString('latin1')
        .replace('/Type /Catalog', '/Type /Catalog /PageLabels <</Nums [0 <</S /r>> 2 <</S /D>>]>>'),
      'latin1',
    );
    const { pages } = await readBytes(folder, 'labels.pdf', labelled);
    expect(pages.map(({ label }) => label)).toEqual(['i', 'ii', '1']);
  });
});

describe('headings', () => {
  it('come from bookmarks and point at their lines', async () => {
    const bytes = await pdf(
      (document) => {
        const { outline } = document;
        const first = outline.addItem('Introduction');
        document.text('A preface line.').fontSize(11).text('1. Introduction').text(prose(1, 50));
        document.addPage();
        first.addItem('Background');
        document.text('Background').text(prose(2, 50));
      },
      { info: { Title: 'A study' } },
    );
    const document = await readBytes(folder, 'bookmarks.pdf', bytes);
    expect(document.title).toBe('A study');
    expect(document.headings.map(({ level, title, page }) => [level, title, page])).toEqual([
      [1, 'Introduction', 1],
      [2, 'Background', 2],
    ]);
    const [first, second] = document.headings;
    expect(document.pages[0]?.text.slice(first?.offset)).toMatch(/^1\. Introduction\n/);
    expect(document.pages[1]?.text.slice(second?.offset)).toMatch(/^Background\n/);
  });

  it('are lines in larger type where there are no bookmarks', async () => {
    const bytes = await pdf((document) => {
      for (const chapter of [1, 2, 3]) {
        if (chapter > 1) document.addPage();
        document.fontSize(22).text(`Chapter ${chapter}`).moveDown();
        document.fontSize(11).text(prose(chapter, 80)).moveDown();
        document.fontSize(15).text(`Section ${chapter}.1`).moveDown();
        document.fontSize(11).text(prose(chapter + 5, 80));
      }
    });
    const { headings, pages } = await readBytes(folder, 'sizes.pdf', bytes);
    expect(headings.map(({ level, title, page }) => [level, title, page])).toEqual(
      [1, 2, 3].flatMap((n) => [
        [1, `Chapter ${n}`, n],
        [2, `Section ${n}.1`, n],
      ]),
    );
    for (const { title, page, offset } of headings)
      expect(pages[page - 1]?.text.slice(offset)).toMatch(new RegExp(`^${title}\n`));
  });
});

describe('characters', () => {
  /** A Type 0 font whose codes are Unicode, as Chinese PDFs without embedded fonts have it. */
  const cidFont = (encoding: string, ordering: string) =>
    `<</Type /Font /Subtype /Type0 /BaseFont /Song /Encoding /${encoding} /DescendantFonts [<</Type /Font ` +
    `/Subtype /CIDFontType0 /BaseFont /Song /CIDSystemInfo <</Registry (Adobe) /Ordering (${ordering}) /Supplement 2>> ` +
    `/FontDescriptor <</Type /FontDescriptor /FontName /Song /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 ` +
    `/Ascent 800 /Descent -200 /CapHeight 700 /StemV 80>>>>]>>`;
  const shown = (hex: string) => ({ content: `BT /F1 12 Tf 50 700 Td <${hex}> Tj ET` });

  it.each([
    ['UniGB-UCS2-H', 'GB1', '文档摘要', '65876863 64588981'],
    ['GBK-EUC-H', 'GB1', '文档', 'cec4 b5b5'],
    ['UniJIS-UCS2-H', 'Japan1', '日本語', '65e5 672c 8a9e'],
    ['90ms-RKSJ-H', 'Japan1', '日本', '93fa 967b'],
    ['ETen-B5-H', 'CNS1', '中文', 'a4a4 a4e5'],
    ['KSCms-UHC-H', 'Korea1', '한국', 'c7d1 b1b9'],
  ])('%s needs the character maps that come along', async (encoding, ordering, text, hex) => {
    const bytes = rawPages([shown(hex.replaceAll(' ', ''))], cidFont(encoding, ordering));
    expect(textOf(await readBytes(folder, `${encoding}.pdf`, bytes))).toBe(text);
  });

  it.skipIf(!existsSync(CJK_FONT))('Chinese in an embedded font', async () => {
    const text = '第一章 总则：保护公司、股东和债权人的合法权益。';
    const bytes = await pdf((document) => document.font(CJK_FONT).text(text));
    const document = await readBytes(folder, 'chinese.pdf', bytes);
    expect(textOf(document).replaceAll('\n', '')).toBe(text);
    expectSameWords(join(folder, 'chinese.pdf'), document);
  });

  /** A simple font with a ToUnicode map from codes to characters. */
  const mapped = (entries: Record<string, string>) => {
    const rows = Object.entries(entries).map(([code, unicode]) => `<${code}> <${unicode}>`);
    const map =
      '/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def /CMapType 2 def ' +
      `1 begincodespacerange <00> <FF> endcodespacerange ${rows.length} beginbfchar ${rows.join(' ')} endbfchar ` +
      'endcmap end end';
    return {
      font: HELVETICA.replace('>>', ' /ToUnicode FREE 0 R>>'),
      objects: [['', Buffer.from(map)]] as [string, Buffer][],
    };
  };

  it('mapped to U+0000 or to nothing never reach the text', async () => {
    const { font, objects } = mapped({ '01': '0000', '02': '', '03': 'FEFF' });
    const content =
      'BT /F1 12 Tf 50 700 Td (A long enough line of text with an af\\001ne e\\002ort and \\003 marks) Tj ET';
    const document = await readBytes(folder, 'nul.pdf', rawPages([{ content }], font, objects));
    expect(textOf(document)).not.toMatch(/[\0\ufeff\ufffd]/);
    expect(textOf(document)).toContain('A long enough line of text with an af');
    expect(document.pages[0]).not.toHaveProperty('problem');
  });

  it('mapped to several are those, and ligatures are their letters', async () => {
    const { font, objects } = mapped({ '58': '00660066', '71': 'FB01' });
    const content = 'BT /F1 12 Tf 50 700 Td (eXort qnds) Tj ET';
    expect(textOf(await readBytes(folder, 'ligatures.pdf', rawPages([{ content }], font, objects)))).toBe(
      'effort finds',
    );
  });

  it('that are mostly unmapped make a page unreadable, and no other', async () => {
    const entries = Object.fromEntries(
      Array.from({ length: 94 }, (_, i) => [(33 + i).toString(16), (0xe000 + i).toString(16)]),
    );
    const { font, objects } = mapped(entries);
    const content = 'BT /F1 12 Tf 50 700 Td (Every glyph of this page stands for nothing) Tj ET';
    const sound = '/Font <</F2 <</Type /Font /Subtype /Type1 /BaseFont /Times-Roman>>>>';
    const pages = [{ content }, { content: 'BT /F2 12 Tf 50 700 Td (A sound page) Tj ET', resources: sound }];
    const bytes = Buffer.from(
      rawPages(pages, font, objects)
        .toString('latin1')
        .replace('/Font <</F1 3 0 R>> /Font <</F2', '/Font <</F1 3 0 R /F2'),
      'latin1',
    );
    const document = await readBytes(folder, 'unmapped.pdf', bytes);
    expect(document.pages.map(({ text, problem }) => [text, problem])).toEqual([
      ['', 'unreadable'],
      ['A sound page', undefined],
    ]);
  });
});

describe('encrypted', () => {
  it.each(['1.3', '1.4', '1.6', '1.7', '1.7ext3'] as const)('PDF %s needs its password', async (pdfVersion) => {
    const bytes = await pdf((document) => document.text('Only for those who know'), {
      pdfVersion,
      userPassword: 'pässwort 1',
      ownerPassword: 'another',
    });
    const name = `locked ${pdfVersion}.pdf`;
    await expect(readBytes(folder, name, bytes)).rejects.toMatchObject({ kind: 'password-needed' });
    await expect(readBytes(folder, name, bytes, 'wrong')).rejects.toMatchObject({ kind: 'password-wrong' });
    expect(textOf(await readBytes(folder, name, bytes, 'another'))).toBe('Only for those who know');
    expect(textOf(await readBytes(folder, name, bytes, 'pässwort 1'))).toBe('Only for those who know');
  });

  it('against changes only is open to readers', async () => {
    const bytes = await pdf((document) => document.text('For all to read'), { ownerPassword: 'secret' });
    const document = await readBytes(folder, 'protected.pdf', bytes);
    expect(textOf(document)).toBe('For all to read');
    expectSameWords(join(folder, 'protected.pdf'), document);
  });
});

describe('damaged', () => {
  const sound = () =>
    pdf((document) => {
      for (let i = 1; i <= 6; i++) {
        if (i > 1) document.addPage();
        document.text(`This is page ${i}. ${prose(i, 300)}`);
      }
    });

  it('without its end: pages that are there are read', async () => {
    const bytes = await sound();
    const document = await readBytes(folder, 'no table.pdf', bytes.subarray(0, bytes.indexOf('xref\n')));
    expect(document.pages).toHaveLength(6);
    expect(document.problems).toEqual([{ kind: 'damaged' }]);
    expect(document.pages).toEqual((await readBytes(folder, 'whole.pdf', bytes)).pages);
  });

  it('with its second half lost: the pages that are there are read, the others are named', async () => {
    const page = (text: string) => ({ content: `BT /F1 12 Tf 50 700 Td (${text}) Tj ET` });
    const bytes = rawPages([page('one'), page('two'), page('three')], HELVETICA);
    const document = await readBytes(folder, 'half.pdf', bytes.subarray(0, bytes.indexOf('8 0 obj')));
    expect(document.pages.map(({ text, problem }) => [text, problem])).toEqual([
      ['one', undefined],
      ['two', undefined],
      ['', 'broken'],
    ]);
    expect(document.problems).toEqual([{ kind: 'damaged' }]);
  });

  it('with the catalogue lost, too: an error that says so', async () => {
    const bytes = await sound();
    const cut = readBytes(folder, 'no catalogue.pdf', bytes.subarray(0, bytes.length / 2));
    await expect(cut).rejects.toMatchObject({ kind: 'document-invalid', message: expect.stringContaining('damaged') });
  });

  it('within a page: it is named, and what is read of it is right', async () => {
    const lines = Array.from({ length: 200 }, (_, i) => `(line ${i} ${Math.sin(i)}) Tj 0 -3 Td`).join(' ');
    const bytes = rawPages([{ content: `BT /F1 3 Tf 50 800 Td ${lines} ET` }], HELVETICA);
    const start = bytes.indexOf('stream\n') + 7;
    const end = bytes.indexOf('\nendstream');
    for (const lost of [0.2, 0.5, 0.9]) {
      const damaged = Buffer.from(bytes);
      damaged.fill(0, start + Math.floor((end - start) * (1 - lost)), end);
      const [page] = (await readBytes(folder, `within ${lost}.pdf`, damaged)).pages;
      expect(page?.problem).toBe('broken');
      expect(page?.text).not.toContain('line 199');
      for (const [line] of page?.text.matchAll(/^line \d+ [\d.e-]+$/gm) ?? []) expect(lines).toContain(`(${line}`);
    }
  });

  it('with a broken page: the others are read, and it is named', async () => {
    const page = (text: string) => ({ content: `BT /F1 12 Tf 50 700 Td (${text}) Tj ET` });
    const bytes = rawPages([page('one'), page('two'), page('three')], HELVETICA);
    const at = bytes.indexOf('stream\n', bytes.indexOf('7 0 obj')) + 7;
    bytes.fill(0xff, at, at + 30);
    const { pages } = await readBytes(folder, 'broken page.pdf', bytes);
    expect(pages.map(({ text, problem }) => [text, problem])).toEqual([
      ['one', undefined],
      ['', 'broken'],
      ['three', undefined],
    ]);
  });

  it.each([
    ['nothing but its first line', Buffer.from('%PDF-1.7\n')],
    ['noise behind its first line', Buffer.concat([Buffer.from('%PDF-1.4\n'), png(50, 50)])],
  ])('%s is an error that says so', async (name, bytes) => {
    await expect(readBytes(folder, `${name}.pdf`, bytes)).rejects.toMatchObject({ kind: 'document-invalid' });
  });
});
