/** `eval linear`: the exact weights beside the fast ones, and how fast the two are. */
import { loadNative } from '../../native/js/load.ts';
import { interleave } from '../bench/rounds.ts';
import { spread } from '../bench/statistics.ts';
import { DENSE } from '../engine/attention/rules.ts';
import type { Engine } from '../engine/engine.ts';
import { Breath } from '../engine/session/breath.ts';
import { LoadedModel } from '../engine/session/loaded-model.ts';
import { createTokenizer } from '../engine/tokenizer/create-tokenizer.ts';
import { ProgressLine } from './output.ts';

const SPEED_ROUNDS = 5;

/**
 * The exact weights of the engine's model beside it, imported first where they are not yet. To be closed by the caller.
 * @param given id or file by which the model was asked for
 */
export async function loadExact(engine: Engine, given: string | undefined, signal: AbortSignal): Promise<LoadedModel> {
  const { bundle, contextSize, threads } = engine.model;
  const progress = new ProgressLine();
  try {
    const request = { model: given ?? bundle.manifest.id, weights: 'exact' } as const;
    const exact = await engine.import(request, { onProgress: progress.show, signal });
    const tokenizer = createTokenizer(exact.tokenizerSource());
    return await LoadedModel.load(loadNative(), exact, tokenizer, { contextSize, threads, signal });
  } finally {
    progress.clear();
  }
}

/**
 * Tokens a second in the first chunk of a prompt, where attention hardly counts, as medians of rounds in turn:
 * `linear_fast_tokens_per_second`, `linear_exact_tokens_per_second`. Leaves both caches empty.
 */
export async function linearSpeed(
  exact: LoadedModel,
  fast: LoadedModel,
  signal: AbortSignal,
): Promise<Record<string, number>> {
  const contestants = Object.entries({ fast, exact }).map(([name, { forward, cache }]) => {
    const ids = new Array<number>(forward.chunkSize).fill(0);
    cache.truncate(0);
    return { name, run: () => forward.pass(ids, 0, DENSE, new Breath(signal)) };
  });
  const times = await interleave(contestants, { rounds: SPEED_ROUNDS, signal });
  return Object.fromEntries(
    [...times].map(([name, ms]) => [
      `linear_${name}_tokens_per_second`,
      (1000 * fast.forward.chunkSize) / spread(ms).median,
    ]),
  );
}
