/** Texts with their changing parts apart, so that each window can say them in its own language. */
import * as v from 'valibot';

/** `text` in English with {0}, {1}, ... in the place of `values`; it is also what its translations are found by. */
export interface Phrase {
  readonly text: string;
  readonly values: readonly (string | number | Phrase)[];
}

export const Phrase: v.GenericSchema<Phrase> = v.object({
  text: v.string(),
  values: v.array(v.union([v.string(), v.number(), v.lazy(() => Phrase)])),
});

/** Why something failed: a phrase of ours, or the words of a driver or library as they came. */
export const Reason = v.union([v.string(), Phrase]);
export type Reason = v.InferOutput<typeof Reason>;

/** phrase`${3} files are gone.` has the text "{0} files are gone.". A value that is itself to be translated is a phrase. */
export function phrase(
  parts: TemplateStringsArray,
  ...values: readonly (string | number | bigint | undefined | Phrase)[]
): Phrase {
  return {
    text: parts.reduce((text, part, at) => `${text}{${at - 1}}${part}`),
    values: values.map((value) => (typeof value === 'object' || typeof value === 'number' ? value : String(value))),
  };
}

/** A text without changing parts. */
export function said(text: string | Phrase): Phrase {
  return typeof text === 'string' ? { text, values: [] } : text;
}

/** The whole text in English; one without changing parts is that already. */
export function english(saying: string | Phrase): string {
  if (typeof saying === 'string') return saying;
  const { text, values } = saying;
  return filled(
    text,
    values.map((value) => (typeof value === 'object' ? english(value) : String(value))),
  );
}

/** The whole text in another language, or undefined where a part of it has no words there. */
export function translated({ text, values }: Phrase, words: Readonly<Record<string, string>>): string | undefined {
  const pattern = words[text];
  const parts = values.map((value) => (typeof value === 'object' ? translated(value, words) : String(value)));
  if (pattern === undefined || !parts.every((part): part is string => part !== undefined)) return undefined;
  return filled(pattern, parts);
}

function filled(text: string, values: readonly string[]): string {
  return text.replace(/\{(\d+)\}/g, (mark, index) => values[Number(index)] ?? mark);
}
