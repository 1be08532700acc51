/** Which pieces of a text a calibration runs over. */
import { AppError } from '../../../contract/errors.ts';

/** Windows of the full calibration: enough to cover a mixture of texts (golden/README.md uses as many). */
const MOST_WINDOWS = 3;
/** Fewest tokens that say anything about sparse attention. */
const LEAST_TOKENS = 128;

/**
 * Up to three windows of at most `size` tokens, spread evenly from the text's start to its end; they do not overlap.
 * Throws AppError 'bad-input' for a text of fewer than 128 tokens.
 */
export function windowsOf(ids: readonly number[], size: number): number[][] {
  if (ids.length < LEAST_TOKENS) {
    throw new AppError('bad-input', `The calibration text has ${ids.length} tokens; ${LEAST_TOKENS} are needed.`, {
      action: 'Give a longer text, best of some thousand tokens and of the kind that the model is used for.',
    });
  }
  const count = Math.max(1, Math.min(MOST_WINDOWS, Math.floor(ids.length / size)));
  const last = Math.max(0, ids.length - size);
  return Array.from({ length: count }, (_, i) => {
    const start = count === 1 ? 0 : Math.floor((i * last) / (count - 1));
    return ids.slice(start, start + size);
  });
}

/** One window of `size` tokens, joined from pieces of `piece` tokens that are spread evenly over the text. */
export function mixtureOf(ids: readonly number[], size: number, piece: number): number[] {
  if (ids.length <= size) return ids.slice();
  const count = Math.ceil(size / piece);
  const pieces = Array.from({ length: count }, (_, i) => {
    const start = count === 1 ? 0 : Math.floor((i * (ids.length - piece)) / (count - 1));
    return ids.slice(start, start + piece);
  });
  return pieces.flat().slice(0, size);
}
