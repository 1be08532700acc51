/** Takes out of a text what no reader sees and no model must get. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNWANTED = /[\u0000-\u0008\u000b-\u001f\u007f\ufeff\ufffe\uffff]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const ANY_UNWANTED = /[\u0000-\u0008\u000b-\u001f\u007f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]/;
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/**
 * Line ends become \n. NUL, other control characters, byte order marks and noncharacters go; half a surrogate pair
 * becomes U+FFFD. Everything else stays as it is.
 */
export function cleanText(text: string): string {
  if (!ANY_UNWANTED.test(text)) return text;
  return text
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(UNWANTED, '')
    .replace(LONE_SURROGATE, '\ufffd');
}

/** A heading or title on one line, at most 300 characters. */
export function oneLine(text: string): string {
  const line = cleanText(text).replace(/\s+/g, ' ').trim();
  return line.length <= 300 ? line : `${line.slice(0, safeCut(line, 299))}\u2026`;
}

/** `at`, or one less where that would cut a surrogate pair in two. */
export function safeCut(text: string, at: number): number {
  const before = text.charCodeAt(at - 1);
  return before >= 0xd800 && before <= 0xdbff ? at - 1 : at;
}
