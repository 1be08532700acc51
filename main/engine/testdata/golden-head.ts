/** One head of the golden data in an engine's shared memory, so that a mode runs on it as in a pass of a model. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { loadNative } from '../../../native/js/load.ts';
import { HeadAttention } from '../attention/head-attention.ts';
import { HeadMemory } from '../attention/head-memory.ts';
import { TILE_ROWS } from '../attention/pass.ts';
import { type AttentionRule, NEVER, ruleFor } from '../attention/rules.ts';
import type { StaticRanges } from '../model/attention-calibration.ts';
import { allocateShared, type SharedModel } from '../session/shared-model.ts';
import { type GoldenAttention, goldenJson } from './golden.ts';

const HEAD_DIM = 64;
/** Golden keys; the golden rows are the last ROWS of these positions. */
const KEYS = 512;
const ROWS = 128;
const N_PAST = KEYS - ROWS;
const SCALE = 1 / 8;

const attention = goldenJson<GoldenAttention>('attention');
export const goldenPrefixes = attention.heads.map((head) => head.prefix);

export function goldenFloats(name: string): Float32Array {
  const bytes = readFileSync(path.join(__dirname, 'golden', name));
  return new Float32Array(new Uint8Array(bytes).buffer);
}

/** q [128, 64] at positions 384 .. 511; k, v [512, 64]. */
export interface GoldenTensors {
  q: Float32Array;
  k: Float32Array;
  v: Float32Array;
}

export function goldenTensors(prefix: string): GoldenTensors {
  return {
    q: goldenFloats(`${prefix}q.bin`),
    k: goldenFloats(`${prefix}k.bin`),
    v: goldenFloats(`${prefix}v.bin`),
  };
}

/**
 * Output [rows, 64] of golden rows first .. 127 under a mode, as one pass at position 384 + first.
 * @param first first golden row; what is not a multiple of 64 stands for a prefill after cache reuse
 */
export function attendGolden(
  { q, k, v }: GoldenTensors,
  rule: Partial<AttentionRule> & Pick<AttentionRule, 'mode'>,
  options: { first?: number; staticRanges?: StaticRanges[] } = {},
): Float32Array {
  const { first = 0, staticRanges = [] } = options;
  const shape = { nLayer: 1, nEmbd: HEAD_DIM, nHead: 1, nHeadKv: 1, headDim: HEAD_DIM, slidingWindow: null };
  const model: SharedModel = {
    shape,
    capacity: KEYS,
    chunkSize: ROWS,
    scale: SCALE,
    bf16: false,
    meanLambdaQ: attention.mean_lambda_q,
    meanLambdaK: attention.mean_lambda_k,
    staticRanges,
    crossover: 0,
    blockIds: [],
    ...allocateShared(shape, { capacity: KEYS, chunkSize: ROWS, bf16: false }),
  };
  const rows = ROWS - first;
  new Float32Array(model.activations.q).set(q.subarray(first * HEAD_DIM));
  for (const [buffers, data] of [[model.kv.k, k] as const, [model.kv.v, v] as const]) {
    for (const buffer of buffers) new Float32Array(buffer).set(data);
  }
  const heads = new HeadAttention(loadNative(), new HeadMemory(model));
  const asked = ruleFor({ mode: rule.mode, ratio: rule.ratio ?? 1 }, NEVER);
  const pass = { layer: 0, rows, nPast: N_PAST + first, rule: { ...asked, ...rule } };
  heads.prepare(pass, 0);
  for (let tile = 0; tile * TILE_ROWS < rows; tile++) heads.attend(pass, 0, tile);
  return new Float32Array(model.activations.att).slice(0, rows * HEAD_DIM);
}

/** Score q[row] . k[key] / 8 in float64. */
export function goldenScore({ q, k }: GoldenTensors, row: number, key: number): number {
  let sum = 0;
  for (let d = 0; d < HEAD_DIM; d++) sum += (q[row * HEAD_DIM + d] ?? 0) * (k[key * HEAD_DIM + d] ?? 0);
  return sum * SCALE;
}

/** Softmax attention in float64 of golden rows first .. 127 over the keys that `keeps(row)` lists, [rows, 64]. */
export function plainAttention(
  tensors: GoldenTensors,
  keeps: (row: number) => readonly number[],
  first = 0,
): Float64Array {
  const out = new Float64Array((ROWS - first) * HEAD_DIM);
  for (let row = first; row < ROWS; row++) {
    const kept = keeps(row);
    const scores = kept.map((key) => goldenScore(tensors, row, key));
    const most = Math.max(...scores);
    const weights = scores.map((score) => Math.exp(score - most));
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    kept.forEach((key, i) => {
      for (let d = 0; d < HEAD_DIM; d++) {
        const at = (row - first) * HEAD_DIM + d;
        out[at] = (out[at] ?? 0) + ((weights[i] ?? 0) / total) * (tensors.v[key * HEAD_DIM + d] ?? 0);
      }
    });
  }
  return out;
}

/** Visible keys of a golden row: itself and all before it. */
export function visibleKeys(row: number): number[] {
  return Array.from({ length: N_PAST + row + 1 }, (_, key) => key);
}

export function greatestDifference(a: Float32Array, b: ArrayLike<number>): number {
  if (a.length !== b.length) return Number.POSITIVE_INFINITY;
  return a.reduce((most, value, i) => Math.max(most, Math.abs(value - (b[i] ?? Number.NaN))), 0);
}
