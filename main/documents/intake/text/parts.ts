/** Divides a text into parts of bounded size that together are the text, character for character. */
import { safeCut } from '../clean.ts';
import { PART_CHARACTERS } from '../limits.ts';

export interface Part {
  text: string;
  /** Where it begins in the whole text. */
  start: number;
  /** Its first and last line, from 1. */
  lines: [first: number, last: number];
}

/** `isRecordEnd` says of a line end, by the place after it, whether a part may end there; without it any may. */
export function* partsOf(text: string, isRecordEnd?: (at: number) => boolean): Generator<Part> {
  let line = 1;
  for (let start = 0; start < text.length; ) {
    const end = text.length - start <= PART_CHARACTERS ? text.length : cutOf(text, start, isRecordEnd);
    const piece = text.slice(start, end);
    const breaks = countLineEnds(piece);
    const whole = piece.endsWith('\n');
    yield { text: piece, start, lines: [line, line + breaks - (whole && breaks > 0 ? 1 : 0)] };
    line += breaks;
    start = end;
  }
}

/** After a paragraph in the second half of the part, else after a line, else after a word, else anywhere. */
function cutOf(text: string, start: number, isRecordEnd?: (at: number) => boolean): number {
  const least = start + PART_CHARACTERS / 2;
  const most = start + PART_CHARACTERS;
  for (const gap of isRecordEnd ? ['\n'] : ['\n\n', '\n', ' ']) {
    for (let at = text.lastIndexOf(gap, most - gap.length); at >= least; at = text.lastIndexOf(gap, at - 1)) {
      const end = at + gap.length;
      if (isRecordEnd?.(end) ?? true) return end;
    }
  }
  return safeCut(text, most);
}

function countLineEnds(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
