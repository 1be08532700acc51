/** Finds the place in a document that a sentence about it comes from, by the rare words that both have. */
import { termsOf } from './terms.ts';

/** A piece of a document that can be cited. */
export interface Passage {
  readonly page: number;
  /** In the page's text, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface Place<P extends Passage = Passage> {
  readonly passage: P;
  /** Share of the sentence's weight of terms that the passage has, 0 to 1. */
  readonly score: number;
}

/** Below this a passage only happens to share some words. */
const LEAST = 0.3;
/** A second place is worth telling where it is nearly as good. */
const NEARLY = 0.85;

export class PlaceFinder<P extends Passage = Passage> {
  readonly #passages: readonly P[];
  readonly #terms: readonly ReadonlySet<string>[];
  /** In how many passages a term occurs. */
  readonly #spread = new Map<string, number>();

  constructor(passages: readonly P[]) {
    this.#passages = passages;
    this.#terms = passages.map(({ text }) => new Set(termsOf(text)));
    for (const terms of this.#terms) {
      for (const term of terms) this.#spread.set(term, (this.#spread.get(term) ?? 0) + 1);
    }
  }

  /**
   * The best places of `text`, the best first, at most `most`; none where nothing fits. A term weighs
   * log(1 + passages / passages that have it), as in the inverse document frequency of retrieval; terms that no passage
   * has weigh as much as the rarest, so that an invented sentence scores low.
   */
  find(text: string, most = 2): readonly Place<P>[] {
    const wanted = [...new Set(termsOf(text))].map((term) => ({ term, weight: this.#weight(term) }));
    const total = wanted.reduce((sum, { weight }) => sum + weight, 0);
    if (total === 0) return [];
    const places = this.#passages.map((passage, index): Place<P> => {
      const terms = this.#terms[index];
      const shared = wanted.reduce((sum, { term, weight }) => sum + (terms?.has(term) === true ? weight : 0), 0);
      return { passage, score: shared / total };
    });
    const sorted = places.filter(({ score }) => score >= LEAST).sort((a, b) => b.score - a.score);
    const best = sorted[0]?.score ?? 0;
    return sorted.filter(({ score }) => score >= best * NEARLY).slice(0, most);
  }

  #weight(term: string): number {
    return Math.log(1 + this.#passages.length / (this.#spread.get(term) ?? 1));
  }
}
