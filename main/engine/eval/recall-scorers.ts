/** Ways to choose a row's keys by INT8 scores, whose recall is measured. */
import type { NativeAddon } from '../../../native/js/index.ts';
import { exactScale, nearestScale } from '../attention/scale-buckets.ts';
import type { SharedModel } from '../session/shared-model.ts';
import { FusedScorer } from './recall-fused.ts';

/** Queries and keys of one chunk of one head. */
export interface HeadChunk {
  /** All queries of the chunk, [rows, headDim]: what a scale of Q is made from. */
  q: Float32Array;
  /** The queries to measure, [positions, headDim]. */
  measured: Float32Array;
  /** Their positions: the query at p sees keys 0 .. p. */
  positions: readonly number[];
  /** How many keys each keeps. */
  counts: readonly number[];
  /** Keys up to the chunk's end, [keys, headDim]. */
  k: Float32Array;
  /** The same minus their mean: a row's scores all move by the same amount, and the codes are finer. */
  kSmooth: Float32Array;
}

/** Takes the kept keys of measured query `row`, ascending; the array is used again afterwards. */
export type Visit = (row: number, kept: Int32Array) => void;

export interface Scorer {
  readonly name: string;
  keep(chunk: HeadChunk, visit: Visit): void;
}

/** Visits the best counts[row] visible keys of each row of scores [positions, keys]: exact top-k. */
export function visitBest(
  native: NativeAddon,
  scores: Int32Array,
  { positions, counts, k, measured }: HeadChunk,
  visit: Visit,
): void {
  const ld = (k.length * positions.length) / measured.length;
  for (const [row, p] of positions.entries()) {
    const count = counts[row] ?? 0;
    const indices = new Int32Array(count);
    const visible = scores.subarray(row * ld, row * ld + p + 1);
    native.topk(visible, Int32Array.of(count), indices, { rows: 1, nPast: p, ld: p + 1, indexLd: count });
    visit(row, indices);
  }
}

/** The scale of a tensor from its exact one and the model's mean. */
type ScaleOf = (exact: number, mean: number) => number;

/** One scale for the chunk's queries and one for the keys, as a pilot graph has them; exact top-k. */
class ScaleScorer implements Scorer {
  readonly name: string;
  private readonly native: NativeAddon;
  private readonly model: SharedModel;
  private readonly smooth: boolean;
  private readonly scaleOf: ScaleOf;
  private q8 = new Int8Array(0);
  private k8 = new Int8Array(0);
  private scores = new Int32Array(0);

  constructor(native: NativeAddon, model: SharedModel, name: string, smooth: boolean, scaleOf: ScaleOf) {
    this.native = native;
    this.model = model;
    this.name = name;
    this.smooth = smooth;
    this.scaleOf = scaleOf;
  }

  keep(chunk: HeadChunk, visit: Visit): void {
    const { native, model } = this;
    const { q, measured, positions } = chunk;
    const { headDim } = model.shape;
    const k = this.smooth ? chunk.kSmooth : chunk.k;
    const keys = k.length / headDim;
    if (this.q8.length < measured.length) this.q8 = new Int8Array(model.chunkSize * headDim);
    if (this.k8.length < k.length) this.k8 = new Int8Array(model.capacity * headDim);
    if (this.scores.length < positions.length * keys) this.scores = new Int32Array(positions.length * model.capacity);
    const q8 = this.q8.subarray(0, measured.length);
    const k8 = this.k8.subarray(0, k.length);
    native.quantize(measured, q8, this.scaleOf(exactScale(native.maxAbs(q)), model.meanLambdaQ));
    native.quantize(k, k8, this.scaleOf(exactScale(native.maxAbs(k)), model.meanLambdaK));
    native.pilot(q8, k8, this.scores, { rows: positions.length, keys, headDim, ld: keys });
    visitBest(native, this.scores, chunk, visit);
  }
}

/** The scorers of `cli eval recall`. */
export function scorers(native: NativeAddon, model: SharedModel): Scorer[] {
  const scale = (name: string, smooth: boolean, scaleOf: ScaleOf) =>
    new ScaleScorer(native, model, name, smooth, scaleOf);
  return [
    scale('exact', false, (exact) => exact),
    scale('exact-smooth', true, (exact) => exact),
    scale('buckets', false, (exact, mean) => nearestScale(exact, mean).lambda),
    scale('buckets-0.7', false, (exact, mean) => nearestScale(exact, mean, 0.7).lambda),
    scale('single', false, (_, mean) => Math.fround(mean)),
    new FusedScorer(native, model),
  ];
}
