/** Headings of a PDF without bookmarks: short lines in a larger type than the text. */
import type { DocumentHeading } from '../../../../contract/documents.ts';
import { oneLine } from '../clean.ts';
import type { Line } from './lines.ts';

interface Candidate {
  title: string;
  page: number;
  offset: number;
  size: number;
}

/** Type this much larger than that of the text is a heading's. */
const LARGER = 1.15;
const LONGEST = 200;
/** Lines of one heading. */
const MOST_LINES = 3;
const MOST_LEVELS = 4;
/** Documents with so many large lines use size for something else, like slides or posters. */
const MOST_SHARE = 0.25;
const MOST_CANDIDATES = 20_000;

export class LargeLines {
  readonly #charactersBySize = new Map<number, number>();
  readonly #candidates: Candidate[] = [];
  #lines = 0;

  add(page: number, lines: readonly Line[]): void {
    this.#lines += lines.length;
    for (const { size, text } of lines) {
      this.#charactersBySize.set(size, (this.#charactersBySize.get(size) ?? 0) + text.length);
    }
    const smallest = this.#textSize() * LARGER;
    for (let i = 0; i < lines.length; ) {
      const { size, offset } = lines[i]!;
      let next = i + 1;
      while (lines[next]?.size === size) next += 1;
      const title = lines
        .slice(i, next)
        .map(({ text }) => text)
        .join(' ');
      const fits = next - i <= MOST_LINES && title.length <= LONGEST && /\p{L}/u.test(title);
      // The text's size is known better later on, but pages are not kept until then.
      if (fits && size >= smallest * 0.8 && this.#candidates.length < MOST_CANDIDATES) {
        this.#candidates.push({ title: oneLine(title), page, offset, size });
      }
      i = next;
    }
  }

  headings(): DocumentHeading[] {
    const smallest = this.#textSize() * LARGER;
    const large = this.#candidates.filter(({ size }) => size >= smallest);
    if (large.length > Math.max(3, this.#lines * MOST_SHARE)) return [];
    const sizes = [...new Set(large.map(({ size }) => size))].sort((a, b) => b - a);
    return large.map(({ title, page, offset, size }) => ({
      level: Math.min(sizes.indexOf(size) + 1, MOST_LEVELS),
      title,
      page,
      offset,
    }));
  }

  /** The size that most characters have. */
  #textSize(): number {
    let [best, most] = [0, 0];
    for (const [size, characters] of this.#charactersBySize) if (characters > most) [best, most] = [size, characters];
    return best;
  }
}
