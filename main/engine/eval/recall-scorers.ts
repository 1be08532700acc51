/** Estimates of a head's scores in INT8 whose order recall is measured for. */
import type { NativeAddon } from '../../../native/js/index.ts';
import { exactScale, nearestScale } from '../attention/scale-buckets.ts';
import type { SharedModel } from '../session/shared-model.ts';

/** Queries and keys of one chunk of one head. */
export interface HeadChunk {
  /** All queries of the chunk, [rows, headDim]: what a scale of Q is made from. */
  q: Float32Array;
  /** The queries to score, [measured, headDim]. */
  measured: Float32Array;
  /** Keys up to the chunk's end, [keys, headDim]. */
  k: Float32Array;
  /** The same minus their mean: a row's scores all move by the same amount, and the codes are finer. */
  kSmooth: Float32Array;
}

/** Writes scores [measured, keys] that order like the estimate. */
export interface Scorer {
  readonly name: string;
  score(chunk: HeadChunk, scores: Int32Array): void;
}

/** The scale of a tensor from its exact one and the model's mean. */
type ScaleOf = (exact: number, mean: number) => number;

/** One scale for the chunk's queries and one for the keys, as a pilot graph has them. */
class ScaleScorer implements Scorer {
  readonly name: string;
  private readonly native: NativeAddon;
  private readonly model: SharedModel;
  private readonly smooth: boolean;
  private readonly scaleOf: ScaleOf;
  private q8 = new Int8Array(0);
  private k8 = new Int8Array(0);

  constructor(native: NativeAddon, model: SharedModel, name: string, smooth: boolean, scaleOf: ScaleOf) {
    this.native = native;
    this.model = model;
    this.name = name;
    this.smooth = smooth;
    this.scaleOf = scaleOf;
  }

  score({ q, measured, k: plain, kSmooth }: HeadChunk, scores: Int32Array): void {
    const { native, model } = this;
    const { headDim } = model.shape;
    const k = this.smooth ? kSmooth : plain;
    const keys = k.length / headDim;
    if (this.q8.length < measured.length) this.q8 = new Int8Array(measured.length);
    if (this.k8.length < k.length) this.k8 = new Int8Array(model.capacity * headDim);
    const q8 = this.q8.subarray(0, measured.length);
    const k8 = this.k8.subarray(0, k.length);
    native.quantize(measured, q8, this.scaleOf(exactScale(native.maxAbs(q)), model.meanLambdaQ));
    native.quantize(k, k8, this.scaleOf(exactScale(native.maxAbs(k)), model.meanLambdaK));
    native.pilot(q8, k8, scores, { rows: measured.length / headDim, keys, headDim, ld: keys });
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
  ];
}
