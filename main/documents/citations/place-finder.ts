/**
 * Finds the place in a document that a sentence about it comes from, by the rare words that both have. A sentence with a
 * number or a name that is not there has no place, however many of its words are: it was invented, or got wrong.
 */
import { nameTermsOf } from './names.ts';
import { narrow } from './narrow.ts';
import { readableNumbers, statedNumbers } from './numbers.ts';
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
  /** Of the sentences that say it, in the page's text. */
  readonly range: readonly [start: number, end: number];
  /** Share of the sentence's weight of terms that the passage has, 0 to 1. */
  readonly score: number;
}

/** A place, and which of the sentence's numbers it has. */
type Candidate<P extends Passage> = Omit<Place<P>, 'range'> & { readonly has: readonly string[] };

/** Below this a passage only happens to share some words. */
const LEAST = 0.3;
/** The same where it has all numbers of the sentence, one of them of several digits: these are seldom shared by chance. */
const LEAST_WITH_NUMBERS = 0.2;
/** A second place is worth telling where it is nearly as good. */
const NEARLY = 0.85;

export class PlaceFinder<P extends Passage = Passage> {
  readonly #passages: readonly P[];
  readonly #terms: readonly ReadonlySet<string>[];
  readonly #numbers: readonly ReadonlySet<string>[];
  /** In how many passages a term occurs. */
  readonly #spread = new Map<string, number>();

  constructor(passages: readonly P[]) {
    this.#passages = passages;
    this.#terms = passages.map(({ text }) => new Set(termsOf(text)));
    this.#numbers = passages.map(({ text }) => readableNumbers(text));
    for (const terms of this.#terms) {
      for (const term of terms) this.#spread.set(term, (this.#spread.get(term) ?? 0) + 1);
    }
  }

  /**
   * The best places of `text`, the best first, at most `most`; none where nothing fits. A term weighs
   * log(1 + passages / passages that have it), as in the inverse document frequency of retrieval; terms that no passage
   * has weigh as much as the rarest, so that an invented sentence scores low. The places together have every number of
   * the text, and the passages all of its names: who "she" is may be said elsewhere.
   */
  find(text: string, most = 2): readonly Place<P>[] {
    const wanted = [...new Set(termsOf(text))].map((term) => ({ term, weight: this.#weight(term) }));
    const total = wanted.reduce((sum, { weight }) => sum + weight, 0);
    if (total === 0) return [];
    if (nameTermsOf(text).some((term) => !this.#spread.has(term))) return [];
    const numbers = [...statedNumbers(text)];
    const scored = this.#passages.map((passage, index): Candidate<P> => {
      const terms = this.#terms[index];
      const shared = wanted.reduce((sum, { term, weight }) => sum + (terms?.has(term) === true ? weight : 0), 0);
      return { passage, score: shared / total, has: numbers.filter((number) => this.#numbers[index]?.has(number)) };
    });
    const telling = numbers.some((number) => /\d{3}/.test(number));
    const least = ({ has }: Candidate<P>) => (telling && has.length === numbers.length ? LEAST_WITH_NUMBERS : LEAST);
    const sorted = scored.filter((place) => place.score >= least(place)).sort((a, b) => b.score - a.score);
    const whole = sorted.filter(({ has }) => has.length === numbers.length);
    const best = whole[0]?.score ?? 0;
    const chosen =
      best > 0 ? whole.filter(({ score }) => score >= best * NEARLY).slice(0, most) : covering(sorted, numbers, most);
    return chosen.map(({ passage, score, has }) => {
      const [start, end] = narrow(passage.text, { terms: wanted, numbers: has });
      return { passage, score, range: [passage.start + start, passage.start + end] };
    });
  }

  #weight(term: string): number {
    return Math.log(1 + this.#passages.length / (this.#spread.get(term) ?? 1));
  }
}

/** The best candidates that have all of `numbers` together, each some that those before lack; none where `most` do not. */
function covering<P extends Passage>(
  sorted: readonly Candidate<P>[],
  numbers: readonly string[],
  most: number,
): readonly Candidate<P>[] {
  const open = new Set(numbers);
  const chosen: Candidate<P>[] = [];
  for (const candidate of sorted) {
    if (chosen.length === most || open.size === 0) break;
    if (!candidate.has.some((number) => open.has(number))) continue;
    for (const number of candidate.has) open.delete(number);
    chosen.push(candidate);
  }
  return open.size === 0 ? chosen : [];
}
