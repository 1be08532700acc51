import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  DeletedTextRun,
  Document,
  ExternalHyperlink,
  FootnoteReferenceRun,
  HeadingLevel,
  InsertedTextRun,
  Packer,
  PageBreak,
  Paragraph,
  Table,
  TableCell,
  TableRow,
  TextRun,
} from 'docx';
import { describe, expect, it } from 'vitest';
import { docx } from '../../testing/packages.ts';
import { readBytes, temporaryFolder, textOf, wordsOf } from '../../testing/read.ts';
import { hasTool, runTool } from '../../testing/tools.ts';

const folder = temporaryFolder();
const paragraph = (runs: string, properties = '') => `<w:p><w:pPr>${properties}</w:pPr>${runs}</w:p>`;
const run = (text: string, properties = '') =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;

/** Reads a file that a library has written, and compares its words with those that another program finds. */
async function readWritten(name: string, document: Document) {
  return readCompared(name, await Packer.toBuffer(document));
}

async function readCompared(name: string, bytes: Uint8Array) {
  const read = await readBytes(folder, name, bytes);
  if (hasTool('pandoc')) {
    const file = join(folder, name);
    const text = runTool('pandoc', '--from=docx', '--to=plain', '--wrap=none', '--track-changes=accept', file);
    const words = (given: string) => wordsOf(given.replace(/[[\]]/g, '')).sort();
    expect(words(textOf(read))).toEqual(words(text));
  }
  return read;
}

describe('Word documents of a library', () => {
  it('have headings, lists, tables, links and notes', async () => {
    const document = new Document({
      title: 'Yearly report',
      footnotes: { 1: { children: [new Paragraph('Counted twice.')] } },
      numbering: {
        config: [{ reference: 'n', levels: [{ level: 0, format: 'bullet', text: '\u2022', alignment: 'start' }] }],
      },
      sections: [
        {
          children: [
            new Paragraph({ text: 'Results', heading: HeadingLevel.HEADING_1 }),
            new Paragraph({
              children: [
                new TextRun('Sales '),
                new TextRun({ text: 'rose', bold: true }),
                new TextRun(' by 4 %.'),
                new FootnoteReferenceRun(1),
              ],
            }),
            new Paragraph({ text: 'By region', heading: HeadingLevel.HEADING_2 }),
            new Paragraph({ text: 'North', numbering: { reference: 'n', level: 0 } }),
            new Paragraph({ text: 'South', numbering: { reference: 'n', level: 0 } }),
            new Table({
              rows: [
                ['Region', 'Sales'],
                ['North', '12'],
              ].map(
                (cells) =>
                  new TableRow({ children: cells.map((cell) => new TableCell({ children: [new Paragraph(cell)] })) }),
              ),
            }),
            new Paragraph({
              children: [new ExternalHyperlink({ link: 'https://example.org', children: [new TextRun('More')] })],
            }),
          ],
        },
      ],
    });
    const read = await readWritten('report.docx', document);
    expect(read).toMatchObject({ format: 'docx', unit: 'part', title: 'Yearly report', problems: [] });
    expect(read.headings).toEqual([
      { level: 1, title: 'Results', page: 1, offset: 0 },
      { level: 2, title: 'By region', page: 1, offset: textOf(read).indexOf('By region') },
    ]);
    expect(textOf(read)).toBe(
      'Results\n\nSales rose by 4 %.[1]\n\nBy region\n- North\n- South\n\nRegion | Sales\nNorth | 12\n\nMore\n\n[1] Counted twice.',
    );
  });

  it('give inserted text once and deleted text never', async () => {
    const more = { author: 'A', date: '2020-01-01T00:00:00Z' };
    const document = new Document({
      sections: [
        {
          children: [
            new Paragraph({
              children: [
                new TextRun('The price is '),
                new DeletedTextRun({ text: 'ninety', id: 1, ...more }),
                new InsertedTextRun({ text: 'eighty', id: 2, ...more }),
                new TextRun(' euros.'),
              ],
            }),
          ],
        },
      ],
    });
    expect(textOf(await readWritten('tracked.docx', document))).toBe('The price is eighty euros.');
  });

  it('are divided where they break pages', async () => {
    const children = [1, 2, 3].map((n) => new Paragraph({ children: [new TextRun(`Page ${n}`), new PageBreak()] }));
    const { pages, unit } = await readWritten('breaks.docx', new Document({ sections: [{ children }] }));
    expect(pages.map(({ text }) => text)).toEqual(['Page 1', 'Page 2', 'Page 3']);
    expect(unit).toBe('part');
  });

  it('that are long become parts that are together the text', async () => {
    const paragraphs = Array.from(
      { length: 500 },
      (_, i) => `Paragraph ${i} of a long document with some words in it.`,
    );
    const children = paragraphs.map((text) => new Paragraph(text));
    const { pages } = await readWritten('long.docx', new Document({ sections: [{ children }] }));
    expect(pages.length).toBeGreaterThan(5);
    expect(pages.map(({ text }) => text).join('\n\n')).toBe(paragraphs.join('\n\n'));
  });
});

