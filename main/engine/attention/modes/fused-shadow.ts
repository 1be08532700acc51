/**
 * `shadow` on this processor alone: one native call does scores, selection, tail and sparse attention for all query heads
 * of a KV head, so the work of a group is done by its first head's task.
 */
import type { NativeAddon } from '../../../../native/js/index.ts';
import { stageClock } from '../../telemetry/trace-log.ts';
import type { HeadMemory } from '../head-memory.ts';
import { fillKeepCounts } from '../keep-count.ts';
import { type AttentionPass, type ModeAttention, TILE_ROWS } from '../pass.ts';

/** Of the call's figures: seconds of scores, selection and sparse attention, kept keys; then kept keys of each head. */
const STATS = 4;

export class FusedShadow implements ModeAttention {
  private readonly native: NativeAddon;
  private readonly memory: HeadMemory;
  private readonly counts: Int32Array;
  private readonly stats: Float64Array;

  constructor(native: NativeAddon, memory: HeadMemory) {
    this.native = native;
    this.memory = memory;
    this.counts = new Int32Array(memory.group * TILE_ROWS);
    this.stats = new Float64Array(STATS + memory.group);
  }

  prepare(pass: AttentionPass, kvHead: number): void {
    const { native, memory } = this;
    memory.recordCodes(pass, kvHead, () => {
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
      hitsStride: model.capacity,
    };
    const q = memory.headQueries(pass, head, group).subarray(first * headDim);
    const { codeInts } = memory.state(pass.layer, kvHead);
    const prefix = memory.prefixSums(pass, kvHead, first, end);
    const out = memory.outputs(head, first, end, group);
    const hits = memory.keptCounts.hitsOf(pass.layer, head, first);
    this.stats.fill(0);
    if (model.bf16) {
      const { counts, stats } = this;
      native.shadowAttentionBf16(q, codes, codeFloats, codeInts, kBf16, vBf16, prefix, counts, out, stats, shape, hits);
    } else {
      native.shadowAttention(q, codes, codeFloats, codeInts, k, v, prefix, this.counts, out, this.stats, shape, hits);
    }
    this.record(pass, head, first, rows);
  }

  /** The stages came in pieces, a few rows at a time; they are noted as if each had come at once, one after the other. */
  private record(pass: AttentionPass, head: number, first: number, rows: number): void {
    const [, topk = 0, sparse = 0, kept = 0] = this.stats;
    const { group, keptCounts, recorder } = this.memory;
    const position = pass.nPast + first;
    keptCounts.markRows(pass.layer, position, first, rows);
    for (let h = 0; h < group; h++) keptCounts.add(pass.layer, head + h, this.stats[STATS + h] ?? 0);
    const place = { layer: pass.layer, head, heads: group, position, rows, kept };
    const end = stageClock();
    const chosen = end - 1000 * sparse;
    const scored = chosen - 1000 * topk;
    recorder.add('pilot', place, scored);
    recorder.add('topk', place, chosen);
    recorder.add('sparse', place, end);
  }
}
