/** Which sections of documents are most likely to answer a question: Okapi BM25 over words and pairs of characters. */
import { termsOf } from '../citations/terms.ts';

/** The usual constants of BM25: how soon repetition stops to count, and how much length does. */
const K1 = 1.2;
const B = 0.75;

/** Indices of `texts`, the likeliest first; texts that share no term with the question come last, in their order. */
export function rankedFor(question: string, texts: readonly string[]): number[] {
  const counts = texts.map((text) => {
    const terms = termsOf(text);
    const byTerm = new Map<string, number>();
    for (const term of terms) byTerm.set(term, (byTerm.get(term) ?? 0) + 1);
    return { byTerm, length: terms.length };
  });
  const meanLength = counts.reduce((sum, { length }) => sum + length, 0) / Math.max(1, texts.length);
  const wanted = [...new Set(termsOf(question))];
  const weights = wanted.map((term) => {
    const spread = counts.filter(({ byTerm }) => byTerm.has(term)).length;
    return Math.log(1 + (texts.length - spread + 0.5) / (spread + 0.5));
  });
  const scores = counts.map(({ byTerm, length }) =>
    wanted.reduce((sum, term, index) => {
      const count = byTerm.get(term) ?? 0;
      const share = (count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / meanLength));
      return sum + (weights[index] ?? 0) * share;
    }, 0),
  );
  return texts.map((_, index) => index).sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
}
