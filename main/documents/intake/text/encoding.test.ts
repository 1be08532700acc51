import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { readBytes, temporaryFolder, textOf } from '../../testing/read.ts';
import { decodeText } from './encoding.ts';

const ENGLISH = 'It costs 5 \u20ac \u2014 that\u2019s what the \u201cprice list\u201d says.\n';
const CHINESE = '第一章 总则\n为了规范公司的组织和行为，保护公司、股东和债权人的合法权益，制定本法。\n';
const TRADITIONAL = '第一條 為保障勞工權益，加強勞雇關係，促進社會與經濟發展，特制定本法。\n';
const JAPANESE = '今日はとても天気がいいので、公園に散歩に行きました。\n';

/** Encoding, and what is written in it. */
const LEGACY: readonly [encoding: string, text: string][] = [
  ['gb18030', CHINESE],
  ['gb18030', '姓名,年龄,城市\n张三,25,北京\n李四,30,上海\n'],
  ['gb18030', `${CHINESE}罕用字：\u{20000}\u{2a6d6}\n`],
  ['big5', TRADITIONAL],
  ['big5', '姓名,年齡,城市\n張三,25,臺北\n李四,30,高雄\n'],
  ['shift_jis', JAPANESE],
  ['euc-jp', JAPANESE],
  ['euc-kr', '안녕하세요, 오늘 날씨가 아주 좋습니다. 공원에 갑시다.\n'],
  ['windows-1252', ENGLISH],
  ['windows-1252', 'Grüße aus München: Äpfel, Öl und Übermut \u2013 \u201eschön\u201c.\n'],
  ['windows-1252', 'Le café est déjà fermé à l\u2019heure où j\u2019écris ces quelques lignes.\n'],
  ['windows-1250', 'Zażółć gęślą jaźń. To jest tekst po polsku, który sprawdza kodowanie znaków.\n'],
  ['windows-1251', 'Привет, как дела? Сегодня хорошая погода, и мы идём гулять.\n'],
  ['windows-1253', 'Καλημέρα κόσμε, τι κάνεις σήμερα; Ο καιρός είναι καλός.\n'],
  ['windows-1254', 'Bugün hava çok güzel, şehre gidip alışveriş yapacağız. İyi günler dilerim.\n'],
  ['windows-1255', 'שלום עולם, מה שלומך היום? מזג האוויר נעים מאוד.\n'],
  ['windows-1256', 'مرحبا بالعالم، كيف حالك اليوم؟ الطقس جميل جدا في المدينة.\n'],
  [
    'windows-1257',
    'Latvijā ir daudz ezeru un mežu, bet galvaspilsēta Rīga atrodas pie jūras līča; ļaudis runā šķirti.\n',
  ],
  ['windows-1252', 'Það er gott veður í dag, og við förum út að ganga niður að höfninni með börnin okkar.\n'],
  ['windows-1257', 'Šiandien labai gražus oras, todėl eisime pasivaikščioti į parką prie ežero.\n'],
  [
    'windows-1258',
    'Ti\u00ea\u0301ng Vi\u00ea\u0323t co\u0301 nhi\u00ea\u0300u d\u00e2\u0301u thanh, va\u0300 ng\u01b0\u01a1\u0300i Vi\u00ea\u0323t r\u00e2\u0301t th\u00e2n thi\u00ea\u0323n.\n',
  ],
  ['koi8-r', 'Привет, как дела? Сегодня хорошая погода, и мы идём гулять.\n'],
];

/** Encodes with Python, whose tables are not ours. */
function encodeElsewhere(text: string, encoding: string): Buffer {
  const program = "import sys; sys.stdout.buffer.write(sys.stdin.buffer.read().decode('utf-8').encode(sys.argv[1]))";
  const codec = encoding.startsWith('windows-') ? encoding.replace('windows-', 'cp') : encoding;
  return execFileSync('python3', ['-c', program, codec], { input: text });
}

