/**
 * The keys that the fused shadow kernel keeps, which it does not tell: they are read off its outputs. With keys of zero all
 * kept keys weigh the same, so an output is the mean of the kept values; with a power of two as the value of each key, the
 * sum over the kept ones shows which they were.
 */
import { type NativeAddon, packedBytes } from '../../../native/js/index.ts';
import { at } from '../attention/layer-views.ts';
import type { SharedModel } from '../session/shared-model.ts';
import type { HeadChunk, Scorer, Visit } from './recall-scorers.ts';

/** Keys that one channel tells apart: the sum of their powers of two, and its mean, stay exact enough in float32. */
const BITS = 16;

/** `shadow` as shipped: whole histogram bins, so that a row may keep some more keys than it is asked to. */
export class FusedScorer implements Scorer {
  readonly name = 'native';
  private readonly native: NativeAddon;
  private readonly headDim: number;
  private readonly scale: number;
  private readonly packed: Uint8Array;
  private readonly floats: Float32Array;
  private readonly ints = new Int32Array(4);
  private readonly sums: Float32Array;
  private readonly zeros: Float32Array;
  /** Values [capacity, headDim] that tell the keys of one block apart, BITS * headDim keys a block. */
  private readonly values: Float32Array[];
  private readonly out: Float32Array;
  private readonly stats = new Float64Array(5);
  private readonly kept: Int32Array;

  constructor(native: NativeAddon, model: SharedModel) {
    const { capacity, scale } = model;
    const { headDim } = model.shape;
    this.native = native;
    this.headDim = headDim;
    this.scale = scale;
    this.packed = new Uint8Array(packedBytes(capacity, headDim));
    this.floats = new Float32Array(3 * headDim);
    this.sums = new Float32Array(capacity * headDim);
    this.zeros = new Float32Array(capacity * headDim);
    this.values = Array.from({ length: Math.ceil(capacity / (BITS * headDim)) }, (_, block) => {
      const values = new Float32Array(capacity * headDim);
      for (let i = 0; i < BITS * headDim && block * BITS * headDim + i < capacity; i++) {
        values[(block * BITS * headDim + i) * headDim + Math.floor(i / BITS)] = 2 ** (i % BITS);
      }
      return values;
    });
    this.out = new Float32Array(headDim);
    this.kept = new Int32Array(capacity);
  }

  keep({ measured, positions, counts, k }: HeadChunk, visit: Visit): void {
    const { native, headDim, packed, floats, ints, sums } = this;
    const keys = k.length / headDim;
    ints.fill(0);
    native.updateKeyCodes(k, this.zeros, packed, floats, ints, sums, { rows: keys, nPast: 0, headDim });
    for (const [row, p] of positions.entries()) {
      const q = measured.subarray(row * headDim, (row + 1) * headDim);
      let count = 0;
      for (let block = 0; block * BITS * headDim <= p; block++) {
        const sum = this.sumOfKept(q, p, counts[row] ?? 0, at(this.values, block));
        for (let i = 0; i < BITS * headDim; i++) {
          const bits = sum[Math.floor(i / BITS)] ?? 0;
          if ((bits >> (i % BITS)) & 1) this.kept[count++] = block * BITS * headDim + i;
        }
      }
      visit(row, this.kept.subarray(0, count));
    }
  }

  /** Sum of the kept keys' values, [headDim]. */
  private sumOfKept(q: Float32Array, p: number, count: number, values: Float32Array): number[] {
    const { native, headDim, scale, stats, out } = this;
    stats.fill(0);
    native.shadowAttention(
      q,
      this.packed,
      this.floats,
      this.ints,
      this.zeros,
      values,
      this.sums,
      Int32Array.of(count),
      out,
      stats,
      {
        rows: 1,
        nPast: p,
        headDim,
        heads: 1,
        qHeadStride: headDim,
        outStride: headDim,
        scale,
        reach: 0,
        tail: false,
        share: false,
      },
    );
    return Array.from(out, (mean) => Math.round(mean * (stats[3] ?? 0)));
  }
}
