/** Where the heads of a layer lie in the model's shared memory, as typed-array views; one per thread. */
import type { NativeAddon } from '../../../native/js/index.ts';
import { KeyState } from '../session/kv-cache.ts';
import type { SharedModel } from '../session/shared-model.ts';
import { KeptCounts } from '../telemetry/kept-counts.ts';
import { StageRecorder } from '../telemetry/stage-recorder.ts';
import { ENGINE_LANE } from '../telemetry/trace-log.ts';
import { at, type KvHeadViews, kvHeadViews } from './layer-views.ts';
import type { AttentionPass } from './pass.ts';
import { ratioOf } from './rules.ts';

export class HeadMemory {
  readonly model: SharedModel;
  /** Floats from one row of `att` to the next. */
  readonly outStride: number;
  /** Query heads that share a KV head. */
  readonly group: number;
  readonly recorder: StageRecorder;
  readonly keptCounts: KeptCounts;
  private readonly views: KvHeadViews[];
  private readonly states: KeyState[];
  private readonly q: Float32Array;
  private readonly q8: Int8Array;
  private readonly att: Float32Array;
  private readonly headRatios: Float32Array;
  private readonly prefix: Float32Array;

  /** @param lane of this thread in the trace */
  constructor(model: SharedModel, lane = ENGINE_LANE) {
    const { nLayer, nHead, nHeadKv, headDim } = model.shape;
    this.model = model;
    this.outStride = nHead * headDim;
    this.group = nHead / nHeadKv;
    this.recorder = new StageRecorder(model, lane);
    this.keptCounts = new KeptCounts(model);
    const heads = Array.from({ length: nLayer * nHeadKv }, (_, i) => i);
    this.views = heads.map((i) => kvHeadViews(model, Math.floor(i / nHeadKv), i % nHeadKv));
    this.states = heads.map((i) => new KeyState(model.kv.state, i));
    this.q = new Float32Array(model.activations.q);
    this.q8 = new Int8Array(model.activations.q8);
    this.att = new Float32Array(model.activations.att);
    this.headRatios = new Float32Array(model.headRatios);
    this.prefix = new Float32Array(model.activations.prefix);
  }

  /** Share of the visible keys that a head keeps in this pass, 0 < ratio <= 1. */
  ratio({ layer, rule }: AttentionPass, head: number): number {
    return ratioOf(rule, this.headRatios, layer * this.model.shape.nHead + head);
  }

  kvHeadOf(head: number): number {
    return Math.floor(head / this.group);
  }

  /** K, V and their copies of a KV head, each [capacity, headDim]. */
  kv(layer: number, kvHead: number): KvHeadViews {
    return at(this.views, layer * this.model.shape.nHeadKv + kvHead);
  }

  state(layer: number, kvHead: number): KeyState {
    return at(this.states, layer * this.model.shape.nHeadKv + kvHead);
  }

  /** Queries of rows [first, end) of a head, [rows, headDim]. */
  queries(pass: AttentionPass, head: number, first: number, end: number): Float32Array {
    const { headDim } = this.model.shape;
    return this.q.subarray((head * pass.rows + first) * headDim, (head * pass.rows + end) * headDim);
  }

  /** Queries of all rows of consecutive heads, [count, rows, headDim]. */
  headQueries(pass: AttentionPass, head: number, count: number): Float32Array {
    const { headDim } = this.model.shape;
    return this.q.subarray(head * pass.rows * headDim, (head + count) * pass.rows * headDim);
  }

  /** Sums of V over the keys that rows [first, end) see, [rows, headDim]. */
  prefixSums(pass: AttentionPass, kvHead: number, first: number, end: number): Float32Array {
    const { headDim } = this.model.shape;
    return this.prefix.subarray((kvHead * pass.rows + first) * headDim, (kvHead * pass.rows + end) * headDim);
  }

  /** Brings the packed INT8 keys of a KV head up to the pass, and writes the sums of V of all its rows. */
  updateKeys(native: NativeAddon, pass: AttentionPass, kvHead: number): void {
    const { rows, nPast } = pass;
    const { k, v, codes, codeFloats } = this.kv(pass.layer, kvHead);
    const { codeInts } = this.state(pass.layer, kvHead);
    const { headDim } = this.model.shape;
    const prefix = this.prefixSums(pass, kvHead, 0, rows);
    native.updateKeyCodes(k, v, codes, codeFloats, codeInts, prefix, { rows, nPast, headDim });
  }

  /** Notes what prepares a KV head's keys and its group's queries for a pass. */
  recordCodes(pass: AttentionPass, kvHead: number, code: () => void): void {
    const { group } = this;
    const place = { layer: pass.layer, head: kvHead * group, heads: group, position: pass.nPast, rows: pass.rows };
    this.recorder.time('codes', place, code);
  }

  /** INT8 queries of rows [first, end) of a head, [rows, headDim]. */
  codes(pass: AttentionPass, head: number, first: number, end: number): Int8Array {
    const { headDim } = this.model.shape;
    return this.q8.subarray((head * pass.rows + first) * headDim, (head * pass.rows + end) * headDim);
  }

  /** Where rows [first, end) of `count` heads from `head` on are written: row r of head h at r * outStride + h * headDim. */
  outputs(head: number, first: number, end: number, count = 1): Float32Array {
    const { headDim } = this.model.shape;
    return this.att.subarray(
      first * this.outStride + head * headDim,
      (end - 1) * this.outStride + (head + count) * headDim,
    );
  }

  /** Brings the bfloat16 copies of K and V, where the model has them, up to `keys` keys. */
  copyBf16(native: NativeAddon, layer: number, kvHead: number, keys: number): void {
    if (!this.model.bf16) return;
    const { headDim } = this.model.shape;
    const { k, v, kBf16, vBf16 } = this.kv(layer, kvHead);
    const state = this.state(layer, kvHead);
    const start = state.bf16Rows * headDim;
    native.toBf16(k.subarray(start, keys * headDim), kBf16.subarray(start, keys * headDim));
    native.toBf16(v.subarray(start, keys * headDim), vBf16.subarray(start, keys * headDim));
    state.bf16Rows = keys;
  }
}
