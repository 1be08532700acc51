/**
 * `npu-full`: all of attention in INT8 under static scales of the layer, as an NPU graph without float would do it
 * (reference: npu_full). Shows why only the estimate of scores may be INT8. Computed on the CPU.
 */
import type { NativeAddon } from '../../../../native/js/index.ts';
import type { HeadMemory } from '../head-memory.ts';
import { at } from '../layer-views.ts';
import type { AttentionPass, ModeAttention } from '../pass.ts';
import { exactScale } from '../scale-buckets.ts';

export class NpuFull implements ModeAttention {
  private readonly native: NativeAddon;
  private readonly memory: HeadMemory;

  constructor(native: NativeAddon, memory: HeadMemory) {
    this.native = native;
    this.memory = memory;
  }

  /** Nothing is shared: scales are known before, and rounding K and V costs little beside a tile's scores. */
  prepare(): void {}

  /** Needs `staticRanges` of the model; Forward sees to it. */
  attend(pass: AttentionPass, head: number, first: number, end: number): void {
    const { native, memory } = this;
    const { staticRanges, scale, shape } = memory.model;
    const { headDim } = shape;
    const views = memory.kv(pass.layer, memory.kvHeadOf(head));
    const keys = pass.nPast + end;
    const ranges = at(staticRanges, pass.layer);
    const q = memory.queries(pass, head, first, end);
    const k = views.k.subarray(0, keys * headDim);
    const v = views.v.subarray(0, keys * headDim);
    const out = memory.outputs(head, first, end);
    const place = { layer: pass.layer, head, heads: 1, position: pass.nPast + first, rows: end - first };
    memory.recorder.time('dense', place, () =>
      native.int8Attention(q, k, v, out, {
        rows: end - first,
        nPast: pass.nPast + first,
        headDim,
        outStride: memory.outStride,
        scale,
        lambdaQ: exactScale(ranges.q),
        lambdaK: exactScale(ranges.k),
        lambdaS: exactScale(ranges.scores),
        lambdaV: exactScale(ranges.v),
        lambdaO: exactScale(ranges.out),
      }),
    );
  }
}
