/**
 * Attention of one layer, cut into tasks that any thread can do: `prepare` per KV head, then `attend` per query head and
 * tile of rows. Runs on the engine thread and on the workers alike; a thread has one HeadAttention with its own scratch.
 */
import type { NativeAddon } from '../../../native/js/index.ts';
import { KeyState } from '../session/kv-cache.ts';
import type { SharedModel } from '../session/shared-model.ts';
import { keepCount } from './keep-count.ts';
import { at, type KvHeadViews, kvHeadViews } from './layer-views.ts';
import { exactScale, nearestScale } from './scale-buckets.ts';

/** Rows of a tile: small enough that its score rows stay in cache, large enough to pay for packing the keys. */
export const TILE_ROWS = 64;

/** One pass over a layer: `rows` queries at positions nPast .. nPast + rows - 1. */
export interface AttentionPass {
  layer: number;
  rows: number;
  nPast: number;
  /** Share of the visible keys a row keeps; 0 asks for dense attention. */
  ratio: number;
  /** Keys that a row keeps at least. */
  minKeys: number;
  /** Rows from here on are computed densely. */
  denseFrom: number;
}

export class HeadAttention {
  private readonly native: NativeAddon;
  private readonly model: SharedModel;
  private readonly views: KvHeadViews[];
  private readonly states: KeyState[];
  private readonly q: Float32Array;
  private readonly q8: Int8Array;
  private readonly att: Float32Array;
  private readonly counts = new Int32Array(TILE_ROWS);
  private scores = new Int32Array(0);
  private indices = new Int32Array(0);

  constructor(native: NativeAddon, model: SharedModel) {
    const { nLayer, nHeadKv } = model.shape;
    this.native = native;
    this.model = model;
    const heads = Array.from({ length: nLayer * nHeadKv }, (_, i) => i);
    this.views = heads.map((i) => kvHeadViews(model, Math.floor(i / nHeadKv), i % nHeadKv));
    this.states = heads.map((i) => new KeyState(model.kv.state, i));
    this.q = new Float32Array(model.activations.q);
    this.q8 = new Int8Array(model.activations.q8);
    this.att = new Float32Array(model.activations.att);
  }

  /** Quantises what the pilot needs for one KV head and its group of query heads. */
  prepare(pass: AttentionPass, kvHead: number): void {
    const { native, model } = this;
    const { headDim, nHead, nHeadKv } = model.shape;
    const index = pass.layer * nHeadKv + kvHead;
    const views = at(this.views, index);
    const state = at(this.states, index);
    const keys = pass.nPast + pass.rows;

    const fresh = native.maxAbs(views.k.subarray(state.maxRows * headDim, keys * headDim));
    state.setMax(Math.max(state.maxAbs, fresh), keys);
    const lambdaK = nearestScale(exactScale(state.maxAbs), model.meanLambdaK).lambda;
    const from = lambdaK === state.lambda ? state.quantizedRows : 0;
    native.quantize(
      views.k.subarray(from * headDim, keys * headDim),
      views.k8.subarray(from * headDim, keys * headDim),
      lambdaK,
    );
    state.lambda = lambdaK;
    state.quantizedRows = keys;

    if (model.bf16) {
      const start = state.bf16Rows * headDim;
      native.toBf16(views.k.subarray(start, keys * headDim), views.kBf16.subarray(start, keys * headDim));
      native.toBf16(views.v.subarray(start, keys * headDim), views.vBf16.subarray(start, keys * headDim));
      state.bf16Rows = keys;
    }

    const group = nHead / nHeadKv;
    const size = pass.rows * headDim;
    for (let head = kvHead * group; head < (kvHead + 1) * group; head++) {
      const q = this.q.subarray(head * size, (head + 1) * size);
      const lambdaQ = nearestScale(exactScale(native.maxAbs(q)), model.meanLambdaQ).lambda;
      native.quantize(q, this.q8.subarray(head * size, (head + 1) * size), lambdaQ);
    }
  }

  /** Output of one query head for one tile of rows, into its columns of `att`. */
  attend(pass: AttentionPass, head: number, tile: number): void {
    const first = tile * TILE_ROWS;
    const end = Math.min(first + TILE_ROWS, pass.rows);
    const sparseEnd = pass.ratio > 0 ? Math.max(first, Math.min(end, pass.denseFrom)) : first;
    if (sparseEnd > first) this.attendSparse(pass, head, first, sparseEnd);
    if (end > sparseEnd) this.attendDense(pass, head, sparseEnd, end);
  }

