/** How well a text answers to what was typed: every typed character must be in it, in order. */

export interface Match {
  /** Higher is better. */
  readonly score: number;
  /** Indices of the characters that were typed, ascending, in UTF-16 units. */
  readonly at: readonly number[];
}

const START_OF_WORD = 8;
const NEXT_TO = 5;
const WHOLE_WORDS = 6;

/** Undefined where the text does not match. Case, width and accents make no difference; spaces between words may be left out. */
export function fuzzyMatch(text: string, typed: string): Match | undefined {
  const hay = fold(text);
  const words = fold(typed.trim()).split(/\s+/).filter(Boolean);
  if (words.length === 0) return { score: 0, at: [] };
  const whole = hay.indexOf(words.join(' '));
  if (whole >= 0) {
    const at = Array.from({ length: words.join(' ').length }, (_, step) => whole + step);
    return { score: scoreOf(hay, at) + WHOLE_WORDS, at };
  }
  const at: number[] = [];
  let from = 0;
  for (const char of words.join('')) {
    const found = nextOf(hay, char, from, at.at(-1));
    if (found < 0) return undefined;
    at.push(found);
    from = found + 1;
  }
  return { score: scoreOf(hay, at), at };
}

/** The next place of a character: right after the last one, else where a word begins, else anywhere. */
function nextOf(hay: string, char: string, from: number, last: number | undefined): number {
  if (last !== undefined && hay[last + 1] === char) return last + 1;
  for (let at = hay.indexOf(char, from); at >= 0; at = hay.indexOf(char, at + 1)) if (beginsWord(hay, at)) return at;
  return hay.indexOf(char, from);
}

function beginsWord(text: string, at: number): boolean {
  return at === 0 || /[\s\p{P}]/u.test(text[at - 1] ?? '');
}

function scoreOf(hay: string, at: readonly number[]): number {
  const points = at.map(
    (place, index) =>
      1 + (beginsWord(hay, place) ? START_OF_WORD : 0) + (index > 0 && at[index - 1] === place - 1 ? NEXT_TO : 0),
  );
  // Of two that match alike the shorter one is meant.
  return points.reduce((sum, point) => sum + point, 0) - hay.length / 100;
}

/** Each character folded by itself, so that indices stay those of the text. */
function fold(text: string): string {
  return text.replace(/[^\0-\x7f]|[A-Z]/g, (char) => {
    const folded = char.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
    return folded.length === char.length ? folded : char;
  });
}
