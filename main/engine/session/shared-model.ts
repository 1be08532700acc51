/**
 * What every thread of the engine sees of a loaded model: shapes, native session ids and shared memory.
 * Plain data, so that it can be handed to worker_threads. One thread runs the model and writes the job; all take part.
 */

import { packedBytes } from '../../../native/js/index.ts';
import type { StaticRanges } from '../model/attention-calibration.ts';
import type { ModelConfig } from '../model/config.ts';
import { keptCountsBytes } from '../telemetry/kept-counts.ts';
import { TRACE_LOG_BYTES } from '../telemetry/trace-log.ts';
import { WORK_METER_BYTES } from '../telemetry/work-meter.ts';

export type AttentionShape = Pick<ModelConfig, 'nLayer' | 'nEmbd' | 'nHead' | 'nHeadKv' | 'headDim' | 'slidingWindow'>;

export interface SharedModel {
  shape: AttentionShape;
  /** Most positions the KV cache holds (contextSize). */
  capacity: number;
  /** Most rows of one pass. */
  chunkSize: number;
  /** Softmax scale, 1 / sqrt(head_dim). */
  scale: number;
  /** Whether the sparse step reads K and V as bfloat16 copies. */
  bf16: boolean;
  /** Centres of the scale buckets. */
  meanLambdaQ: number;
  meanLambdaK: number;
  /** INT8 ranges of each layer, for `npu-full`; empty where the model was imported without them. */
  staticRanges: readonly StaticRanges[];
  /**
   * float32 [nLayer * nHead]: share of the visible keys that each head keeps under the rule of the running request; the
   * engine thread writes it between requests. Not used where ratios are uniform.
   */
  headRatios: SharedArrayBuffer;
  /** What ran when in the request, see telemetry/trace-log.ts. */
  trace: SharedArrayBuffer;
  /** Which keys the heads kept in the request, see telemetry/kept-counts.ts. */
  kept: SharedArrayBuffer;
  /** What the processor has done in the request, see telemetry/work-meter.ts. */
  work: SharedArrayBuffer;
  /** Keys up to which the fused `shadow` attends densely. */
  crossover: number;
  /** Native session ids of the block graphs, nLayer + 1. */
  blockIds: number[];
  activations: ActivationBuffers;
  kv: KvBuffers;
}

/** float32 unless said otherwise; C = chunkSize. */
export interface ActivationBuffers {
  /** Residual stream, twice: block i reads x[(i - 1) % 2] and writes x[i % 2]; [C, nEmbd]. */
  x: [SharedArrayBuffer, SharedArrayBuffer];
  /** [C, (nHead + 2 * nHeadKv) * headDim] */
  qkv: SharedArrayBuffer;
  /** [nHead, rows, headDim] */
  q: SharedArrayBuffer;
  /** int8 [nHead, rows, headDim] */
  q8: SharedArrayBuffer;
  /** [C, nHead * headDim] */
  att: SharedArrayBuffer;
  /** Sums of V over the keys that a row sees, [nHeadKv, C, headDim]. */
  prefix: SharedArrayBuffer;
}

/** Per layer [nHeadKv, capacity, headDim]. */
export interface KvBuffers {
  k: SharedArrayBuffer[];
  v: SharedArrayBuffer[];
  /** int8, K under the bucket scale of its head. */
  k8: SharedArrayBuffer[];
  /** K as packed codes of the fused path, packedBytes(capacity, headDim) a head. */
  codes: SharedArrayBuffer[];
  /** Floats that belong to the codes, [nLayer, nHeadKv, 3, headDim] (NativeAddon.updateKeyCodes). */
  codeFloats: SharedArrayBuffer;
  /** bfloat16 bits; empty where `bf16` is off. */
  kBf16: SharedArrayBuffer[];
  vBf16: SharedArrayBuffer[];
  /** KeyState rows, see key-state.ts. */
  state: SharedArrayBuffer;
}

const FLOAT = 4;

/** Allocates the shared memory of a model. Pages are committed by the OS when they are first written. */
export function allocateShared(
  shape: AttentionShape,
  options: { capacity: number; chunkSize: number; bf16: boolean },
): Pick<SharedModel, 'activations' | 'kv' | 'headRatios' | 'trace' | 'kept' | 'work'> {
  const { nLayer, nEmbd, nHead, nHeadKv, headDim } = shape;
  const { capacity, chunkSize: c, bf16 } = options;
  const entries = nHeadKv * capacity * headDim;
  const layers = (bytes: number) => Array.from({ length: nLayer }, () => new SharedArrayBuffer(bytes));
  return {
    headRatios: new SharedArrayBuffer(nLayer * nHead * FLOAT),
    trace: new SharedArrayBuffer(TRACE_LOG_BYTES),
    kept: new SharedArrayBuffer(keptCountsBytes(shape, capacity)),
    work: new SharedArrayBuffer(WORK_METER_BYTES),
    activations: {
      x: [new SharedArrayBuffer(c * nEmbd * FLOAT), new SharedArrayBuffer(c * nEmbd * FLOAT)],
      qkv: new SharedArrayBuffer(c * (nHead + 2 * nHeadKv) * headDim * FLOAT),
      q: new SharedArrayBuffer(c * nHead * headDim * FLOAT),
      q8: new SharedArrayBuffer(c * nHead * headDim),
      att: new SharedArrayBuffer(c * nHead * headDim * FLOAT),
      prefix: new SharedArrayBuffer(nHeadKv * c * headDim * FLOAT),
    },
    kv: {
      k: layers(entries * FLOAT),
      v: layers(entries * FLOAT),
      k8: layers(entries),
      codes: layers(nHeadKv * packedBytes(capacity, headDim)),
      codeFloats: new SharedArrayBuffer(nLayer * nHeadKv * CODE_FLOAT_ROWS * headDim * FLOAT),
      kBf16: bf16 ? layers(entries * 2) : [],
      vBf16: bf16 ? layers(entries * 2) : [],
      state: new SharedArrayBuffer(nLayer * nHeadKv * KEY_STATE_BYTES),
    },
  };
}

/** A model's shared memory for dense passes over `capacity` tokens by one thread. */
export function denseModel(shape: AttentionShape, capacity: number, chunkSize: number): SharedModel {
  return {
    shape,
    capacity,
    chunkSize,
    scale: 1 / Math.sqrt(shape.headDim),
    bf16: false,
    // Dense attention has no buckets.
    meanLambdaQ: 1,
    meanLambdaK: 1,
    staticRanges: [],
    crossover: 0,
    blockIds: [],
    ...allocateShared(shape, { capacity, chunkSize, bf16: false }),
  };
}

/** Bytes of one KeyState row: three int32, two float32, and four int32 of the packed codes. */
export const KEY_STATE_BYTES = 36;
/** Rows of headDim floats that belong to a head's codes. */
export const CODE_FLOAT_ROWS = 3;
