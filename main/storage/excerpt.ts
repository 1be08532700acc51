/** The piece of a text that shows where words were found. */
import type { Excerpt } from '../../contract/chats.ts';

/** Characters that are shown before and after the first word. */
const BEFORE = 40;
const AFTER = 120;

/** A pattern that finds any of the words, case aside, as they stand. */
export function anyOf(words: readonly string[], flags: string): RegExp {
  // The longest first: of "data" and "database" at the same place the longer one is marked.
  const byLength = [...words].sort((a, b) => b.length - a.length);
  return new RegExp(byLength.map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|'), flags);
}

/**
 * Around the first of the words that occurs in `text`, on one line, with all words marked. The beginning of the text where
 * none occurs.
 */
export function excerptOf(text: string, words: readonly string[]): Excerpt {
  const place = text.search(anyOf(words, 'iu'));
  const start = pairStart(text, Math.max(0, place - BEFORE));
  const end = pairStart(text, Math.min(text.length, Math.max(0, place) + AFTER));
  const piece = text.slice(start, end).replaceAll(/\s+/gu, ' ');
  const parts: Excerpt = [];
  const add = (part: string, hit: boolean) => {
    if (part !== '') parts.push({ text: part, hit });
  };
  add(start > 0 ? '…' : '', false);
  let from = 0;
  for (const match of piece.matchAll(anyOf(words, 'giu'))) {
    add(piece.slice(from, match.index), false);
    add(match[0], true);
    from = match.index + match[0].length;
  }
  add(piece.slice(from), false);
  add(end < text.length ? '…' : '', false);
  return parts;
}

/** `index`, or one less where it would cut a surrogate pair. */
function pairStart(text: string, index: number): number {
  const code = text.charCodeAt(index);
  return index > 0 && index < text.length && code >= 0xdc00 && code <= 0xdfff ? index - 1 : index;
}
