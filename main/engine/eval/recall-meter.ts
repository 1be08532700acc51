/** Compares the order of INT8 estimates with that of float scores, on Q and K as a dense pass leaves them. */
import type { NativeAddon } from '../../../native/js/index.ts';
import { HeadMemory } from '../attention/head-memory.ts';
import { keepCount } from '../attention/keep-count.ts';
import { at } from '../attention/layer-views.ts';
import { DENSE } from '../attention/rules.ts';
import type { SharedModel } from '../session/shared-model.ts';
import { type HeadChunk, type Scorer, visitBest } from './recall-scorers.ts';

/** Rows with fewer visible keys are left out: `shadow` as shipped keeps all of their keys. */
const LEAST_KEYS = 64;
/** Of how many rows one is measured; neighbours are alike. */
const EVERY_NTH = 8;

export class RecallMeter {
  private readonly native: NativeAddon;
  private readonly memory: HeadMemory;
  private readonly ratio: number;
  private readonly scorers: readonly Scorer[];
  /** Each scorer's recalls and kept / k, summed over `count` rows of heads. */
  private sums: { recall: number; kept: number }[];
  private count = 0;
  private readonly measured: Float32Array;
  private readonly smooth: Float32Array;
  private readonly order: Int32Array;

  /** @param ratio share of the visible keys that counts as the top, 0 < ratio <= 1 */
  constructor(native: NativeAddon, model: SharedModel, ratio: number, scorers: readonly Scorer[]) {
    const { capacity, chunkSize } = model;
    const { headDim } = model.shape;
    const rows = Math.ceil(chunkSize / EVERY_NTH);
    this.native = native;
    this.memory = new HeadMemory(model);
    this.ratio = ratio;
    this.scorers = scorers;
    this.sums = zeros(scorers);
    this.measured = new Float32Array(rows * headDim);
    this.smooth = new Float32Array(capacity * headDim);
    this.order = new Int32Array(rows * capacity);
  }

  /** Measures layer `layer` of a pass of `rows` rows at nPast, whose queries and keys are in the model's memory. */
  observe(layer: number, rows: number, nPast: number): void {
    const { memory } = this;
    const { nHead, nHeadKv, headDim } = memory.model.shape;
    const positions: number[] = [];
    for (let p = nPast; p < nPast + rows; p++) if (p + 1 >= LEAST_KEYS && p % EVERY_NTH === 0) positions.push(p);
    if (positions.length === 0) return;
    const counts = positions.map((p) => keepCount(this.ratio, p + 1));
    const pass = { layer, rows, nPast, rule: DENSE };
    for (let kvHead = 0; kvHead < nHeadKv; kvHead++) {
      const k = memory.kv(layer, kvHead).k.subarray(0, (nPast + rows) * headDim);
      const kSmooth = this.smooth.subarray(0, k.length);
      subtractMean(k, kSmooth, headDim);
      for (let head = 0; head < nHead; head++) {
        if (memory.kvHeadOf(head) !== kvHead) continue;
        const q = memory.queries(pass, head, 0, rows);
        for (const [i, p] of positions.entries()) {
          this.measured.set(q.subarray((p - nPast) * headDim, (p - nPast + 1) * headDim), i * headDim);
        }
        const measured = this.measured.subarray(0, positions.length * headDim);
        this.compare({ q, measured, positions, counts, k, kSmooth });
      }
    }
  }

  /** Means of each scorer over what was observed since the last call; NaN where that was nothing. */
  take(): { scorer: string; recall: number; kept: number }[] {
    const { count } = this;
    const means = this.sums.map(({ recall, kept }, s) => ({
      scorer: at(this.scorers, s).name,
      recall: recall / count,
      kept: kept / count,
    }));
    this.sums = zeros(this.scorers);
    this.count = 0;
    return means;
  }

  private compare(chunk: HeadChunk): void {
    const { native } = this;
    const { scale, shape } = this.memory.model;
    const { headDim } = shape;
    const { positions } = chunk;
    const ld = chunk.k.length / headDim;
    for (const [i, p] of positions.entries()) {
      const q = chunk.measured.subarray(i * headDim, (i + 1) * headDim);
      const k = chunk.k.subarray(0, (p + 1) * headDim);
      const order = this.order.subarray(i * ld, i * ld + p + 1);
      native.scoreOrder(q, k, order, { rows: 1, nPast: p, headDim, ld: p + 1, scale });
    }
    const best: Int32Array[] = [];
    visitBest(native, this.order, chunk, (_, indices) => best.push(indices));
    for (const [s, scorer] of this.scorers.entries()) {
      scorer.keep(chunk, (row, kept) => {
        const top = at(best, row);
        const sums = at(this.sums, s);
        sums.recall += common(top, kept) / top.length;
        sums.kept += kept.length / top.length;
      });
    }
    this.count += positions.length;
  }
}

function zeros(scorers: readonly Scorer[]): { recall: number; kept: number }[] {
  return scorers.map(() => ({ recall: 0, kept: 0 }));
}

/** How many values two ascending lists have in common. */
function common(a: Int32Array, b: Int32Array): number {
  let found = 0;
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const difference = (a[i] ?? 0) - (b[j] ?? 0);
    if (difference === 0) found++;
    if (difference <= 0) i++;
    if (difference >= 0) j++;
  }
  return found;
}

/** rows minus their mean, both [rows, width] */
function subtractMean(rows: Float32Array, out: Float32Array, width: number): void {
  const mean = new Float64Array(width);
  for (let i = 0; i < rows.length; i++) mean[i % width] = (mean[i % width] ?? 0) + (rows[i] ?? 0);
  const count = rows.length / width;
  for (let i = 0; i < rows.length; i++) out[i] = (rows[i] ?? 0) - (mean[i % width] ?? 0) / count;
}
