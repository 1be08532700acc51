/** GPT-2's alphabet: each byte as one printable character, so that BPE vocabularies can be written as text. */

const BYTE_TO_CHAR: string[] = [];
const CHAR_TO_BYTE = new Map<string, number>();
for (let byte = 0, next = 256; byte < 256; byte++) {
  const printable = (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
  const char = String.fromCharCode(printable ? byte : next++);
  BYTE_TO_CHAR.push(char);
  CHAR_TO_BYTE.set(char, byte);
}

const encoder = new TextEncoder();

/** The character that stands for each byte, 256 entries. */
export const byteAlphabet: readonly string[] = BYTE_TO_CHAR;

/** The bytes a BPE token stands for; characters outside the alphabet stand for themselves. */
export function decodeByteLevel(token: string): Uint8Array {
  const bytes: number[] = [];
  for (const char of token) {
    const byte = CHAR_TO_BYTE.get(char);
    if (byte === undefined) bytes.push(...encoder.encode(char));
    else bytes.push(byte);
  }
  return Uint8Array.from(bytes);
}
