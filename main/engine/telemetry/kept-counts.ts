/**
 * Which keys the heads kept while a prompt was computed, in shared memory. Of every row that chose its keys the number is
 * counted. Key by key only a sample of rows is: every HIT_ROWS-th of a pass's first tile, so that one thread alone writes the
 * counts of a head.
 */
import { HIT_ROWS } from '../../../native/js/index.ts';
import type { KeptKeys } from '../attention/kept-keys.ts';
import { TILE_ROWS } from '../attention/pass.ts';

interface Shape {
  nLayer: number;
  nHead: number;
}

const HEADER = 8;
/** Marks of a row. */
const CHOSE = 1;
const SAMPLED = 2;

/** Bytes for a model of this shape and context. Pages are committed by the OS when they are first written. */
export function keptCountsBytes({ nLayer, nHead }: Shape, capacity: number): number {
  const heads = nLayer * nHead;
  return HEADER + heads * 8 + heads * capacity * 4 + nLayer * capacity;
}

export class KeptCounts {
  private readonly shape: Shape;
  private readonly capacity: number;
  /** Position from which on nothing has been written since `begin`; 1 where nothing is to be. */
  private readonly end: Int32Array;
  /** Kept keys of all rows, [nLayer * nHead]. */
  private readonly kept: BigInt64Array;
  /** How many sampled rows kept each key, [nLayer * nHead, capacity]. */
  private readonly hits: Int32Array;
  /** Marks of the rows, [nLayer, capacity]. */
  private readonly rows: Uint8Array;

  constructor(model: { shape: Shape; capacity: number; kept: SharedArrayBuffer }) {
    const { nLayer, nHead } = model.shape;
    this.shape = model.shape;
    this.capacity = model.capacity;
    const heads = nLayer * nHead;
    const hitsAt = HEADER + heads * 8;
    this.end = new Int32Array(model.kept, 0, 2);
    this.kept = new BigInt64Array(model.kept, HEADER, heads);
    this.hits = new Int32Array(model.kept, hitsAt, heads * model.capacity);
    this.rows = new Uint8Array(model.kept, hitsAt + heads * model.capacity * 4, nLayer * model.capacity);
  }

  /** Engine thread, between passes: forgets the request before. */
  begin(): void {
    const tokens = Atomics.exchange(this.end, 0, 0);
    if (tokens === 0) return;
    this.kept.fill(0n);
    for (let head = 0; head < this.kept.length; head++) {
      const start = head * this.capacity;
      this.hits.fill(0, start, start + tokens);
    }
    for (let layer = 0; layer < this.shape.nLayer; layer++) {
      const start = layer * this.capacity;
      this.rows.fill(0, start, start + tokens);
    }
  }

  /** Engine thread, between passes: whether keys are counted. They are unless this is set to false. */
  set enabled(enabled: boolean) {
    Atomics.store(this.end, 1, enabled ? 0 : 1);
  }

  /** Any thread: `rows` rows of tile `first / TILE_ROWS`, the first at `position`, choose keys in a layer. */
  markRows(layer: number, position: number, first: number, rows: number): void {
    if (this.end[1] === 1) return;
    const end = position + rows;
    for (let known = this.end[0] ?? 0; known < end; known = this.end[0] ?? 0) {
      Atomics.compareExchange(this.end, 0, known, end);
    }
    const start = layer * this.capacity + position;
    const sampled = isSampled(first);
    for (let r = 0; r < rows; r++) this.rows[start + r] = sampled && r % HIT_ROWS === 0 ? SAMPLED : CHOSE;
  }

  /** Any thread: keys that a head's rows kept. */
  add(layer: number, head: number, kept: number): void {
    if (this.end[1] === 1) return;
    Atomics.add(this.kept, layer * this.shape.nHead + head, BigInt(kept));
  }

  /** Where a head's keys are counted, [capacity] and those of the heads after it; undefined for rows that are not sampled. */
  hitsOf(layer: number, head: number, first: number): Int32Array | undefined {
    return isSampled(first) && this.end[1] === 0
      ? this.hits.subarray((layer * this.shape.nHead + head) * this.capacity)
      : undefined;
  }

  /**
   * Any thread: rows of a head from row `first` of the pass on, the first at `position`, and what they keep.
   * @returns kept keys of all these rows
   */
  count(layer: number, head: number, position: number, first: number, { indices, counts, indexLd }: KeptKeys): number {
    this.markRows(layer, position, first, counts.length);
    const hits = this.hitsOf(layer, head, first);
    let kept = 0;
    for (let r = 0; r < counts.length; r++) {
      const count = counts[r] ?? 0;
      kept += count;
      if (hits === undefined || r % HIT_ROWS !== 0) continue;
      for (let i = r * indexLd; i < r * indexLd + count; i++) {
        const key = indices[i] ?? 0;
        hits[key] = (hits[key] ?? 0) + 1;
      }
    }
    this.add(layer, head, kept);
    return kept;
  }

  /** Kept keys of all rows of head `index` of all (layer * nHead + head). */
  keptOf(index: number): number {
    return Number(this.kept[index] ?? 0n);
  }

  /** Positions of the rows of a layer that chose keys, below `tokens`. */
  chose(layer: number, tokens: number): number[] {
    const found: number[] = [];
    for (let p = 0; p < tokens; p++) if (this.rows[layer * this.capacity + p] !== 0) found.push(p);
    return found;
  }

  /**
   * For each of `tokens` keys the sampled rows that kept it, summed over heads of a layer, and how many could have: those at
   * its position and after it, once a head. `rows`: sampled rows.
   */
  readHits(
    layer: number,
    heads: readonly number[],
    tokens: number,
  ): { kept: Float64Array; seen: Float64Array; rows: number } {
    const kept = new Float64Array(tokens);
    const seen = new Float64Array(tokens);
    for (const head of heads) {
      const start = (layer * this.shape.nHead + head) * this.capacity;
      for (let key = 0; key < tokens; key++) kept[key] = (kept[key] ?? 0) + (this.hits[start + key] ?? 0);
    }
    const rows = this.rows.subarray(layer * this.capacity, layer * this.capacity + tokens);
    let sampled = 0;
    for (let key = tokens - 1; key >= 0; key--) {
      if (rows[key] === SAMPLED) sampled++;
      seen[key] = sampled * heads.length;
    }
    return { kept, seen, rows: sampled };
  }
}

/** Whether rows that begin at row `first` of a pass are in its first tile. */
function isSampled(first: number): boolean {
  return first < TILE_ROWS;
}