describe('encodings', () => {
  it.each(LEGACY)('%s is found out: %s', (encoding, text) => {
    expect(decodeText(iconv.encode(text, encoding))).toEqual({ text, encoding, wrongCharacters: 0, sure: false });
  });

  it.skipIf(spawnSync('python3', ['--version']).error !== undefined).each(LEGACY)(
    '%s as Python writes it: %s',
    (encoding, text) => {
      expect(decodeText(encodeElsewhere(text, encoding))?.text).toBe(text);
    },
  );

  it.each([
    ['utf-8', [0xef, 0xbb, 0xbf]],
    ['utf-16le', [0xff, 0xfe]],
    ['utf-16be', [0xfe, 0xff]],
    ['utf-32le', [0xff, 0xfe, 0, 0]],
  ] as const)('%s with a byte order mark, which is no part of the text', (encoding, mark) => {
    for (const text of [ENGLISH, CHINESE, 'x\n', '\u{1f600} 你好\r\n']) {
      const bytes = Buffer.concat([Buffer.from(mark), iconv.encode(text, encoding)]);
      expect(decodeText(bytes)).toEqual({ text, encoding, wrongCharacters: 0, sure: true });
    }
  });

  it.each(['utf-16le', 'utf-16be'])('%s without a mark', (encoding) => {
    const unbroken = '这座大桥建于一九二八年，总长六百米。';
    for (const text of [ENGLISH, CHINESE, JAPANESE, unbroken]) {
      expect(decodeText(iconv.encode(text, encoding))).toMatchObject({ text, encoding });
    }
  });

  it('takes ASCII as UTF-8, and believes what a page states where it fits', () => {
    expect(decodeText(Buffer.from('Bush hid the facts'))).toMatchObject({
      text: 'Bush hid the facts',
      encoding: 'utf-8',
    });
    expect(decodeText(Buffer.from(''))).toMatchObject({ text: '', encoding: 'utf-8' });
    const bytes = iconv.encode('ÄÖ', 'iso-8859-1');
    expect(decodeText(bytes, 'ISO-8859-1')).toMatchObject({ text: 'ÄÖ', sure: true });
    expect(decodeText(Buffer.from('ÄÖ'), 'iso-8859-1')).toMatchObject({ text: 'ÄÖ', encoding: 'utf-8' });
  });

  it('reads UTF-8 that is damaged in places and says in how many', () => {
    const bytes = Buffer.from(CHINESE.repeat(20));
    bytes[300] = 0xff;
    expect(decodeText(bytes)).toMatchObject({ encoding: 'utf-8', sure: true });
    expect(decodeText(bytes)?.wrongCharacters).toBeGreaterThan(0);
  });

  it('takes no binary data for text', () => {
    const bytes = Buffer.concat(Array.from({ length: 64 }, (_, i) => createHash('sha512').update(`${i}`).digest()));
    expect(decodeText(bytes)).toBeUndefined();
    expect(decodeText(Buffer.from([1, 0, 0, 0, 2, 0, 0, 0, 255, 255, 255, 255]))).toBeUndefined();
  });
});

describe('text files', () => {
  const folder = temporaryFolder();

  it('keep their exact text: no NUL, no byte order mark, one kind of line end', async () => {
    const text = 'Grüße\nzweite Zeile\n\n\tdritte \u{1f600}\n';
    for (const [name, bytes] of [
      ['utf-16.txt', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])],
      ['utf-8.txt', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(text)])],
      ['dos.txt', Buffer.from(text.replaceAll('\n', '\r\n'))],
      ['mac.txt', Buffer.from(text.replaceAll('\n', '\r'))],
    ] as const) {
      const document = await readBytes(folder, name, bytes);
      expect(document.pages, name).toEqual([{ number: 1, lines: [1, 4], text }]);
      expect(document).toMatchObject({ format: 'text', unit: 'part', problems: [] });
    }
  });

  it('say which encoding was guessed', async () => {
    const document = await readBytes(folder, 'gb.txt', iconv.encode(CHINESE, 'gb18030'));
    expect(textOf(document)).toBe(CHINESE);
    expect(document.problems).toEqual([{ kind: 'encoding', encoding: 'gb18030', wrongCharacters: 0 }]);
  });
});
