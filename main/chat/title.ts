/** Titles of chats: from the first words of the first question, or from what the model wrote. */

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

/**
 * The title in a model's words, or undefined where they are no title: empty, several sentences, or too long. Takes off what
 * models like to put around one: quotes, markup, "Title:", a full stop.
 */
export function titleFromModel(text: string): string | undefined {
  const line = text.split('\n').find((one) => /[\p{L}\p{N}]/u.test(one)) ?? '';
  const bare = line
    .replace(/^[\s#*_>`-]*(?:title|标题)\s*[:：]/iu, '')
    .replaceAll(/^[\s#*_>`"'“”‘’«»「」《》-]+|[\s#*_`"'“”‘’«»「」《》.。:：-]+$/gu, '')
    .replaceAll(/[\p{White_Space}\p{Cc}]+/gu, ' ');
  const isTitle = bare !== '' && Array.from(bare).length <= LONGEST && !/[.!?。！？]\s/u.test(bare);
  return isTitle ? bare : undefined;
}
