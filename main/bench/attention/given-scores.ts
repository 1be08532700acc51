/**
 * Shadow attention where another chip makes the scores: the CPU's part only, on scores that lie ready. They are made here
 * before the clock starts, in the two forms that the engine reads: int32 (the paper's exact top-k) and bytes with a step and
 * a base per row (selection and tail in one pass, what a device's u8 graph gives back).
 */
import type { NativeAddon } from '../../../native/js/index.ts';
import { fillKeepCounts } from '../../engine/attention/keep-count.ts';
import { attendKept } from '../../engine/attention/kept-keys.ts';
import { at, type KvHeadViews, kvHeadViews } from '../../engine/attention/layer-views.ts';
import { exactScale } from '../../engine/attention/scale-buckets.ts';
import { type Captured, queriesAt, ROWS } from './capture.ts';
import type { Prepared } from './prepared.ts';

interface Head {
  views: KvHeadViews;
  q: Float32Array;
  /** Sums of V over the keys that each row sees, [ROWS, headDim]; made once per KV head and chunk. */
  prefix: Float32Array;
  /** int32 [ROWS, n] */
  scores: Int32Array;
  /** u8 [ROWS, n]; key j of row r has bases[r] + steps[r] * byte nats. */
  bytes: Uint8Array;
  steps: Float32Array;
  bases: Float32Array;
}

export class GivenScores {
  private readonly native: NativeAddon;
  private readonly captured: Captured;
  private readonly n: number;
  private readonly heads: Head[];
  private readonly indices: Int32Array;
  private readonly counts = new Int32Array(ROWS);
  private readonly kept = new Int32Array(ROWS);
  private readonly tails = new Float32Array(ROWS);
  private readonly out: Float32Array;

  constructor(native: NativeAddon, captured: Captured, n: number) {
    const { nLayer, nHead, headDim } = captured.model.shape;
    this.native = native;
    this.captured = captured;
    this.n = n;
    this.indices = new Int32Array(ROWS * n);
    this.out = new Float32Array(ROWS * headDim);
    this.heads = Array.from({ length: nLayer * nHead }, (_, i) => this.makeHead(Math.floor(i / nHead), i % nHead));
  }

  /** Exact top-k and sparse attention over it, all heads: the paper's CPU part. */
  runTopk(prepared: Prepared): void {
    const { native, n, counts, indices } = this;
    for (const [i, head] of this.heads.entries()) {
      this.count(prepared, i);
      const indexLd = counts[ROWS - 1] ?? 0;
      native.topk(head.scores, counts, indices, { rows: ROWS, nPast: n - ROWS, ld: n, indexLd });
      this.attend(head, counts, indexLd, false);
    }
  }

  /** Selection by whole bins with the tail in the same pass, and sparse attention, all heads. */
  runSelect(prepared: Prepared): void {
    const { native, n, counts, indices, kept, tails } = this;
    const { rule } = prepared;
    const shape = { rows: ROWS, nPast: n - ROWS, ld: n, indexLd: n, exact: rule.exactSelection, reach: rule.reach };
    for (const [i, head] of this.heads.entries()) {
      this.count(prepared, i);
      native.selectKeys(head.bytes, head.steps, head.bases, counts, indices, kept, tails, shape);
      this.attend(head, kept, n, rule.tail);
    }
  }

  private attend({ q, views, prefix }: Head, counts: Int32Array, indexLd: number, tail: boolean): void {
    const { native, n, indices, out, tails } = this;
    const { model } = this.captured;
    const place = { rows: ROWS, nPast: n - ROWS, outStride: model.shape.headDim };
    const rest = tail ? { logMass: tails, prefix } : undefined;
    attendKept(native, model, views, q, { indices, counts, indexLd }, out, place, rest);
  }

  private count({ rule, ratios }: Prepared, head: number): void {
    const ratio = ratios[head] ?? rule.ratio;
    fillKeepCounts(this.counts, { ratio, minKeys: rule.minKeys, nPast: this.n - ROWS, rows: ROWS });
  }

  private makeHead(layer: number, head: number): Head {
    const { native, n, captured } = this;
    const { nHead, nHeadKv, headDim } = captured.model.shape;
    const q = at(queriesAt(captured, n), layer).subarray(head * ROWS * headDim, (head + 1) * ROWS * headDim);
    const views = kvHeadViews(captured.model, layer, Math.floor((head * nHeadKv) / nHead));
    const k = views.k.subarray(0, n * headDim);
    if (captured.model.bf16) {
      native.toBf16(k, views.kBf16);
      native.toBf16(views.v.subarray(0, n * headDim), views.vBf16);
    }
    const lambdaQ = exactScale(native.maxAbs(q));
    const lambdaK = exactScale(native.maxAbs(k));
    const q8 = new Int8Array(q.length);
    const k8 = new Int8Array(k.length);
    native.quantize(q, q8, lambdaQ);
    native.quantize(k, k8, lambdaK);
    const scores = new Int32Array(ROWS * n);
    native.pilot(q8, k8, scores, { rows: ROWS, keys: n, headDim, ld: n });
    const prefix = prefixSums(views.v, n, headDim);
    return { views, q, prefix, scores, ...toBytes(scores, n, lambdaQ * lambdaK * captured.model.scale) };
  }
}

/** Each row of int32 scores in 256 equal steps from its least to its greatest. @param nats of one score step */
function toBytes(scores: Int32Array, n: number, nats: number): Pick<Head, 'bytes' | 'steps' | 'bases'> {
  const bytes = new Uint8Array(scores.length);
  const steps = new Float32Array(ROWS);
  const bases = new Float32Array(ROWS);
  for (let r = 0; r < ROWS; r++) {
    const row = scores.subarray(r * n, (r + 1) * n);
    const least = row.reduce((a, b) => Math.min(a, b));
    const range = Math.max(1, row.reduce((a, b) => Math.max(a, b)) - least);
    for (let c = 0; c < n; c++) bytes[r * n + c] = Math.round((((row[c] ?? 0) - least) * 255) / range);
    steps[r] = (range * nats) / 255;
    bases[r] = least * nats;
  }
  return { bytes, steps, bases };
}

function prefixSums(v: Float32Array, n: number, headDim: number): Float32Array {
  const sum = new Float64Array(headDim);
  const prefix = new Float32Array(ROWS * headDim);
  for (let key = 0; key < n; key++) {
    for (let d = 0; d < headDim; d++) sum[d] = (sum[d] ?? 0) + (v[key * headDim + d] ?? 0);
    if (key >= n - ROWS) prefix.set(sum, (key - n + ROWS) * headDim);
  }
  return prefix;
}
