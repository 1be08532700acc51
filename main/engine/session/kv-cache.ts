/**
 * The KV cache's book-keeping: which tokens are in it, and how far each head's derived copies (INT8 keys, bfloat16 K and
 * V, greatest |K|) have been made. Copies are made lazily by the attention step, since decode needs none of them.
 */
import type { KvBuffers } from './shared-model.ts';
import { KEY_STATE_BYTES } from './shared-model.ts';

/** State of one layer's KV head; lives in shared memory, written only by the thread that prepares that head. */
export class KeyState {
  /** State of the packed codes (NativeAddon.updateKeyCodes): packed keys, fitted keys, greatest norm, keys in the sum of V. */
  readonly codeInts: Int32Array;
  private readonly ints: Int32Array;
  private readonly floats: Float32Array;

  constructor(buffer: SharedArrayBuffer, index: number) {
    this.ints = new Int32Array(buffer, index * KEY_STATE_BYTES, 3);
    this.floats = new Float32Array(buffer, index * KEY_STATE_BYTES + 12, 2);
    this.codeInts = new Int32Array(buffer, index * KEY_STATE_BYTES + 20, 4);
  }
  /** Rows that `maxAbs` covers. */
  get maxRows(): number {
    return this.ints[0] ?? 0;
  }
  /** Rows quantised with `lambda`. */
  get quantizedRows(): number {
    return this.ints[1] ?? 0;
  }
  set quantizedRows(rows: number) {
    this.ints[1] = rows;
  }
  /** Rows copied as bfloat16. */
  get bf16Rows(): number {
    return this.ints[2] ?? 0;
  }
  set bf16Rows(rows: number) {
    this.ints[2] = rows;
  }
  /** Greatest |K| over maxRows. */
  get maxAbs(): number {
    return this.floats[0] ?? 0;
  }
  get lambda(): number {
    return this.floats[1] ?? 0;
  }
  set lambda(value: number) {
    this.floats[1] = value;
  }
  setMax(maxAbs: number, rows: number): void {
    this.floats[0] = maxAbs;
    this.ints[0] = rows;
  }
  /** Forgets what was made of rows from `length` on. The maximum can only be made anew. */
  truncate(length: number): void {
    this.quantizedRows = Math.min(this.quantizedRows, length);
    this.bf16Rows = Math.min(this.bf16Rows, length);
    if (this.maxRows > length) this.setMax(0, 0);
    const [packed = 0, fitted = 0, norm = 0, summed = 0] = this.codeInts;
    // The sum of V can't be taken back; the greatest norm stays a bound.
    this.codeInts.set([Math.min(packed, length), Math.min(fitted, length), norm, summed > length ? 0 : summed]);
  }
}

export class KvCache {
  readonly capacity: number;
  private tokens: number[] = [];
  /** Settings under which the cached prefix was computed; another prefix rule makes it worthless. */
  private origin = '';
  private readonly states: KeyState[];

  constructor(buffers: KvBuffers, heads: number, capacity: number) {
    this.capacity = capacity;
    this.states = Array.from({ length: heads }, (_, i) => new KeyState(buffers.state, i));
  }

  get length(): number {
    return this.tokens.length;
  }

  /**
   * Keeps the longest cached prefix of `ids` that was made under the same `origin`, at most ids.length - 1 so that the
   * last token's logits are always computed, and drops the rest.
   * @returns how many tokens are kept
   */
  reuse(ids: readonly number[], origin: string): number {
    const kept = this.commonWith(ids, origin);
    this.origin = origin;
    this.truncate(kept);
    return kept;
  }

  /** How many tokens `reuse` would keep. */
  commonWith(ids: readonly number[], origin: string): number {
    if (origin !== this.origin) return 0;
    const most = Math.min(this.tokens.length, ids.length - 1);
    let kept = 0;
    while (kept < most && this.tokens[kept] === ids[kept]) kept++;
    return kept;
  }

  /** Takes over keys and values of `ids` that were written into the buffers. */
  restore(ids: readonly number[], origin: string): void {
    this.truncate(0);
    this.origin = origin;
    this.append(ids);
  }

  /** Call after a whole pass over `ids` has been written. */
  append(ids: readonly number[]): void {
    for (const id of ids) this.tokens.push(id);
  }

  /** Drops tokens from `length` on, and whatever an interrupted pass left behind them. */
  truncate(length: number): void {
    this.tokens.length = Math.min(this.tokens.length, length);
    for (const state of this.states) state.truncate(this.tokens.length);
  }
}
