/** Where a text stands in a conversation, whether it is in the page or not. */
import type { Message } from '../../../../../contract/messages.ts';
import { chunksOf } from '../../markdown/chunks.ts';
import { splitBlocks } from '../../markdown/split-blocks.ts';
import { plainText } from './plain-text.ts';

export interface Match {
  readonly messageId: string;
  /** Which chunk of the message, and which occurrence there. */
  readonly chunk: number;
  readonly ordinal: number;
}

/** What is compared: case does not count. */
export function folded(text: string): string {
  return text.toLocaleLowerCase();
}

/** All occurrences, in the order of the conversation; none of a blank text. */
export function findMatches(messages: readonly Message[], query: string): Match[] {
  const wanted = folded(query.trim());
  if (wanted === '') return [];
  return messages.flatMap((message) =>
    textsOf(message).flatMap((text, chunk) =>
      Array.from({ length: countOf(text, wanted) }, (_, ordinal) => ({ messageId: message.id, chunk, ordinal })),
    ),
  );
}

const known = new WeakMap<Message, readonly string[]>();

/** The folded text of each chunk. A message never changes: another text is another object. */
function textsOf(message: Message): readonly string[] {
  const before = known.get(message);
  if (before !== undefined) return before;
  const texts =
    message.role === 'user'
      ? [folded(message.text)]
      : chunksOf(splitBlocks(message.text)).map((chunk) =>
          folded(plainText(chunk.map(({ source }) => source).join('\n'))),
        );
  known.set(message, texts);
  return texts;
}

function countOf(text: string, wanted: string): number {
  let count = 0;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) count += 1;
  return count;
}
