/** Long texts from templates: chapters of sentences that are alike, with one fact in each that is there only once. */
import * as v from 'valibot';
import { createRandom, type RandomSource } from '../../engine/session/random.ts';
import type { Planted } from './suite.ts';

const texts = v.pipe(v.array(v.string()), v.minLength(1));

/** A sentence names a slot as {slot}; {place} and {person} come from their lists, {number} is another one for each fact. */
export const Templates = v.object({
  title: v.string(),
  chapter: v.string(),
  places: texts,
  people: texts,
  facts: texts,
  sentences: texts,
  slots: v.record(v.string(), texts),
});
export type Templates = v.InferOutput<typeof Templates>;

const PARAGRAPHS = 4;
/** Sentences of a paragraph. */
const SENTENCES = 6;

/** About `tokens` tokens of Markdown: chapters are added until there are so many. The same seed gives the same text. */
export async function generateText(
  templates: Templates,
  tokens: number,
  seed: number,
  countTokens: (texts: readonly string[]) => Promise<number[]>,
): Promise<{ text: string; facts: Planted['facts'] }> {
  const random = createRandom(seed);
  const numbers = new Set<string>();
  const parts = [`# ${templates.title}`];
  const facts: Planted['facts'] = [];
  for (let length = 0; length < tokens; ) {
    const { text, fact } = chapter(templates, facts.length, random, numbers);
    parts.push(text);
    facts.push(fact);
    length += (await countTokens([text]))[0] ?? 0;
  }
  return { text: parts.join('\n\n'), facts };
}

function chapter(templates: Templates, index: number, random: RandomSource, numbers: Set<string>) {
  const { places, people, sentences, slots } = templates;
  const place = places[index % places.length] ?? '';
  const number = uniqueNumber(random, numbers);
  const person = pick(people, random);
  const fill = (template: string) =>
    template.replaceAll(/\{(\w+)\}/g, (whole, slot: string) => {
      if (slot === 'place') return place;
      if (slot === 'person') return person;
      if (slot === 'number') return number;
      const choices = slots[slot];
      return choices === undefined ? whole : pick(choices, random);
    });
  const left = [...sentences];
  const filler = Array.from({ length: PARAGRAPHS * SENTENCES }, () => {
    const [template = ''] = left.splice(Math.floor(random() * left.length), 1);
    return capitalised(fill(template));
  });
  const quote = fill(templates.facts[index % templates.facts.length] ?? '');
  filler.splice(Math.floor(random() * filler.length), 1, quote);
  const gap = /\p{Script=Han}/u.test(quote) ? '' : ' ';
  const paragraphs = Array.from({ length: PARAGRAPHS }, (_, i) =>
    filler.slice(i * SENTENCES, (i + 1) * SENTENCES).join(gap),
  );
  const heading = `## ${templates.chapter.replace('{index}', String(index + 1)).replace('{place}', place)}`;
  return { text: [heading, ...paragraphs].join('\n\n'), fact: { quote, needs: [number] } };
}

/** Four or five digits, none the end or beginning of another one. */
function uniqueNumber(random: RandomSource, taken: Set<string>): string {
  for (;;) {
    const number = String(1_100 + Math.floor(random() * 98_000));
    if ([...taken].some((other) => other.includes(number) || number.includes(other))) continue;
    taken.add(number);
    return number;
  }
}

function pick(choices: readonly string[], random: RandomSource): string {
  return choices[Math.floor(random() * choices.length)] ?? '';
}

function capitalised(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
