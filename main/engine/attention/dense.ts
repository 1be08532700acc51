/** Causal dense attention in float. */
import type { NativeAddon } from '../../../native/js/index.ts';
import { windowOf } from '../model/config.ts';
import type { HeadMemory } from './head-memory.ts';
import type { AttentionPass } from './pass.ts';

/** Output of one query head for rows [first, end) of the pass, into its columns of `att`. */
export function attendDense(
  native: NativeAddon,
  memory: HeadMemory,
  pass: AttentionPass,
  head: number,
  first: number,
  end: number,
): void {
  const { headDim } = memory.model.shape;
  const { k, v } = memory.kv(pass.layer, memory.kvHeadOf(head));
  const size = (pass.nPast + end) * headDim;
  const shape = {
    rows: end - first,
    nPast: pass.nPast + first,
    headDim,
    outStride: memory.outStride,
    scale: memory.model.scale,
    window: windowOf(memory.model.shape, pass.layer),
  };
  const q = memory.queries(pass, head, first, end);
  const out = memory.outputs(head, first, end);
  const place = { layer: pass.layer, head, heads: 1, position: shape.nPast, rows: shape.rows };
  memory.recorder.time('dense', place, () =>
    native.fullAttention(q, k.subarray(0, size), v.subarray(0, size), out, shape),
  );
}
