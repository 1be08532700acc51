/** A long real text for benchmarks: the held-out prose, technical text and code that quality is measured on, one after the other. */
import { AppError } from '../../contract/errors.ts';
import { heldOutTexts } from '../engine/eval/texts.ts';
import type { Tokenizer } from '../engine/tokenizer/tokenizer.ts';

/** The first `count` token ids of the sample. Throws AppError 'bad-input' where it is shorter. */
export async function sampleIds(tokenizer: Tokenizer, count: number): Promise<number[]> {
  const text = (await heldOutTexts()).map((one) => one.text).join('\n\n');
  const ids = tokenizer.encode(text, { addSpecial: true });
  if (ids.length >= count) return ids.slice(0, count);
  throw new AppError('bad-input', `The sample text has ${ids.length} tokens, fewer than the ${count} asked for.`, {
    action: `Ask for ${ids.length} at the most.`,
  });
}
