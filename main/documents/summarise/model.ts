/** What summaries need of a model; the app and the command line each have their own way to it. */
import type { ChatTurn, GenerateResult } from '../../../contract/engine.ts';
import { AppError } from '../../../contract/errors.ts';

/** A prompt about documents that may be asked about again: what was read of it is kept. */
export interface KeptReading {
  /** SHA-256 of each document. */
  readonly documents: readonly string[];
  /** Of all prompts of the same job together. */
  readonly tokens: number;
}

export interface GenerateOptions {
  readonly maxTokens: number;
  /** 1, or 2 where the first answer was of no use: it should then come out otherwise. */
  readonly attempt: number;
  readonly keep?: KeptReading | undefined;
  readonly signal: AbortSignal;
  readonly onDelta: (text: string) => void;
  readonly onPrefill: (done: number, total: number) => void;
}

export interface Generated {
  readonly text: string;
  /** It ended at `maxTokens`. */
  readonly cut: boolean;
  /** Of the prompt those that were read, and those that had been before. */
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly completionTokens: number;
  /** Of reading the prompt and of writing. */
  readonly prefillSeconds: number;
  readonly decodeSeconds: number;
}

export interface SummaryModel {
  readonly name: string;
  /** Tokens that prompt and answer may have together, so that the model makes something of them. */
  readonly contextSize: number;
  /** Tokens of each text, without what a template adds. */
  countTokens(texts: readonly string[]): Promise<number[]>;
  /** Tokens of a whole prompt. */
  countPrompt(turns: ChatTurn[]): Promise<number>;
  /** Throws AppError; 'cancelled' where it was stopped. */
  generate(turns: ChatTurn[], options: GenerateOptions): Promise<Generated>;
}

/** What the engine answered. Throws AppError 'cancelled' where it was stopped. */
export function generatedFrom(result: GenerateResult): Generated {
  if (result.finishReason === 'cancelled') throw new AppError('cancelled', 'It was stopped.');
  return {
    text: result.text,
    cut: result.finishReason === 'length',
    promptTokens: result.promptTokens - result.cachedTokens,
    cachedTokens: result.cachedTokens,
    completionTokens: result.completionTokens,
    prefillSeconds: result.prefill.seconds,
    decodeSeconds: result.decode.seconds,
  };
}
