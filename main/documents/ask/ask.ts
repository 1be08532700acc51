/** Answers a question from documents: the sections that fit it best go before the model, in the documents' order. */
import type { DocumentPage } from '../../../contract/documents.ts';
import type { CitedPoint } from '../../../contract/summaries.ts';
import { citationOf } from '../citations/citation.ts';
import { PlaceFinder } from '../citations/place-finder.ts';
import { pointsOf } from '../citations/points.ts';
import { promptLanguageOf, sampleOf } from '../prompts/language.ts';
import { questionPrompt } from '../prompts/question.ts';
import type { Generated, GenerateOptions, SummaryModel } from '../summarise/model.ts';
import { type CountedBlock, type Section, splitSections } from '../summarise/split.ts';
import { rankedFor } from './ranking.ts';

/** Sections that are chosen from are about this long, in tokens: long enough to hold a thought, short enough for several. */
const SECTION = 400;
const ANSWER = 300;
const MARGIN = 32;
/** What the name of a section and the lines around it take, in tokens. */
const NAME = 40;

export interface AskedDocument {
  readonly id: string;
  readonly name: string;
  readonly sha256: string;
  readonly pages: readonly DocumentPage[];
  readonly blocks: readonly CountedBlock[];
}

export interface AskedAnswer {
  readonly text: string;
  readonly points: CitedPoint[];
  readonly read: { readonly sections: number; readonly of: number };
}

type Listener = Pick<GenerateOptions, 'signal' | 'onDelta' | 'onPrefill'> & {
  /** Before the model starts: how much of the documents it is given. */
  readonly chosen: (read: AskedAnswer['read']) => void;
  /** Measured, after the answer. */
  readonly measured: (generated: Generated) => void;
};

interface Candidate {
  readonly document: AskedDocument;
  readonly section: Section;
}

/** Throws AppError, 'cancelled' where it was stopped. */
export async function askDocuments(
  documents: readonly AskedDocument[],
  question: string,
  model: SummaryModel,
  { chosen, measured, ...listener }: Listener,
): Promise<AskedAnswer> {
  const language = promptLanguageOf(
    sampleOf([question, ...documents.flatMap(({ pages }) => pages.map(({ text }) => text))]),
  );
  const overhead = await model.countPrompt(questionPrompt([], question, language));
  const room = model.contextSize - overhead - ANSWER - MARGIN;
  // What fits is given whole: nothing is left out, and the next question finds the same text read already.
  const fits = tokensWith(documents.map(({ blocks }) => tokensOf(blocks))) <= room;
  const candidates = documents.flatMap((document) =>
    splitSections(document.blocks, fits ? room : SECTION).map((section): Candidate => ({ document, section })),
  );
  const picked = fits ? candidates : pick(candidates, question, room);
  const read = { sections: picked.length, of: candidates.length };
  chosen(read);
  const quoted = picked.map(({ document, section }) => ({ name: nameOf(document, section), text: textOf(section) }));
  const generated = await model.generate(questionPrompt(quoted, question, language), {
    maxTokens: ANSWER,
    attempt: 1,
    keep: {
      documents: documents.map(({ sha256 }) => sha256),
      tokens: picked.reduce((sum, { section }) => sum + section.tokens, 0),
    },
    ...listener,
  });
  measured(generated);
  const { text } = generated;
  return { text: text.trim(), points: cite(text, picked), read };
}

/** As many of the likeliest as fit, in the order of the documents. */
function pick(candidates: readonly Candidate[], question: string, room: number): Candidate[] {
  const order = rankedFor(
    question,
    candidates.map(({ section }) => `${section.title}\n${textOf(section)}`),
  );
  const taken = new Set<number>();
  let left = room;
  for (const index of order) {
    const candidate = candidates[index];
    const tokens = tokensWith([candidate?.section.tokens ?? 0]);
    if (candidate === undefined || tokens > left) continue;
    taken.add(index);
    left -= tokens;
  }
  return candidates.filter((_, index) => taken.has(index));
}

/** Of texts with their names and the lines between them. */
function tokensWith(texts: readonly number[]): number {
  return texts.reduce((sum, tokens) => sum + tokens + NAME, 0);
}

function tokensOf(blocks: readonly CountedBlock[]): number {
  return blocks.reduce((sum, { tokens }) => sum + tokens, 0);
}

function cite(text: string, picked: readonly Candidate[]): CitedPoint[] {
  const finder = new PlaceFinder(
    picked.flatMap(({ document, section }) => section.blocks.map((block) => ({ ...block, document }))),
  );
  return pointsOf(text).map((point) => ({
    text: point,
    citations: finder
      .find(point)
      .map(({ passage: { page, document }, range, score }) =>
        citationOf(document.id, document.pages, { page, range, score }),
      ),
  }));
}

function nameOf({ name }: AskedDocument, { title, pages: [from, to] }: Section): string {
  const range = from === to ? `p. ${from}` : `pp. ${from}-${to}`;
  return [name, title, range].filter((part) => part !== '').join(', ');
}

function textOf({ blocks }: Section): string {
  return blocks.map(({ text }) => text).join('\n\n');
}
