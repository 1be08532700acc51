/** Chooses the next token from the logits of the last position. Runs on the engine thread, once per token. */
import { randomInt } from 'node:crypto';
import type { SamplingOptions } from '../../../contract/engine.ts';
import { AppError } from '../../../contract/errors.ts';
import { phrase } from '../../../contract/phrase.ts';
import { createRandom } from './random.ts';
import { topByCount, topByMass } from './sampler-select.ts';

/** Always the likeliest token, with nothing that changes the logits. */
export const GREEDY: SamplingOptions = {
  temperature: 0,
  topK: 0,
  topP: 1,
  minP: 0,
  repetitionPenalty: 1,
  repetitionWindow: 64,
  stop: [],
};

/** Below this a temperature is 0. */
const GREEDY_BELOW = 1e-6;

export interface Sampler {
  /**
   * `logits`: [nVocab], not changed; ids from `nTokens` on are padding and never chosen. `recent`: all ids so far, prompt
   * included. Throws AppError 'numeric-fault' for a NaN or +infinity, or where every logit is -infinity.
   */
  sample(logits: Float32Array, recent: readonly number[]): number;
}

/**
 * Order of steps: repetition penalty; then the cuts top-k, top-p (on what top-k left) and min-p, which look at the model's
 * own probabilities; then temperature among what is left, so that a high one cannot let the tail back in.
 */
export function createSampler(options: SamplingOptions, nTokens: number): Sampler {
  const { temperature, topK, topP, minP, repetitionPenalty, repetitionWindow } = options;
  const random = createRandom(options.seed ?? randomInt(2 ** 48 - 1));
  const penalised = repetitionPenalty > 1e-6 && repetitionPenalty !== 1 && repetitionWindow > 0;
  const scratch = new Float64Array(nTokens);
  const greedy = temperature < GREEDY_BELOW || topP <= 0 || topK === 1;

  return {
    sample(logits, recent) {
      scratch.set(logits.subarray(0, nTokens));
      if (penalised) penalise(scratch, recent.slice(-repetitionWindow), repetitionPenalty);
      const best = likeliest(scratch);
      if (greedy) return best;

      const max = scratch[best] ?? 0;
      let ids: Int32Array | null = null; // null: all of them
      if (topK > 0 && topK < nTokens) ids = topByCount(scratch, topK);
      if (topP < 1) ids = topByMass(scratch, ids, max, topP);
      const floor = minP > 0 ? max + Math.log(minP) : Number.NEGATIVE_INFINITY;
      return draw(scratch, ids, { max, floor, temperature, at: random() }) ?? best;
    },
  };
}

function penalise(logits: Float64Array, recent: readonly number[], penalty: number): void {
  for (const id of new Set(recent)) {
    const logit = logits[id];
    if (logit !== undefined) logits[id] = logit > 0 ? logit / penalty : logit * penalty;
  }
}

/** The id of the greatest logit, the lowest among equals. Checks every logit on the way. */
function likeliest(logits: Float64Array): number {
  let best = -1;
  let max = Number.NEGATIVE_INFINITY;
  for (let id = 0; id < logits.length; id++) {
    const logit = logits[id] ?? 0;
    if (Number.isNaN(logit) || logit === Number.POSITIVE_INFINITY) {
      throw fault(`the logit of token ${id} is ${logit}`);
    }
    if (logit > max) {
      max = logit;
      best = id;
    }
  }
  if (best < 0) throw fault('no token has a finite logit');
  return best;
}

function fault(what: string): AppError {
  return new AppError('numeric-fault', phrase`The model computed a value that is not a number: ${what}.`, {
    action: 'Load the model again; if it happens again, use the exact weights or another model.',
  });
}

function draw(
  logits: Float64Array,
  ids: Int32Array | null,
  { max, floor, temperature, at }: { max: number; floor: number; temperature: number; at: number },
): number | undefined {
  const count = ids ? ids.length : logits.length;
  const weight = (i: number): number => {
    const logit = logits[ids ? (ids[i] ?? 0) : i] ?? Number.NEGATIVE_INFINITY;
    return logit < floor ? 0 : Math.exp((logit - max) / temperature);
  };
  let total = 0;
  for (let i = 0; i < count; i++) total += weight(i);
  let left = at * total;
  let last: number | undefined;
  for (let i = 0; i < count; i++) {
    const w = weight(i);
    if (w === 0) continue;
    last = ids ? ids[i] : i;
    left -= w;
    if (left < 0) return last;
  }
  return last; // rounding left a crumb
}
