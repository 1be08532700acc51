/** Finds out how a text file is encoded, and decodes it. */
import chardet from 'chardet';
import iconv from 'iconv-lite';

export interface Decoded {
  text: string;
  /** Name in the WHATWG Encoding Standard; 'utf-32le' where it knows none. */
  encoding: string;
  /** Bytes or characters that do not belong to it, each now U+FFFD. */
  wrongCharacters: number;
  /** False where the encoding is a guess by how often characters occur. */
  sure: boolean;
}

/** Enough for the frequency of characters. */
const SAMPLE_BYTES = 256 * 1024;
/** Share of wrong sequences among those beyond ASCII up to which a text is still UTF-8, only damaged. */
const DAMAGED_UTF8 = 0.05;

const MARKS: readonly [bytes: readonly number[], encoding: string][] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe, 0, 0], 'utf-32le'],
  [[0, 0, 0xfe, 0xff], 'utf-32be'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];

/**
 * Decodes a whole text. `declared` is what the text itself states, as HTML and XML do; it is believed where it fits.
 * Returns undefined for bytes that are no text.
 */
export function decodeText(bytes: Uint8Array, declared?: string): Decoded | undefined {
  const mark = markOf(bytes);
  if (mark !== undefined) return decoded(bytes, mark, true);
  const utf8 = asUtf8(bytes);
  if (utf8?.wrongCharacters === 0) return utf8.text.includes('\0') ? (asUtf16(bytes) ?? undefined) : utf8;
  const utf16 = asUtf16(bytes);
  if (utf16) return utf16;
  if (bytes.includes(0)) return undefined;
  if (declared !== undefined && iconv.encodingExists(declared) && !/^utf-?(8|16|32)/i.test(declared)) {
    const stated = decoded(bytes, declared.toLowerCase(), true);
    if (stated.wrongCharacters === 0) return stated;
  }
  if (utf8) return utf8;
  return guessed(bytes);
}

/** The encoding that a byte order mark states. */
export function markOf(bytes: Uint8Array): string | undefined {
  return MARKS.find(([mark]) => mark.every((byte, i) => bytes[i] === byte))?.[1];
}

function decoded(bytes: Uint8Array, encoding: string, sure: boolean): Decoded {
  const text = iconv.decode(bytes as Buffer, encoding);
  return { text, encoding, wrongCharacters: countReplaced(text), sure };
}

/** Undefined where it is some other encoding; with wrong characters where it is UTF-8 that was damaged. */
function asUtf8(bytes: Uint8Array): Decoded | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { text, encoding: 'utf-8', wrongCharacters: 0, sure: true };
  } catch {
    const text = new TextDecoder('utf-8').decode(bytes);
    const wrong = countReplaced(text);
    const beyondAscii = text.match(/[\u0080-\u{10ffff}]/gu)?.length ?? 0;
    if (wrong > beyondAscii * DAMAGED_UTF8) return undefined;
    return { text, encoding: 'utf-8', wrongCharacters: wrong, sure: true };
  }
}

/** Bytes that no other encoding of text has. UTF-16 has them in ASCII characters and in Chinese full stops and commas. */
const CONTROLS = [0, 1, 2, 0x0c];

/** UTF-16 without a mark: read the right way round, its line ends, spaces and full stops are what they are. */
function asUtf16(bytes: Uint8Array): Decoded | undefined {
  if (bytes.length < 4 || bytes.length % 2 !== 0 || !CONTROLS.some((byte) => bytes.includes(byte))) return undefined;
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const [little = 0, big = 0] = ['utf-16le', 'utf-16be'].map(
    (encoding) => decoded(sample, encoding, true).text.match(/[\t\n\r -~\u3001\u3002\uff0c]/g)?.length ?? 0,
  );
  if (little === big) return undefined;
  const result = decoded(bytes, little > big ? 'utf-16le' : 'utf-16be', true);
  return isPlausible(result.text) ? result : undefined;
}

/** Whether a text has no more strange characters than a text can have: binary data read as UTF-16 has many. */
function isPlausible(text: string): boolean {
  const sample = text.slice(0, SAMPLE_BYTES);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const strange = sample.match(/[\0-\x08\x0e-\x1f\ufffd\ue000-\uf8ff\ufffe\uffff]|\p{Cn}/gu)?.length ?? 0;
  return strange <= sample.length / 50;
}

/** Chinese, Japanese, Korean and Western encodings by the frequency of their characters. */
function guessed(bytes: Uint8Array): Decoded {
  const candidates = chardet
    .analyse(bytes.subarray(0, SAMPLE_BYTES))
    .map(({ name }) => STANDARD_NAMES[name])
    .filter((name): name is string => name !== undefined);
  if (isBaltic(bytes, candidates[0])) candidates.unshift('windows-1257');
  for (const name of [...candidates, 'windows-1252']) {
    const result = decoded(bytes, name, false);
    if (result.wrongCharacters === 0) return result;
  }
  return decoded(bytes, candidates[0] ?? 'windows-1252', false);
}

const WESTERN = new Set(['windows-1250', 'windows-1252', 'windows-1254']);
/** In windows-1257: š, ž. In the other Western pages these are rare letters, of languages that have none of the next ones. */
const BALTIC = [0xf0, 0xfe];
/** In windows-1257: ą, ė, ų of Lithuanian, ģ, ļ, ņ of Latvian. */
const BALTIC_ONLY = [0xe0, 0xeb, 0xf8, 0xec, 0xef, 0xf2];
/** ý or ı, which Baltic languages do not have and those with ð, þ, ğ or ş do. */
const NOT_BALTIC = 0xfd;

/** chardet does not know Lithuanian and Latvian: what it takes for another Western language may be one of them. */
function isBaltic(bytes: Uint8Array, guess: string | undefined): boolean {
  if (guess === undefined || !WESTERN.has(guess)) return false;
  const has = (byte: number) => bytes.includes(byte);
  return BALTIC.some(has) && BALTIC_ONLY.some(has) && !has(NOT_BALTIC);
}

/** What chardet calls an encoding -> its name in the Encoding Standard. ISO 8859 is read as the Windows page that contains it. */
const STANDARD_NAMES: Readonly<Record<string, string>> = {
  GB18030: 'gb18030',
  Big5: 'big5',
  Shift_JIS: 'shift_jis',
  'EUC-JP': 'euc-jp',
  'EUC-KR': 'euc-kr',
  'ISO-8859-1': 'windows-1252',
  'ISO-8859-2': 'windows-1250',
  'ISO-8859-5': 'iso-8859-5',
  'ISO-8859-6': 'windows-1256',
  'ISO-8859-7': 'windows-1253',
  'ISO-8859-8': 'windows-1255',
  'ISO-8859-9': 'windows-1254',
  'windows-1250': 'windows-1250',
  'windows-1251': 'windows-1251',
  'windows-1252': 'windows-1252',
  'windows-1253': 'windows-1253',
  'windows-1254': 'windows-1254',
  'windows-1255': 'windows-1255',
  'windows-1256': 'windows-1256',
  'windows-1257': 'windows-1257',
  'windows-1258': 'windows-1258',
  'KOI8-R': 'koi8-r',
};

function countReplaced(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\ufffd'); at >= 0; at = text.indexOf('\ufffd', at + 1)) count += 1;
  return count;
}
