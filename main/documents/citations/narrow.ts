/** Where in a passage the sentences are that a point comes from: what is marked where a citation leads. */
import { readableNumbers } from './numbers.ts';
import { termsOf } from './terms.ts';

/** The sentences have this share of what the passage has of the point. */
const ENOUGH = 0.9;
/** Passages with more sentences are taken whole: every run of them is looked at. */
const MOST_SENTENCES = 60;

interface Wanted {
  readonly terms: readonly { readonly term: string; readonly weight: number }[];
  /** Those that the passage has. */
  readonly numbers: readonly string[];
}

/** The shortest run of sentences of `text` that has nearly all of what the text has of the point, with all its numbers. */
export function narrow(text: string, { terms, numbers }: Wanted): readonly [start: number, end: number] {
  const whole = [0, text.length] as const;
  const spans = spansOf(text);
  if (spans.length < 2 || spans.length > MOST_SENTENCES) return whole;
  const parts = spans.map(([start, end]) => {
    const part = text.slice(start, end);
    return { start, end, terms: new Set(termsOf(part)), numbers: readableNumbers(part) };
  });
  const all = new Set(parts.flatMap((part) => [...part.terms]));
  const total = weightIn(all);
  let best: readonly [number, number] = whole;
  for (const [from, { start }] of parts.entries()) {
    const seen = new Set<string>();
    const open = new Set(numbers);
    for (const part of parts.slice(from)) {
      if (part.end - start >= best[1] - best[0]) break;
      for (const term of part.terms) seen.add(term);
      for (const number of part.numbers) open.delete(number);
      if (open.size > 0 || weightIn(seen) < total * ENOUGH) continue;
      best = [start, part.end];
      break;
    }
  }
  return best;

  function weightIn(has: ReadonlySet<string>): number {
    return terms.reduce((sum, { term, weight }) => sum + (has.has(term) ? weight : 0), 0);
  }
}

/** Sentences, or lines where there are none, as in tables and source code; without the white space between them. */
function spansOf(text: string): [start: number, end: number][] {
  const sentences = cutAt(
    text,
    /(?<=[.!?…]["'”’)\]]*)\s+(?=[\p{Lu}\p{Lo}\p{N}"'“‘(])|(?<=[。！？…]["'”’」』）]*)(?!["'”’」』）])/gu,
  );
  return sentences.length > 1 ? sentences : cutAt(text, /\n/g);
}

function cutAt(text: string, seam: RegExp): [number, number][] {
  const spans: [number, number][] = [];
  let from = 0;
  for (const { index, 0: seamText } of [...text.matchAll(seam), { index: text.length, 0: '' }]) {
    if (text.slice(from, index).trim() !== '') spans.push([from, index]);
    from = index + seamText.length;
  }
  return spans;
}
