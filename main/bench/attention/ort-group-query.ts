/**
 * ONNX Runtime's attention operator GroupQueryAttention (com.microsoft, float32, CPU) on the captured heads, for comparison.
 * It is used at its best: all heads of a layer in one run, and the cache grown in place, since past and present are the same
 * memory. Causal as ours.
 */
import type { NativeAddon, Session, Tensor } from '../../../native/js/index.ts';
import { at, kvHeadViews } from '../../engine/attention/layer-views.ts';
import { CONTRIB, GraphBuilder } from '../../engine/graph/onnx.ts';
import type { AttentionShape } from '../../engine/session/shared-model.ts';
import { type Captured, queriesAt, ROWS } from './capture.ts';
import { openBytes } from './ort-session.ts';

export class OrtGroupQuery {
  private readonly session: Session;
  /** Inputs and outputs of one layer's run; the cache is among both. */
  private readonly layers: { inputs: Tensor[]; outputs: Tensor[] }[];
  private readonly out: Float32Array;

  /** @param n keys that the last row sees */
  constructor(native: NativeAddon, captured: Captured, threads: number, n: number) {
    const { shape, scale } = captured.model;
    this.session = openBytes(native, groupQueryGraph(shape, scale), threads);
    this.out = new Float32Array(ROWS * shape.nHead * shape.headDim);
    const out = { data: this.out, dims: [1, ROWS, shape.nHead * shape.headDim] };
    this.layers = queriesAt(captured, n).map((queries, layer) => layerTensors(captured, layer, queries, n, out));
  }

  /** Attention of every captured layer. */
  run(): void {
    for (const { inputs, outputs } of this.layers) this.session.run(inputs, outputs);
  }

  /** Of the last layer, [ROWS, nHead, headDim]. */
  get output(): Float32Array {
    return this.out;
  }

  close(): void {
    this.session.close();
  }
}

function layerTensors(captured: Captured, layer: number, queries: Float32Array, n: number, out: Tensor) {
  const { model } = captured;
  const { nHead, nHeadKv, headDim } = model.shape;
  const kvHeads = Array.from({ length: nHeadKv }, (_, kvHead) => kvHeadViews(model, layer, kvHead));
  /** One after the other: [nHeadKv, n, headDim]. */
  const cacheOf = (name: 'k' | 'v'): Tensor => {
    const data = new Float32Array(nHeadKv * n * headDim);
    for (const [i, head] of kvHeads.entries()) data.set(head[name].subarray(0, n * headDim), i * n * headDim);
    return { data, dims: [1, nHeadKv, n, headDim] };
  };
  const chunkOf = (name: 'k' | 'v'): Tensor =>
    byRows(kvHeads.map((head) => head[name].subarray((n - ROWS) * headDim, n * headDim)));
  const [pastKey, pastValue] = [cacheOf('k'), cacheOf('v')];
  const whole = (value: number): Tensor => ({ data: Int32Array.of(value), dims: [1] });
  const q = Array.from({ length: nHead }, (_, h) => queries.subarray(h * ROWS * headDim, (h + 1) * ROWS * headDim));
  return {
    // The operator wants the number of keys before the last one, and the number of all.
    inputs: [byRows(q), chunkOf('k'), chunkOf('v'), pastKey, pastValue, whole(n - 1), whole(n)],
    outputs: [out, pastKey, pastValue],
  };
}

/** Heads [ROWS, headDim] side by side: [1, ROWS, heads * headDim]. */
function byRows(heads: readonly Float32Array[]): Tensor {
  const headDim = at(heads, 0).length / ROWS;
  const width = heads.length * headDim;
  const data = new Float32Array(ROWS * width);
  for (const [h, values] of heads.entries()) {
    for (let r = 0; r < ROWS; r++) data.set(values.subarray(r * headDim, (r + 1) * headDim), r * width + h * headDim);
  }
  return { data, dims: [1, ROWS, width] };
}

/** A layer: q, k, v of a chunk [1, rows, heads * headDim] and the cache [1, nHeadKv, keys, headDim] -> out like q, cache. */
function groupQueryGraph({ nHead, nHeadKv, headDim }: AttentionShape, scale: number): Uint8Array {
  const g = new GraphBuilder();
  const cache = [1, nHeadKv, 'keys', headDim];
  const inputs = [
    g.input('q', [1, 'rows', nHead * headDim]),
    g.input('k', [1, 'rows', nHeadKv * headDim]),
    g.input('v', [1, 'rows', nHeadKv * headDim]),
    g.input('past_key', cache),
    g.input('past_value', cache),
    g.input('last_key', [1], 'int32'),
    g.input('all_keys', [1], 'int32'),
  ];
  const outputs = ['out', 'present_key', 'present_value'];
  g.nodes('GroupQueryAttention', inputs, outputs.length, {
    domain: CONTRIB,
    attributes: { num_heads: { int: nHead }, kv_num_heads: { int: nHeadKv }, scale: { float: scale } },
    outputs,
  });
  g.output('out', [1, 'rows', nHead * headDim]);
  for (const name of outputs.slice(1)) g.output(name, cache);
  return g.encode();
}