  /** One new position for the group of query heads of a KV head (decode). */
  decode(pass: AttentionPass, kvHead: number): void {
    const { headDim, nHead, nHeadKv } = this.model.shape;
    const group = nHead / nHeadKv;
    const views = at(this.views, pass.layer * nHeadKv + kvHead);
    const keys = pass.nPast + 1;
    const from = kvHead * group * headDim;
    const to = from + group * headDim;
    this.native.decodeAttention(
      this.q.subarray(from, to),
      views.k.subarray(0, keys * headDim),
      views.v.subarray(0, keys * headDim),
      this.att.subarray(from, to),
      { group, keys, headDim, scale: this.model.scale },
    );
  }

  private attendDense(pass: AttentionPass, head: number, first: number, end: number): void {
    const { headDim } = this.model.shape;
    const views = this.headViews(pass.layer, head);
    const keys = pass.nPast + end;
    this.native.fullAttention(
      this.queryRows(this.q, pass, head, first, end),
      views.k.subarray(0, keys * headDim),
      views.v.subarray(0, keys * headDim),
      this.outputRows(head, first, end),
      { rows: end - first, nPast: pass.nPast + first, headDim, outStride: this.outStride, scale: this.model.scale },
    );
  }

  private attendSparse(pass: AttentionPass, head: number, first: number, end: number): void {
    const { native, model } = this;
    const { headDim } = model.shape;
    const views = this.headViews(pass.layer, head);
    const rows = end - first;
    const nPast = pass.nPast + first;
    const keys = pass.nPast + end;

    for (let r = 0; r < rows; r++) this.counts[r] = keepCount(pass.ratio, nPast + r + 1, pass.minKeys);
    const counts = this.counts.subarray(0, rows);
    // Counts never fall from row to row, so the last is the widest.
    const indexLd = counts[rows - 1] ?? 0;
    this.reserve(rows * keys, rows * indexLd);

    native.pilot(this.queryRows(this.q8, pass, head, first, end), views.k8.subarray(0, keys * headDim), this.scores, {
      rows,
      keys,
      headDim,
      ld: keys,
    });
    native.topk(this.scores, counts, this.indices, { rows, nPast, ld: keys, indexLd });

    const q = this.queryRows(this.q, pass, head, first, end);
    const out = this.outputRows(head, first, end);
    const shape = { rows, headDim, indexLd, outStride: this.outStride, scale: model.scale };
    const size = keys * headDim;
    if (model.bf16) {
      native.sparseAttentionBf16(
        q,
        views.kBf16.subarray(0, size),
        views.vBf16.subarray(0, size),
        this.indices,
        counts,
        out,
        shape,
      );
    } else {
      native.sparseAttention(q, views.k.subarray(0, size), views.v.subarray(0, size), this.indices, counts, out, shape);
    }
  }

  private get outStride(): number {
    return this.model.shape.nHead * this.model.shape.headDim;
  }

  private headViews(layer: number, head: number): KvHeadViews {
    const { nHead, nHeadKv } = this.model.shape;
    return at(this.views, layer * nHeadKv + Math.floor(head / (nHead / nHeadKv)));
  }

  private queryRows<T extends Float32Array | Int8Array>(
    all: T,
    pass: AttentionPass,
    head: number,
    first: number,
    end: number,
  ): T {
    const { headDim } = this.model.shape;
    return all.subarray((head * pass.rows + first) * headDim, (head * pass.rows + end) * headDim) as T;
  }

  private outputRows(head: number, first: number, end: number): Float32Array {
    const { headDim } = this.model.shape;
    return this.att.subarray(
      first * this.outStride + head * headDim,
      (end - 1) * this.outStride + (head + 1) * headDim,
    );
  }

  /** Grows this thread's scratch by half as much again, so that a growing context does not allocate on every chunk. */
  private reserve(scores: number, indices: number): void {
    if (this.scores.length < scores) this.scores = new Int32Array(Math.ceil(scores * 1.5));
    if (this.indices.length < indices) this.indices = new Int32Array(Math.ceil(indices * 1.5));
  }
}
