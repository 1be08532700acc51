/**
 * The same texts in every format, written by programs that are not ours: a Word library, PDFKit, pandoc and iconv. The right
 * words are those that went in; where pandoc or poppler is installed, it has to find them in the file as well.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Document, HeadingLevel, Packer, Paragraph, Table, TableCell, TableRow } from 'docx';
import { describe, expect, it } from 'vitest';
import { pdf } from '../testing/pdfs.ts';
import { readBytes, readDocument, temporaryFolder, textOf, wordsOf } from '../testing/read.ts';
import { hasTool, runTool } from '../testing/tools.ts';

const folder = temporaryFolder();
const LIMIT = { timeout: 120_000 };
/** Has Chinese, Japanese, Korean and Cyrillic characters. */
const WIDE_FONT = '/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf';

interface Sample {
  name: string;
  title: string;
  paragraphs: string[];
  items: string[];
  rows: string[][];
  /** The encoding that a text file of it may have, as iconv calls it. */
  encoding: string;
  font: 'built-in' | 'wide' | undefined;
}

const SAMPLES: readonly Sample[] = [
  {
    name: 'English',
    title: 'Harbour report',
    paragraphs: [
      'The harbour was dredged in March, and ships with a draught of nine metres can enter again.',
      'It’s the “deepest” port on this coast — 5 € a tonne; 12½ % more than last year.',
    ],
    items: ['cranes: four', 'berths: eleven'],
    rows: [
      ['Year', 'Ships'],
      ['2023', '1,204'],
      ['2024', '1,377'],
    ],
    encoding: 'CP1252',
    font: 'built-in',
  },
  {
    name: 'German',
    title: 'Bericht über die Brücke',
    paragraphs: [
      'Die große Brücke wurde für Fußgänger geöffnet; Kräne heben künftig schwere Güter über den Fluß.',
      'Außerdem prüft das Büro für Öffentlichkeitsarbeit jährlich die Maße.',
    ],
    items: ['Geländer', 'Gehwege für Fußgänger'],
    rows: [
      ['Größe', 'Länge'],
      ['groß', '600 m'],
    ],
    encoding: 'CP1252',
    font: 'built-in',
  },
  {
    name: 'Chinese',
    title: '桥梁检查报告',
    paragraphs: [
      '这座大桥建于一九二八年，总长六百米，连接两岸的工业区。工程师每年对桥墩进行检查。',
      '一九四三年冬天，大桥因两个桥墩受损而关闭，修复工作持续了十四个月。',
    ],
    items: ['桥墩：六个', '桥面：沥青'],
    rows: [
      ['年份', '费用'],
      ['一九四四', '三百万元'],
    ],
    encoding: 'GB18030',
    font: 'wide',
  },
  {
    name: 'Traditional Chinese',
    title: '圖書館年度報告',
    paragraphs: ['圖書館於三月召開會議，討論開放時間與經費問題，並決定增加兩名館員。', '讀者人數較去年增加百分之四。'],
    items: ['閱覽室', '兒童區'],
    rows: [
      ['項目', '數量'],
      ['藏書', '十萬冊'],
    ],
    encoding: 'BIG5',
    font: 'wide',
  },
  {
    name: 'Japanese',
    title: '図書館のお知らせ',
    paragraphs: [
      '今年の春から、図書館の開館時間が変わります。平日は午前九時から午後八時までです。',
      'カタカナのコンピューターもあります。どうぞご利用ください。',
    ],
    items: ['貸し出し', 'インターネット'],
    rows: [
      ['曜日', '時間'],
      ['土曜日', '午後五時まで'],
    ],
    encoding: 'SHIFT_JIS',
    font: 'wide',
  },
  {
    name: 'Russian',
    title: 'Отчёт о мосте',
    paragraphs: [
      'Мост был построен в 1928 году и имеет длину шестьсот метров. Каждый год инженеры проверяют опоры.',
      'Зимой движение закрыто на две недели.',
    ],
    items: ['опоры', 'перила'],
    rows: [
      ['Год', 'Цена'],
      ['1944', 'три миллиона'],
    ],
    encoding: 'CP1251',
    font: undefined,
  },
  {
    name: 'Hebrew',
    title: 'דוח הנמל',
    paragraphs: ['הנמל נפתח מחדש באביב, ואוניות גדולות יכולות להיכנס אליו שוב.', 'העבודות נמשכו ארבעה עשר חודשים.'],
    items: ['מנופים', 'רציפים'],
    rows: [
      ['שנה', 'אוניות'],
      ['2024', '1377'],
    ],
    encoding: 'CP1255',
    font: undefined,
  },
  {
    name: 'mixed',
    title: 'Mixed signs \u{1f600}',
    paragraphs: [
      'Emoji \u{1f468}\u200d\u{1f469}\u200d\u{1f467} stay whole, and so do 𝒳 and \u{20000}; naïve café with cafe\u0301.',
      'α + β ≤ γ, ½ of 10 µm, № 5, “quoted” and … done.',
    ],
    items: ['fi and ffi without ligatures', 'x₂ and y²'],
    rows: [
      ['Left', 'Right'],
      ['←', '→'],
    ],
    encoding: 'GB18030',
    font: undefined,
  },
];

