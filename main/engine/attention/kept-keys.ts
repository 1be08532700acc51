/** Float attention over chosen keys, as every mode that chooses them through indices does it. */
import type { NativeAddon } from '../../../native/js/index.ts';
import type { SharedModel } from '../session/shared-model.ts';
import type { KvHeadViews } from './layer-views.ts';

/** What rows keep: ascending positions at indices[r * indexLd ..], counts[r] of them. */
export interface KeptKeys {
  indices: Int32Array;
  counts: Int32Array;
  indexLd: number;
}

/** What the other keys add: log of their mass [rows] and sums of V over the visible keys [rows, headDim]. */
export interface KeptTail {
  logMass: Float32Array;
  prefix: Float32Array;
}

/** Output of `rows` queries of a head at positions nPast .. over the keys they keep, from bfloat16 copies where there are. */
export function attendKept(
  native: NativeAddon,
  { bf16, scale, shape: { headDim } }: Pick<SharedModel, 'bf16' | 'scale' | 'shape'>,
  views: KvHeadViews,
  q: Float32Array,
  { indices, counts, indexLd }: KeptKeys,
  out: Float32Array,
  { rows, nPast, outStride }: { rows: number; nPast: number; outStride: number },
  tail?: KeptTail,
): void {
  const size = (nPast + rows) * headDim;
  const shape = { rows, headDim, indexLd, outStride, scale, nPast };
  const rest = tail ? ([tail.logMass, tail.prefix] as const) : ([] as const);
  if (bf16) {
    const [k, v] = [views.kBf16.subarray(0, size), views.vBf16.subarray(0, size)];
    native.sparseAttentionBf16(q, k, v, indices, counts, out, shape, ...rest);
  } else {
    const [k, v] = [views.k.subarray(0, size), views.v.subarray(0, size)];
    native.sparseAttention(q, k, v, indices, counts, out, shape, ...rest);
  }
}

/** Scratch of at least `length`: the array itself, or one half as long again, so that a growing context seldom allocates. */
export function grown<T extends Int32Array | Float32Array>(array: T, length: number): T {
  if (array.length >= length) return array;
  const Type = array.constructor as new (length: number) => T;
  return new Type(Math.ceil(length * 1.5));
}
