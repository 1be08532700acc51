/** A chat's title from the first words of its first question. */

/** Characters that fit the chat list without being cut by it. */
const LONGEST = 48;

/** Never empty: falls back to `fallback` for a question without a visible character. */
export function titleFrom(question: string, fallback: string): string {
  const characters = Array.from(question.replaceAll(/[\p{White_Space}\p{Cc}]+/gu, ' ').trim());
  if (characters.length === 0) return fallback;
  if (characters.length <= LONGEST) return characters.join('');
  const cut = characters.slice(0, LONGEST);
  const space = cut.lastIndexOf(' ');
  // Scripts without spaces, and very long words, are cut where the room ends.
  return `${cut.slice(0, space > LONGEST / 2 ? space : LONGEST - 1).join('')}…`;
}
