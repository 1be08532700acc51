/**
 * `shadow` on this processor alone: one native call does scores, selection, tail and sparse attention for all query heads
 * of a KV head, so the work of a group is done by its first head's task.
 */
import type { NativeAddon } from '../../../../native/js/index.ts';
import type { HeadMemory } from '../head-memory.ts';
import { fillKeepCounts } from '../keep-count.ts';
import { type AttentionPass, type ModeAttention, TILE_ROWS } from '../pass.ts';
import { StageLog, stageClock } from '../pipeline/stage-log.ts';

export class FusedShadow implements ModeAttention {
  private readonly native: NativeAddon;
  private readonly memory: HeadMemory;
  private readonly counts: Int32Array;
  /** Seconds of scores, selection and sparse attention, and kept keys, of one call. */
  private readonly stats = new Float64Array(4);
  private readonly log: StageLog;

  constructor(native: NativeAddon, memory: HeadMemory) {
    this.native = native;
    this.memory = memory;
    this.counts = new Int32Array(memory.group * TILE_ROWS);
    this.log = new StageLog(memory.model.stages);
  }

  prepare(pass: AttentionPass, kvHead: number): void {
    const { native, memory } = this;
    memory.meter.time('pilot', () => {
      memory.updateKeys(native, pass, kvHead);
      memory.copyBf16(native, pass.layer, kvHead, pass.nPast + pass.rows);
    });
  }

  attend(pass: AttentionPass, head: number, first: number, end: number): void {
    const { native, memory } = this;
    const { group, model, outStride } = memory;
    if (head % group !== 0) return;
    const { headDim } = model.shape;
    const kvHead = memory.kvHeadOf(head);
    const { k, v, kBf16, vBf16, codes, codeFloats } = memory.kv(pass.layer, kvHead);
    const rows = end - first;
    const nPast = pass.nPast + first;
    for (let h = 0; h < group; h++) {
      const ratio = memory.ratio(pass, head + h);
      fillKeepCounts(this.counts, { ratio, minKeys: pass.rule.minKeys, nPast, rows }, h * rows);
    }
    const shape = {
      rows,
      nPast,
      headDim,
      heads: group,
      qHeadStride: pass.rows * headDim,
      outStride,
      scale: model.scale,
      reach: pass.rule.reach,
      tail: pass.rule.tail,
      share: pass.rule.sharing,
    };
    const q = memory.headQueries(pass, head, group).subarray(first * headDim);
    const { codeInts } = memory.state(pass.layer, kvHead);
    const prefix = memory.prefixSums(pass, kvHead, first, end);
    const out = memory.outputs(head, first, end, group);
    this.stats.fill(0);
    const start = stageClock();
    if (model.bf16) {
      const { counts, stats } = this;
      native.shadowAttentionBf16(q, codes, codeFloats, codeInts, kBf16, vBf16, prefix, counts, out, stats, shape);
    } else {
      native.shadowAttention(q, codes, codeFloats, codeInts, k, v, prefix, this.counts, out, this.stats, shape);
    }
    this.record(pass, head, first, rows, start);
  }

  private record(pass: AttentionPass, head: number, firstRow: number, rows: number, start: number): void {
    const [pilot = 0, topk = 0, qkv = 0, kept = 0] = this.stats;
    const { meter } = this.memory;
    meter.add('pilot', 1000 * pilot);
    meter.add('topk', 1000 * topk);
    meter.add('sparse', 1000 * qkv);
    const scored = start + 1000 * pilot;
    const chosen = scored + 1000 * topk;
    this.log.add({
      layer: pass.layer,
      head,
      heads: this.memory.group,
      nPast: pass.nPast,
      firstRow,
      rows,
      bucket: 0,
      ratio: this.memory.ratio(pass, head),
      kept,
      launch: { start, end: start },
      pilot: { start, end: scored },
      topk: { start: scored, end: chosen },
      qkv: { start: chosen, end: chosen + 1000 * qkv },
    });
  }
}