describe('Word documents part by part', () => {
  it('know pages as Word laid them out, within paragraphs too', async () => {
    const rendered = '<w:lastRenderedPageBreak/>';
    const body =
      paragraph(run('Top', ''), '<w:pStyle w:val="Ueberschrift1"/>') +
      paragraph(`${run('first half, ')}<w:r>${rendered}<w:t>second half</w:t></w:r>`) +
      paragraph('<w:r><w:br w:type="page"/></w:r>') +
      paragraph(`<w:r>${rendered}<w:t>third page</w:t></w:r>`);
    const document = await readCompared('pages.docx', await docx(body));
    expect(document.unit).toBe('page');
    expect(document.pages.map(({ text }) => text)).toEqual(['Top\n\nfirst half,', 'second half', 'third page']);
  });

  it('know headings by outline level and by what styles are based on, even in a circle', async () => {
    const body =
      paragraph(run('One'), '<w:pStyle w:val="Ueberschrift1"/>') +
      paragraph(run('Two'), '<w:pStyle w:val="Mine"/>') +
      paragraph(run('Three'), '<w:outlineLvl w:val="2"/>') +
      paragraph(run('Text'), '<w:pStyle w:val="Loop"/>') +
      paragraph(run('Body'), '<w:pStyle w:val="Mine"/><w:outlineLvl w:val="9"/>');
    const { headings } = await readBytes(folder, 'styles.docx', await docx(body));
    expect(headings.map(({ level, title }) => [level, title])).toEqual([
      [1, 'One'],
      [2, 'Two'],
      [3, 'Three'],
    ]);
  });

  it('leave out what was moved away, hidden, or is an instruction or a second form', async () => {
    const body =
      paragraph(`<w:moveFrom>${run('moved')}</w:moveFrom>${run('a')}<w:moveTo>${run(' moved')}</w:moveTo>`) +
      paragraph(`${run('seen ')}${run('hidden', '<w:vanish/>')}${run('shown', '<w:vanish w:val="0"/>')}`) +
      paragraph(
        `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> PAGE </w:instrText></w:r>${run('7')}`,
      ) +
      paragraph(`<w:del>${run('joined paragraph: ')}</w:del>${run('one ')}`, '<w:rPr><w:del/></w:rPr>') +
      paragraph(run('two'));
    const document = await readBytes(folder, 'left out.docx', await docx(body));
    expect(textOf(document)).toBe('a moved\n\nseen shown\n\n7\n\none two');
  });

  it('give the text of a text box once', async () => {
    const box = paragraph(run('In the box'));
    const body = paragraph(
      `${run('Before ')}<w:r><mc:AlternateContent><mc:Choice Requires="wps"><wps:txbx><w:txbxContent>${box}</w:txbxContent></wps:txbx></mc:Choice>` +
        `<mc:Fallback><w:pict><w:txbxContent>${box}</w:txbxContent></w:pict></mc:Fallback></mc:AlternateContent></w:r>${run('after')}`,
    );
    expect(textOf(await readBytes(folder, 'box.docx', await docx(body)))).toBe('In the box\n\nBefore after');
  });

  it('may name the same namespaces otherwise', async () => {
    const strict = 'http://purl.oclc.org/ooxml/wordprocessingml/main';
    const xml = `<x:document xmlns:x="${strict}"><x:body><x:p><x:r><x:t>Strict</x:t></x:r></x:p></x:body></x:document>`;
    expect(textOf(await readBytes(folder, 'strict.docx', await docx('', { 'word/document.xml': xml })))).toBe('Strict');
  });

  it('may be UTF-16', async () => {
    const xml = Buffer.from(
      `\ufeff<?xml version="1.0" encoding="UTF-16"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">` +
        '<w:body><w:p><w:r><w:t>Größe 长度</w:t></w:r></w:p></w:body></w:document>',
      'utf16le',
    );
    expect(textOf(await readBytes(folder, 'utf16.docx', await docx('', { 'word/document.xml': xml })))).toBe(
      'Größe 长度',
    );
  });

  it('damaged within give what comes before, and say so', async () => {
    const sentences = Array.from({ length: 2000 }, (_, i) => paragraph(run(`Sentence ${i} ${Math.sin(i)}.`))).join('');
    const bytes = await docx(sentences);
    const local = bytes.indexOf('word/document.xml');
    bytes.fill(0xff, local + 20_000, local + 21_000);
    const document = await readBytes(folder, 'damaged.docx', bytes);
    expect(document.problems).toEqual([{ kind: 'damaged', detail: 'word/document.xml' }]);
    expect(textOf(document)).toMatch(/^Sentence 0 0\.\n\nSentence 1 /);
    expect(textOf(document)).not.toContain('Sentence 1999');
  });

  it('cut short, or without text, are errors that say so', async () => {
    const bytes = await docx(paragraph(run('x')));
    const cut = readBytes(folder, 'cut.docx', bytes.subarray(0, bytes.length - 100));
    await expect(cut).rejects.toMatchObject({ kind: 'document-invalid' });
    writeFileSync(join(folder, 'fine.docx'), bytes);
  });
});
