/** The logits of every position of a text: what the quality of a model or of its attention is measured by. */
import type { AttentionRule } from '../attention/rules.ts';
import type { Breath } from '../session/breath.ts';
import type { LoadedModel } from '../session/loaded-model.ts';

/** Rows whose logits are in memory at a time. */
const LOGIT_ROWS = 32;

/**
 * Runs `ids` from their beginning in chunks, as a prompt is read, and gives the logits [nVocab] after each of them; an array
 * stays as it is when the next one is taken. The cache is empty afterwards, also where the caller stops early. Throws
 * AppError as Forward.pass does.
 */
export async function* logitRows(
  { forward, cache, bundle }: LoadedModel,
  ids: readonly number[],
  rule: AttentionRule,
  breath: Breath,
): AsyncGenerator<Float32Array, void> {
  const { nVocab } = bundle.manifest.config;
  cache.truncate(0);
  try {
    for (let start = 0; start < ids.length; start += forward.chunkSize) {
      const chunk = ids.slice(start, start + forward.chunkSize);
      await forward.pass(chunk, start, rule, breath);
      cache.append(chunk);
      for (let first = 0; first < chunk.length; first += LOGIT_ROWS) {
        await breath.take();
        const logits = forward.logits(first, Math.min(LOGIT_ROWS, chunk.length - first));
        for (let at = 0; at < logits.length; at += nVocab) yield logits.subarray(at, at + nVocab);
      }
    }
  } finally {
    cache.truncate(0);
  }
}

/** ln(sum of e^value): what log probabilities are below their logits. */
export function logSumExp(logits: Float32Array): number {
  let most = Number.NEGATIVE_INFINITY;
  for (const value of logits) if (value > most) most = value;
  let total = 0;
  for (const value of logits) total += Math.exp(value - most);
  return most + Math.log(total);
}
