/** Runs a prompt through the model in chunks and leaves it in the KV cache. */

import type { AttentionRule } from '../attention/rules.ts';
import { NEVER } from '../attention/rules.ts';
import type { Breath } from './breath.ts';
import type { Forward } from './forward.ts';
import type { KvCache } from './kv-cache.ts';

export interface PrefillSteps {
  /** How the chunk attends whose last row is the prompt's last (`lastRow`), or is not (NEVER). */
  rule: (lastRow: number) => AttentionRule;
  breath: Breath;
  /** After each chunk: prompt tokens in the cache. */
  onChunk?: (done: number) => void;
}

/**
 * Appends `ids` from cache.length on; the logits of the last token are then in row `@returns` of the last pass.
 * On 'cancelled' or a fault the cache holds whole chunks only.
 */
export async function prefill(
  forward: Forward,
  cache: KvCache,
  ids: readonly number[],
  steps: PrefillSteps,
): Promise<number> {
  let rows = 0;
  try {
    while (cache.length < ids.length) {
      const chunk = ids.slice(cache.length, cache.length + forward.chunkSize);
      rows = chunk.length;
      const last = cache.length + rows === ids.length ? rows - 1 : NEVER;
      await forward.pass(chunk, cache.length, steps.rule(last), steps.breath);
      cache.append(chunk);
      steps.onChunk?.(cache.length);
    }
  } catch (error) {
    cache.truncate(cache.length);
    throw error;
  }
  return rows - 1;
}
