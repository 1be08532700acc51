/** What a summary will take: cut into sections or not, how often sections are put together, and how long that will be. */
import type { DocumentPage } from '../../../contract/documents.ts';
import type { SummaryOptions, SummaryPlan } from '../../../contract/summaries.ts';
import { type PromptLanguage, promptLanguageOf, sampleOf } from '../prompts/language.ts';
import { answerTokens, summaryPrompt } from '../prompts/summary.ts';
import type { SummaryModel } from './model.ts';
import { type CountedBlock, type Section, splitSections } from './split.ts';

/** Room that is left free, for tokens that come out otherwise at the seams. */
const MARGIN = 32;

/** Measured speeds in tokens per second. */
export interface Speed {
  readonly prefill: number;
  readonly decode: number;
}

/** For a model that was never timed: slow enough not to promise too much. */
const GUESS: Speed = { prefill: 150, decode: 12 };

export interface PreparedSummary {
  readonly plan: SummaryPlan;
  readonly sections: readonly Section[];
  readonly language: PromptLanguage;
  /** Tokens of text that one prompt may have. */
  readonly room: number;
}

/**
 * `speed` undefined: never measured. Throws AppError of the model. A document without any text has a plan without sections.
 */
export async function prepareSummary(
  { pages, blocks: counted }: { pages: readonly DocumentPage[]; blocks: readonly CountedBlock[] },
  options: SummaryOptions,
  model: SummaryModel,
  speed: Speed | undefined,
): Promise<PreparedSummary> {
  const language = promptLanguageOf(sampleOf(pages.map(({ text }) => text)));
  const overhead = await model.countPrompt(summaryPrompt('', options, language));
  const answer = answerTokens(options.length);
  const room = Math.max(64, model.contextSize - overhead - answer - MARGIN);
  // A block longer than the room counts as that long: the room has a margin for it.
  const blocks = counted.map((block) => (block.tokens > room ? { ...block, tokens: room } : block));
  const documentTokens = blocks.reduce((sum, { tokens }) => sum + tokens, 0);
  const sections = splitSections(blocks, room);
  const rounds = roundsOf(sections.length, answer, room);
  const { prefill, decode } = speed ?? GUESS;
  const prompts = sections.length + (sections.length > 1 ? Math.ceil((sections.length * answer) / room) : 0);
  const read = documentTokens + prompts * overhead + (sections.length > 1 ? sections.length * answer : 0);
  return {
    sections,
    language,
    room,
    plan: {
      strategy: sections.length <= 1 ? 'whole' : rounds <= 1 ? 'sections' : 'hierarchical',
      sections: sections.map(({ title, pages: range, tokens }) => ({ title, pages: [...range], tokens })),
      rounds,
      documentTokens,
      contextSize: model.contextSize,
      seconds: Math.ceil(read / prefill + (prompts * answer * 0.7) / decode),
      measured: speed !== undefined,
      pagesWithoutText: pages.filter(({ text }) => text.trim() === '').map(({ number }) => number),
    },
  };
}

/** Rounds until the summaries of all sections are one. */
function roundsOf(sections: number, answer: number, room: number): number {
  const perPrompt = Math.max(2, Math.floor(room / answer));
  let left = sections;
  let rounds = 0;
  while (left > 1) {
    left = Math.ceil(left / perPrompt);
    rounds += 1;
  }
  return rounds;
}
