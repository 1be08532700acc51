/** Which words of a text are not those of another: for answers side by side. Plain values: windows and reports use it. */

export interface Piece {
  readonly text: string;
  readonly differs: boolean;
}

/** A Chinese character is a word; spaces belong to the word before them. */
const WORDS = /\p{Script=Han}\s*|[^\s\p{Script=Han}]+\s*|\s+/gu;

/**
 * `text` in pieces, those marked that are not in its longest common run of words with `reference`. The pieces put together
 * are `text`.
 */
export function wordDiff(reference: string, text: string): Piece[] {
  const ours: string[] = text.match(WORDS) ?? [];
  const common = commonWords(reference.match(WORDS) ?? [], ours);
  const pieces: Piece[] = [];
  for (const [index, word] of ours.entries()) {
    const differs = !common.has(index);
    const last = pieces.at(-1);
    if (last?.differs === differs) pieces[pieces.length - 1] = { text: last.text + word, differs };
    else pieces.push({ text: word, differs });
  }
  return pieces;
}

/** Indices of the words of `b` that are in a longest common subsequence with `a`. */
function commonWords(a: readonly string[], b: readonly string[]): Set<number> {
  const left = a.map((word) => word.trim());
  const right = b.map((word) => word.trim());
  const width = right.length + 1;
  // [i, j]: length of the longest one of left[i ..] and right[j ..].
  const longest = new Uint32Array((left.length + 1) * width);
  const at = (i: number, j: number) => longest[i * width + j] ?? 0;
  for (let i = left.length - 1; i >= 0; i--) {
    for (let j = right.length - 1; j >= 0; j--) {
      longest[i * width + j] = left[i] === right[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const found = new Set<number>();
  for (let i = 0, j = 0; i < left.length && j < right.length; ) {
    if (left[i] === right[j]) {
      found.add(j);
      i++;
      j++;
    } else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return found;
}
