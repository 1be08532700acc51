/**
 * ONNX Runtime's attention operator MultiHeadAttention (com.microsoft, float32, CPU) on the captured heads, for comparison.
 * It has no causal form for a chunk after a past: its rows see all n keys, at most ROWS - 1 more than ours.
 */
import type { NativeAddon, Session } from '../../../native/js/index.ts';
import { kvHeadViews } from '../../engine/attention/layer-views.ts';
import { CONTRIB, GraphBuilder } from '../../engine/graph/onnx.ts';
import { type Captured, queriesAt, ROWS } from './capture.ts';
import { openBytes } from './ort-session.ts';

export class OrtMultiHead {
  private readonly captured: Captured;
  private readonly session: Session;
  private readonly out: Float32Array;

  constructor(native: NativeAddon, captured: Captured, threads: number) {
    this.captured = captured;
    const { headDim } = captured.model.shape;
    this.out = new Float32Array(ROWS * headDim);
    this.session = openBytes(native, multiHeadGraph(headDim, captured.model.scale), threads);
  }

  /** Attention of every captured head over n keys, head by head as the engine does it. */
  run(n: number): void {
    const { model } = this.captured;
    const { nHead, nHeadKv, headDim } = model.shape;
    for (const [layer, queries] of queriesAt(this.captured, n).entries()) {
      for (let head = 0; head < nHead; head++)
        this.head(layer, head, Math.floor((head * nHeadKv) / nHead), queries, n, headDim);
    }
  }

  /** Output of the last head that ran, [ROWS, headDim]. */
  get output(): Float32Array {
    return this.out;
  }

  close(): void {
    this.session.close();
  }

  private head(layer: number, head: number, kvHead: number, queries: Float32Array, n: number, headDim: number): void {
    const { k, v } = kvHeadViews(this.captured.model, layer, kvHead);
    const q = queries.subarray(head * ROWS * headDim, (head + 1) * ROWS * headDim);
    this.session.run(
      [
        { data: q, dims: [1, ROWS, headDim] },
        { data: k.subarray(0, n * headDim), dims: [1, n, headDim] },
        { data: v.subarray(0, n * headDim), dims: [1, n, headDim] },
      ],
      [{ data: this.out, dims: [1, ROWS, headDim] }],
    );
  }
}

/** One head: q [1, rows, headDim], k and v [1, keys, headDim] -> out [1, rows, headDim]. */
function multiHeadGraph(headDim: number, scale: number): Uint8Array {
  const g = new GraphBuilder();
  const inputs = [
    g.input('q', [1, 'rows', headDim]),
    g.input('k', [1, 'keys', headDim]),
    g.input('v', [1, 'keys', headDim]),
  ];
  g.node('MultiHeadAttention', inputs, {
    domain: CONTRIB,
    attributes: { num_heads: { int: 1 }, scale: { float: scale } },
    output: 'out',
  });
  g.output('out', [1, 'rows', headDim]);
  return g.encode();
}
