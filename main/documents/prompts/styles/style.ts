/** What the prompt of a style of summary is: the request behind the text, in each language that prompts are written in. */
import type { PromptLanguage } from '../language.ts';

export interface Asked {
  /** Points or sentences. */
  readonly count: number;
  /** The user's own instruction, or empty. */
  readonly own: string;
}

/** "The text above" and 上文 stand for the text; where summaries of parts are put together they become the whole document. */
export type StylePrompt = { readonly version: number } & Readonly<Record<PromptLanguage, (asked: Asked) => string>>;
