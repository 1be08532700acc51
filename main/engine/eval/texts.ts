/** Texts that quality is measured on, as token ids. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../../contract/errors.ts';
import { resourceFile } from '../paths.ts';
import type { LoadedModel } from '../session/loaded-model.ts';

/** The held-out texts in resources/eval. */
export const HELD_OUT = ['prose', 'technical', 'code'] as const;

export interface EvalText {
  name: string;
  text: string;
}

/** Reads held-out texts by name. Throws AppError 'internal' where one is missing from the installation. */
export function heldOutTexts(names: readonly (typeof HELD_OUT)[number][] = HELD_OUT): Promise<EvalText[]> {
  return Promise.all(
    names.map(async (name) => ({
      name,
      text: await readFile(resourceFile(path.join('eval', `${name}.txt`)), 'utf8'),
    })),
  );
}

/**
 * The first `count` ids of a text, what the tokenizer puts before a text included. Throws AppError 'bad-input' where the text
 * is shorter, 'context-overflow' where the model's context is.
 */
export function firstTokens(model: LoadedModel, { name, text }: EvalText, count: number): number[] {
  if (count > model.contextSize) {
    throw new AppError('context-overflow', `${count} tokens do not fit this model's context of ${model.contextSize}.`, {
      action: `Take --tokens ${model.contextSize} at the most.`,
    });
  }
  const ids = model.tokenizer.encode(text, { addSpecial: true });
  if (ids.length >= count) return ids.slice(0, count);
  throw new AppError('bad-input', `The text "${name}" has ${ids.length} tokens, fewer than the ${count} asked for.`, {
    action: `Take a longer text, or --tokens ${ids.length} at the most.`,
  });
}
