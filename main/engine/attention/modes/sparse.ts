/** `sparse`: exact top-k by float scores, float attention over the kept keys. Shows what dropping costs without INT8. */
import type { NativeAddon } from '../../../../native/js/index.ts';
import type { HeadMemory } from '../head-memory.ts';
import { fillKeepCounts } from '../keep-count.ts';
import { grown } from '../kept-keys.ts';
import { type AttentionPass, type ModeAttention, TILE_ROWS } from '../pass.ts';

export class Sparse implements ModeAttention {
  private readonly native: NativeAddon;
  private readonly memory: HeadMemory;
  private readonly counts = new Int32Array(TILE_ROWS);
  private order = new Int32Array(0);
  private indices = new Int32Array(0);

  constructor(native: NativeAddon, memory: HeadMemory) {
    this.native = native;
    this.memory = memory;
  }

  /** Nothing is shared: scores are float and belong to one head. */
  prepare(): void {}

  attend(pass: AttentionPass, head: number, first: number, end: number): void {
    const { native, memory } = this;
    const { scale, shape: model } = memory.model;
    const { headDim } = model;
    const views = memory.kv(pass.layer, memory.kvHeadOf(head));
    const rows = end - first;
    const nPast = pass.nPast + first;
    const keys = pass.nPast + end;
    fillKeepCounts(this.counts, { ratio: memory.ratio(pass, head), minKeys: pass.rule.minKeys, nPast, rows });
    const counts = this.counts.subarray(0, rows);
    // Counts never fall from row to row, so the last is the widest.
    const indexLd = counts[rows - 1] ?? 0;
    this.order = grown(this.order, rows * keys);
    this.indices = grown(this.indices, rows * indexLd);

    const q = memory.queries(pass, head, first, end);
    const k = views.k.subarray(0, keys * headDim);
    const v = views.v.subarray(0, keys * headDim);
    const place = { layer: pass.layer, head, heads: 1, position: nPast, rows };
    const { recorder, keptCounts } = memory;
    recorder.time('pilot', place, () => native.scoreOrder(q, k, this.order, { rows, nPast, headDim, ld: keys, scale }));
    recorder.time('topk', place, () => {
      native.topk(this.order, counts, this.indices, { rows, nPast, ld: keys, indexLd });
      keptCounts.count(pass.layer, head, nPast, first, { indices: this.indices, counts, indexLd });
    });
    const out = memory.outputs(head, first, end);
    const shape = { rows, headDim, indexLd, outStride: memory.outStride, scale };
    recorder.time('sparse', place, () => native.sparseAttention(q, k, v, this.indices, counts, out, shape));
  }
}
