/** Typed-array views of a layer's shared buffers, made once per thread so that the hot loop makes none of the big ones. */
import { packedBytes } from '../../../native/js/index.ts';
import { CODE_FLOAT_ROWS, type SharedModel } from '../session/shared-model.ts';

/** Views of one KV head of one layer, each [capacity, headDim]. */
export interface KvHeadViews {
  k: Float32Array;
  v: Float32Array;
  k8: Int8Array;
  /** Packed keys of the fused path and the floats that belong to them. */
  codes: Uint8Array;
  codeFloats: Float32Array;
  kBf16: Uint16Array;
  vBf16: Uint16Array;
}

export function kvHeadViews(model: SharedModel, layer: number, kvHead: number): KvHeadViews {
  const entries = model.capacity * model.shape.headDim;
  const start = kvHead * entries;
  const { kv } = model;
  const { headDim, nHeadKv } = model.shape;
  const codeBytes = packedBytes(model.capacity, headDim);
  const codeFloats = CODE_FLOAT_ROWS * headDim;
  const bf16 = (buffers: SharedArrayBuffer[]) => {
    const buffer = buffers[layer];
    return buffer ? new Uint16Array(buffer, start * 2, entries) : new Uint16Array(0);
  };
  return {
    k: new Float32Array(at(kv.k, layer), start * 4, entries),
    v: new Float32Array(at(kv.v, layer), start * 4, entries),
    k8: new Int8Array(at(kv.k8, layer), start, entries),
    codes: new Uint8Array(at(kv.codes, layer), kvHead * codeBytes, codeBytes),
    codeFloats: new Float32Array(kv.codeFloats, (layer * nHeadKv + kvHead) * codeFloats * 4, codeFloats),
    kBf16: bf16(kv.kBf16),
    vBf16: bf16(kv.vBf16),
  };
}

/** The element at `index`; out of range is a bug of ours. */
export function at<T>(list: readonly T[], index: number): T {
  const value = list[index];
  if (value === undefined) throw new RangeError(`index ${index} is outside of a list of ${list.length}`);
  return value;
}