const wordsIn = ({ title, paragraphs, items, rows }: Sample) =>
  wordsOf([title, ...paragraphs, ...items, ...rows.flat()].join('\n'));

/** Where words are cut in two is the format's matter for writing without spaces. */
const joined = (words: readonly string[]) => words.join('').normalize('NFC');

function markdown({ title, paragraphs, items, rows }: Sample): string {
  const [head = [], ...others] = rows;
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    `# ${title}`,
    ...paragraphs,
    items.map((item) => `- ${item}`).join('\n'),
    [row(head), row(head.map(() => '---')), ...others.map(row)].join('\n'),
    '',
  ].join('\n\n');
}

function pandocFinds(format: string, file: string): string[] {
  return wordsOf(runTool('pandoc', `--from=${format}`, '--to=plain', '--wrap=none', file));
}

describe('Word documents of a library', () => {
  it.each(SAMPLES)('$name', LIMIT, async (sample) => {
    const file = `library ${sample.name}.docx`;
    const table = sample.rows.map(
      (cells) => new TableRow({ children: cells.map((cell) => new TableCell({ children: [new Paragraph(cell)] })) }),
    );
    const bytes = await Packer.toBuffer(
      new Document({
        sections: [
          {
            children: [
              new Paragraph({ text: sample.title, heading: HeadingLevel.HEADING_1 }),
              ...[...sample.paragraphs, ...sample.items].map((text) => new Paragraph(text)),
              new Table({ rows: table }),
            ],
          },
        ],
      }),
    );
    const document = await readBytes(folder, file, bytes);
    expect(document.headings.map(({ title }) => title)).toEqual([sample.title]);
    expect(wordsOf(textOf(document))).toEqual(wordsIn(sample));
    if (hasTool('pandoc')) expect(pandocFinds('docx', join(folder, file)).sort()).toEqual(wordsIn(sample).sort());
  });
});

describe('PDF files of a library', () => {
  const drawable = SAMPLES.filter(({ font }) => font === 'built-in' || (font === 'wide' && existsSync(WIDE_FONT)));
  it.each(drawable)('$name', LIMIT, async (sample) => {
    const file = `library ${sample.name}.pdf`;
    const bytes = await pdf((document) => {
      if (sample.font === 'wide') document.font(WIDE_FONT);
      document.fontSize(20).text(sample.title).fontSize(11).moveDown();
      for (const text of [...sample.paragraphs, ...sample.items]) document.text(text).moveDown();
      document.addPage();
      for (const [index, cells] of sample.rows.entries()) {
        for (const [column, cell] of cells.entries()) document.text(cell, 72 + column * 150, 72 + index * 20);
      }
    });
    const document = await readBytes(folder, file, bytes);
    expect(document.pageCount).toBe(2);
    expect(joined(wordsOf(textOf(document)))).toBe(joined(wordsIn(sample)));
    if (hasTool('pdftotext')) {
      const found = runTool('pdftotext', '-enc', 'UTF-8', join(folder, file), '-');
      expect(joined(wordsOf(textOf(document)))).toBe(joined(wordsOf(found)));
    }
  });
});

describe.skipIf(!hasTool('pandoc'))('files of pandoc', () => {
  const formats = ['docx', 'odt', 'epub', 'pptx', 'html'] as const;
  it.each(SAMPLES.flatMap((sample) => formats.map((format) => ({ ...sample, format }))))(
    '$name as $format',
    LIMIT,
    async (sample) => {
      const source = join(folder, `${sample.name}.md`);
      const target = join(folder, `${sample.name}.${sample.format}`);
      writeFileSync(source, markdown(sample));
      runTool('pandoc', '--standalone', '--metadata=title:-', source, '--output', target);
      const document = await readDocument(target);
      expect(document.format).toBe(sample.format);
      expect(document.problems).toEqual([]);
      expect(document.headings.map(({ title }) => title)).toContain(sample.title);
      expect(wordsOf(textOf(document)).sort()).toEqual(wordsIn(sample).sort());
    },
  );
});

const hasIconv = spawnSync('iconv', ['--version']).error === undefined;
describe.skipIf(!hasIconv)('text files of iconv', () => {
  it.each(
    SAMPLES.flatMap((sample) => [sample.encoding, 'UTF-16LE', 'UTF-16BE', 'UTF-8'].map((to) => ({ ...sample, to }))),
  )('$name in $to without a mark', async (sample) => {
    const text = markdown(sample);
    const bytes = execFileSync('iconv', ['-f', 'UTF-8', '-t', sample.to], { input: text });
    const document = await readBytes(folder, `${sample.name} ${sample.to}.md`, bytes);
    expect(textOf(document)).toBe(text);
  });
});
