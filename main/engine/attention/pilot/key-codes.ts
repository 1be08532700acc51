/**
 * The 8-bit codes of a KV head's keys for a pilot device, made as keys come. One instance per thread; the state lies in
 * shared memory and is written by the thread that prepares the head.
 */
import type { NativeAddon } from '../../../../native/js/index.ts';
import { ZERO_POINT } from '../../graph/pilot.ts';
import type { AttentionShape, SharedModel } from '../../session/shared-model.ts';
import type { AttentionPass } from '../pass.ts';
import { exactScale } from '../scale-buckets.ts';
import type { PilotBuffers, PilotMemory } from './pilot-memory.ts';

/** Rows that are coded at once: bounds the scratch memory. */
const BLOCK_ROWS = 128;
/** A new key may pass the greatest value by this factor before all keys are coded again: clipping that little costs less. */
const SLACK = 1.1;
const MOST_CODE = 127;

/** How far the derived memory of one KV head has been made. */
interface KeyState {
  /** Taken off every key: a row's scores all move by the same amount. Zeros where the scale is a bucket's. [headDim] */
  mean: Float32Array;
  /** LAMBDA, NORM */
  floats: Float32Array;
  /** CODED, FITTED */
  ints: Int32Array;
}
const LAMBDA = 0;
const NORM = 1;
const CODED = 0; // keys with codes
const FITTED = 1; // keys that mean and scale were made from; 0: the scale is a bucket's
const INTS = 2;

export class KeyCodes {
  private readonly native: NativeAddon;
  private readonly memory: PilotMemory;
  private readonly states: KeyState[];
  private readonly shape: AttentionShape;
  private readonly smoothed: Float32Array;
  private readonly codes: Int8Array;

  constructor(native: NativeAddon, model: SharedModel, memory: PilotMemory, buffers: PilotBuffers) {
    const { nLayer, nHeadKv, headDim } = model.shape;
    this.native = native;
    this.memory = memory;
    this.shape = model.shape;
    this.smoothed = new Float32Array(BLOCK_ROWS * headDim);
    this.codes = new Int8Array(BLOCK_ROWS * headDim);
    const floats = headDim + 2;
    this.states = Array.from({ length: nLayer * nHeadKv }, (_, i) => ({
      mean: new Float32Array(buffers.keyFloats, i * floats * 4, headDim),
      floats: new Float32Array(buffers.keyFloats, (i * floats + headDim) * 4, 2),
      ints: new Int32Array(buffers.keyInts, i * INTS * 4, INTS),
    }));
  }

  /**
   * Codes the keys under the head's own scale, after taking off its mean key. Both are made anew, and all keys coded
   * again, when a new key leaves their range or the cache has doubled.
   * @param k [nPast + rows, headDim] @returns the scale, the greatest norm of a key's codes and the mean key
   */
  codeExactly(
    pass: AttentionPass,
    kvHead: number,
    k: Float32Array,
  ): { lambda: number; norm: number; mean: Float32Array } {
    const state = this.state(pass.layer, kvHead);
    const { ints, floats, mean } = state;
    const keys = pass.nPast + pass.rows;
    const coded = ints[CODED] ?? 0;
    const fitted = ints[FITTED] ?? 0;
    const range = SLACK * MOST_CODE * (floats[LAMBDA] ?? 0);
    if (coded === 0 || fitted === 0 || keys >= 2 * fitted || this.most(k, coded, keys, mean) > range) {
      this.fitMean(k, keys, mean);
      floats[LAMBDA] = exactScale(this.most(k, 0, keys, mean)) || 1;
      floats[NORM] = 0;
      ints[FITTED] = keys;
      ints[CODED] = 0;
    }
    this.code(pass.layer, kvHead, k, keys);
    return { lambda: floats[LAMBDA] ?? 1, norm: floats[NORM] ?? 0, mean };
  }

  /** Codes the keys under a given scale. @param k as in codeExactly */
  codeUnder(lambda: number, pass: AttentionPass, kvHead: number, k: Float32Array): void {
    const { ints, floats, mean } = this.state(pass.layer, kvHead);
    if (ints[FITTED] !== 0 || floats[LAMBDA] !== lambda) {
      ints[CODED] = 0;
      ints[FITTED] = 0;
      mean.fill(0);
      floats[LAMBDA] = lambda;
    }
    this.code(pass.layer, kvHead, k, pass.nPast + pass.rows);
  }

  private state(layer: number, kvHead: number): KeyState {
    const state = this.states[layer * this.shape.nHeadKv + kvHead];
    if (state === undefined) throw new RangeError(`no KV head ${kvHead} in layer ${layer}`);
    return state;
  }

  private fitMean(k: Float32Array, keys: number, mean: Float32Array): void {
    const { headDim } = this.shape;
    mean.fill(0);
    for (let i = 0; i < keys * headDim; i++) mean[i % headDim] = (mean[i % headDim] ?? 0) + (k[i] ?? 0);
    for (let d = 0; d < headDim; d++) mean[d] = (mean[d] ?? 0) / keys;
  }

  /** Greatest |key - mean| over keys [from, to). */
  private most(k: Float32Array, from: number, to: number, mean: Float32Array): number {
    const { headDim } = this.shape;
    let most = 0;
    for (let row = from; row < to; row += BLOCK_ROWS) {
      const block = this.smooth(k.subarray(row * headDim, Math.min(row + BLOCK_ROWS, to) * headDim), mean);
      most = Math.max(most, this.native.maxAbs(block));
    }
    return most;
  }

  /** keys - mean, in this thread's scratch. */
  private smooth(keys: Float32Array, mean: Float32Array): Float32Array {
    const { headDim } = this.shape;
    const { smoothed } = this;
    for (let i = 0; i < keys.length; i += headDim) {
      for (let d = 0; d < headDim; d++) smoothed[i + d] = (keys[i + d] ?? 0) - (mean[d] ?? 0);
    }
    return smoothed.subarray(0, keys.length);
  }

  /** Codes of the keys that have none yet, transposed; raises the greatest norm to theirs. */
  private code(layer: number, kvHead: number, k: Float32Array, keys: number): void {
    const { headDim } = this.shape;
    const { floats, ints, mean } = this.state(layer, kvHead);
    const { codes } = this;
    const { capacity } = this.memory;
    const transposed = this.memory.transposedKeys(layer, kvHead);
    let mostSquares = (floats[NORM] ?? 0) ** 2;
    for (let row = ints[CODED] ?? 0; row < keys; row += BLOCK_ROWS) {
      const count = Math.min(BLOCK_ROWS, keys - row);
      const block = this.smooth(k.subarray(row * headDim, (row + count) * headDim), mean);
      this.native.quantize(block, codes, floats[LAMBDA] ?? 1);
      for (let c = 0; c < count; c++) {
        let squares = 0;
        for (let d = 0; d < headDim; d++) {
          const code = codes[c * headDim + d] ?? 0;
          squares += code * code;
          transposed[d * capacity + row + c] = code + ZERO_POINT;
        }
        mostSquares = Math.max(mostSquares, squares);
      }
    }
    floats[NORM] = Math.sqrt(mostSquares);
    ints[CODED] = keys;
  }
}

/** Engine thread, before a pass writes keys from position `length` on: what was made of older ones there means nothing. */
export function forgetKeys(keyInts: Int32Array, length: number): void {
  for (let i = 0; i < keyInts.length; i += INTS) {
    keyInts[i + CODED] = Math.min(keyInts[i + CODED] ?? 0, length);
  }
}
