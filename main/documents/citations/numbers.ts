/** Numbers and months in texts, however they are written: 86,400 is 86400, forty-one and 四十一 are 41. */

const UNITS = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
];
const TEENS = ['thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen', 'eighteen', 'nineteen'];
const TENS = ['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];
const WORDS = new Map<string, number>([
  ...[...UNITS, ...TEENS].map((word, value) => [word, value] as const),
  ...TENS.map((word, index) => [word, 20 + 10 * index] as const),
]);
const WORD = new RegExp(`\\b(?:(${TENS.join('|')})[- ])?(${[...WORDS.keys()].join('|')})\\b`, 'g');

const MONTHS = 'january|february|march|april|may|june|july|august|september|october|november|december';
/** Of a date: alone some of them are other words too. */
const DATE = new RegExp(`\\d(?:st|nd|rd|th)?(?: of)? (${MONTHS})\\b|\\b(${MONTHS}) \\d`, 'g');
const MONTH = new RegExp(`\\b(?:${MONTHS})\\b`, 'g');

const DIGITS = '〇一二三四五六七八九';
const PLACES = new Map([
  ['十', 10],
  ['百', 100],
  ['千', 1000],
]);
const NUMERAL = /[〇零一二三四五六七八九十百千万]+/g;
/** A numeral of one character is a number where it counts days; else it is mostly a part of a word. */
const DATED = /^[年月日号]/;

/** Numbers that a text states in digits, or in Chinese numerals where these are surely meant as numbers, and months of its dates. */
export function statedNumbers(text: string): Set<string> {
  const plain = plainDigits(text);
  const stated: string[] = plain.match(/\d+(?:\.\d+)?/g) ?? [];
  for (const { 0: numeral, index } of plain.matchAll(NUMERAL)) {
    const sure = numeral.length > 1 || DATED.test(plain.slice(index + numeral.length));
    const value = sure ? chineseNumber(numeral) : undefined;
    if (value !== undefined) stated.push(String(value));
  }
  for (const [, behind, before] of plain.matchAll(DATE)) stated.push(behind ?? before ?? '');
  return new Set(stated);
}

/** All numbers and months that a text may be read to state: also in words. */
export function readableNumbers(text: string): Set<string> {
  const plain = plainDigits(text);
  const found = new Set<string>([...(plain.match(/\d+(?:\.\d+)?/g) ?? []), ...(plain.match(MONTH) ?? [])]);
  for (const [numeral] of plain.matchAll(NUMERAL)) {
    const value = chineseNumber(numeral);
    if (value !== undefined) found.add(String(value));
  }
  for (const [, tens = '', unit = ''] of plain.matchAll(WORD)) {
    found.add(String((WORDS.get(tens) ?? 0) + (WORDS.get(unit) ?? 0)));
  }
  return found;
}

/** Digits without what separates thousands, and letters in one form. */
export function plainDigits(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/(?<=\d)[,'’\u00a0\u202f ](?=\d{3}(?!\d))/g, '');
}

/** Undefined for characters that are no number together. */
function chineseNumber(numeral: string): number | undefined {
  const characters = [...numeral.replaceAll('零', '〇')];
  if (characters.every((character) => DIGITS.includes(character)))
    return Number(characters.map((character) => DIGITS.indexOf(character)).join(''));
  let whole = 0;
  let below = 0;
  let digit: number | undefined;
  for (const [index, character] of characters.entries()) {
    const place = PLACES.get(character);
    if (character === '万') {
      if (whole > 0 || below + (digit ?? 0) === 0) return undefined;
      whole = (below + (digit ?? 0)) * 10_000;
      below = 0;
      digit = undefined;
    } else if (place === undefined) {
      if (digit !== undefined && digit > 0) return undefined;
      digit = DIGITS.indexOf(character);
    } else {
      // Ten alone means one ten; a hundred or a thousand needs its digit.
      if (!digit && !(place === 10 && index === 0)) return undefined;
      below += (digit ?? 1) * place;
      digit = undefined;
    }
  }
  return whole + below + (digit ?? 0);
}
