/**
 * Shared memory of a device pilot: what it reads, what it writes, and what the CPU stages need besides. The engine thread,
 * the workers and the pilot thread each make their own views. Pages are committed by the OS when they are first written.
 */
import type { AttentionShape, SharedModel } from '../../session/shared-model.ts';
import { at } from '../layer-views.ts';
import { LAUNCH_BOARD_BYTES } from './launch-board.ts';

/** C = chunkSize; n = keys of the graphs in use, one of `keyLengths`. */
export interface PilotBuffers {
  /** u8 [nHead, C, headDim], zero point 128. */
  q: SharedArrayBuffer;
  /** Per layer u8 [nHeadKv, headDim, capacity], zero point 128. */
  keys: SharedArrayBuffer[];
  /** u8 [place in the plan, C, n] */
  scores: SharedArrayBuffer;
  /** float32 [2, nHead, C]: nats per byte of a row's scores, and nats of its byte 0. */
  rowScales: SharedArrayBuffer;
  /** float32 [nLayer * nHeadKv, headDim + 2] and int32 [nLayer * nHeadKv, 2], see KeyCodes. */
  keyFloats: SharedArrayBuffer;
  keyInts: SharedArrayBuffer;
  /** int32 [2, nHead]: bucket of each head; head at each place of the plan. */
  heads: SharedArrayBuffer;
  /** float64 [place in the plan, LAUNCH_TIMES], ms. */
  launchTimes: SharedArrayBuffer;
  /** See LaunchBoard. */
  board: SharedArrayBuffer;
}

/** Launch start (its inputs are gathered), pilot start, pilot end. */
const LAUNCH_TIMES = 3;

const SHORTEST = 512;

/** The key length of graphs for `keys` keys: 512 * 2^i or 768 * 2^i, so that at most a third of a graph's work is padding. */
export function keyLength(keys: number): number {
  let length = SHORTEST;
  while (length < keys) {
    if (length * 1.5 >= keys) return length * 1.5;
    length *= 2;
  }
  return length;
}

export function allocatePilot(shape: AttentionShape, capacity: number, chunkSize: number): PilotBuffers {
  const { nLayer, nHead, nHeadKv, headDim } = shape;
  const kvHeads = nLayer * nHeadKv;
  return {
    q: new SharedArrayBuffer(nHead * chunkSize * headDim),
    keys: Array.from({ length: nLayer }, () => new SharedArrayBuffer(nHeadKv * headDim * capacity)),
    scores: new SharedArrayBuffer(nHead * chunkSize * keyLength(capacity)),
    rowScales: new SharedArrayBuffer(2 * nHead * chunkSize * 4),
    keyFloats: new SharedArrayBuffer(kvHeads * (headDim + 2) * 4),
    keyInts: new SharedArrayBuffer(kvHeads * 2 * 4),
    heads: new SharedArrayBuffer(2 * nHead * 4),
    launchTimes: new SharedArrayBuffer(nHead * LAUNCH_TIMES * 8),
    board: new SharedArrayBuffer(LAUNCH_BOARD_BYTES),
  };
}

/** One thread's views. */
export class PilotMemory {
  readonly shape: AttentionShape;
  readonly capacity: number;
  readonly chunkSize: number;
  /** Bucket of each head; written while codes are made, read by the planner. */
  readonly buckets: Int32Array;
  /** Head at each place of the plan. */
  readonly order: Int32Array;
  private readonly q: Uint8Array;
  private readonly keyCodes: Uint8Array[];
  private readonly scores: Uint8Array;
  private readonly rowScales: Float32Array;
  private readonly launchTimes: Float64Array;

  constructor(model: Pick<SharedModel, 'shape' | 'capacity' | 'chunkSize'>, buffers: PilotBuffers) {
    const { nHead } = model.shape;
    this.shape = model.shape;
    this.capacity = model.capacity;
    this.chunkSize = model.chunkSize;
    this.q = new Uint8Array(buffers.q);
    this.keyCodes = buffers.keys.map((layer) => new Uint8Array(layer));
    this.scores = new Uint8Array(buffers.scores);
    this.rowScales = new Float32Array(buffers.rowScales);
    this.buckets = new Int32Array(buffers.heads, 0, nHead);
    this.order = new Int32Array(buffers.heads, nHead * 4, nHead);
    this.launchTimes = new Float64Array(buffers.launchTimes);
  }

  /** Codes of a head's queries, u8 [C, headDim]. */
  queryCodes(head: number): Uint8Array {
    const size = this.chunkSize * this.shape.headDim;
    return this.q.subarray(head * size, (head + 1) * size);
  }

  /** Codes of a KV head's keys, transposed: u8 [headDim, capacity]. */
  transposedKeys(layer: number, kvHead: number): Uint8Array {
    const size = this.shape.headDim * this.capacity;
    return at(this.keyCodes, layer).subarray(kvHead * size, (kvHead + 1) * size);
  }

  /** Scores of `count` heads from a place of the plan on, u8 [count, C, keys]. @param keys key length of the graph */
  scoresAt(place: number, count: number, keys: number): Uint8Array {
    const size = this.chunkSize * keys;
    return this.scores.subarray(place * size, (place + count) * size);
  }

  /** Nats per byte of each row of a head, and nats of byte 0; each [C]. */
  rowScalesOf(head: number): { steps: Float32Array; bases: Float32Array } {
    const { chunkSize, rowScales } = this;
    const bases = (this.shape.nHead + head) * chunkSize;
    return {
      steps: rowScales.subarray(head * chunkSize, (head + 1) * chunkSize),
      bases: rowScales.subarray(bases, bases + chunkSize),
    };
  }

  /** Times of the launch that made the scores of a place: launch start, pilot start, pilot end. */
  launchTimesOf(place: number): Float64Array {
    return this.launchTimes.subarray(place * LAUNCH_TIMES, (place + 1) * LAUNCH_TIMES);
  }
}
