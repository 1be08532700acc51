/** The graphs of a decoder: blocks between two attentions, and the head. manifest.ts says what each takes and gives. */
import { addLinear, int64, type Linear } from './linear.ts';
import { type Extent, GraphBuilder, type Region } from './onnx.ts';

/** Weights of one layer. Projections in several parts have their outputs concatenated in the order given. */
export interface LayerWeights {
  /** float32 [nEmbd] */
  attnNorm: Region;
  /** Query, key and value rows, together [(nHead + 2 * nHeadKv) * headDim, nEmbd]. */
  qkv: Linear[];
  /** [nEmbd, nHead * headDim] */
  out: Linear;
  /** float32 [nEmbd] */
  ffnNorm: Region;
  /** Gate and up as one [2 * nFf, nEmbd] or as two [nFf, nEmbd]. */
  gateUp: Linear[];
  /** [nEmbd, nFf] */
  down: Linear;
}

export interface BlockShape {
  nEmbd: number;
  nHead: number;
  nHeadKv: number;
  headDim: number;
  rmsEps: number;
}

/** Dynamic extent of all graphs: tokens of a run. */
const ROWS: Extent = 'rows';

/**
 * The graph between two attentions: output part of layer `before`, projections of layer `after`; null at the ends.
 * With `stats` it has, after the others, extra outputs stat_qkv, stat_out, stat_gate_up [1, channels]: max |x| over the
 * rows of what enters that projection, for those that the block has.
 */
export function blockGraph(
  shape: BlockShape,
  before: LayerWeights | null,
  after: LayerWeights | null,
  options: { stats: boolean },
): Uint8Array {
  const g = new GraphBuilder();
  const entering: { name: string; x: string; channels: number }[] = [];
  const stat = (name: string, x: string, channels: number) => entering.push({ name, x, channels });
  const att = before === null ? null : g.input('att', [ROWS, shape.nHead * shape.headDim]);
  let x = g.input('x', [ROWS, shape.nEmbd]);

  if (before !== null && att !== null) {
    stat('stat_out', att, before.out.cols);
    const x1 = g.node('Add', [addLinear(g, 'out', att, before.out), x]);
    const h = addRmsNorm(g, 'ffn_norm', x1, before.ffnNorm, shape);
    stat('stat_gate_up', h, shape.nEmbd);
    const act = addSwiGlu(g, h, before.gateUp);
    x = g.node('Add', [addLinear(g, 'down', act, before.down), x1], { output: 'y' });
    g.output('y', [ROWS, shape.nEmbd]);
  }

  if (after !== null) {
    const h = addRmsNorm(g, 'attn_norm', x, after.attnNorm, shape);
    stat('stat_qkv', h, shape.nEmbd);
    const parts = after.qkv.map((w, i) => addLinear(g, `qkv${i}`, h, w));
    g.node('Concat', parts, { attributes: { axis: { int: 1 } }, output: 'qkv' });
    g.output('qkv', [ROWS, (shape.nHead + 2 * shape.nHeadKv) * shape.headDim]);
  }
  if (options.stats) for (const { name, x, channels } of entering) addStat(g, name, x, channels);
  return g.encode();
}

/** x [rows, nEmbd] -> logits [rows, nVocab], final norm included. */
export function headGraph(shape: BlockShape, norm: Region, head: Linear): Uint8Array {
  const g = new GraphBuilder();
  const x = g.input('x', [ROWS, shape.nEmbd]);
  const h = addRmsNorm(g, 'output_norm', x, norm, shape);
  g.node('Identity', [addLinear(g, 'head', h, head)], { output: 'logits' });
  g.output('logits', [ROWS, head.rows]);
  return g.encode();
}

/** x / sqrt(mean(x^2) + eps) * weight, in standard operators that ORT fuses into one. */
function addRmsNorm(g: GraphBuilder, name: string, x: string, weight: Region, shape: BlockShape): string {
  const two = g.constant('two', 'float32', [], new Float32Array([2]));
  const eps = g.constant('eps', 'float32', [], new Float32Array([shape.rmsEps]));
  const axis = g.constant('axis-1', 'int64', [1], int64([-1]));
  const mean = g.node('ReduceMean', [g.node('Pow', [x, two]), axis], { attributes: { keepdims: { int: 1 } } });
  const root = g.node('Sqrt', [g.node('Add', [mean, eps])]);
  const w = g.external(name, 'float32', [shape.nEmbd], weight);
  return g.node('Mul', [g.node('Div', [x, root]), w]);
}

/** silu(gate) * up */
function addSwiGlu(g: GraphBuilder, h: string, weights: Linear[]): string {
  const parts = weights.map((w, i) => addLinear(g, `gate_up${i}`, h, w));
  const [first, second] = parts;
  if (first === undefined) throw new Error('a gated MLP needs weights');
  const [gate, up] =
    second === undefined
      ? g.nodes('Split', [first], 2, { attributes: { axis: { int: -1 }, num_outputs: { int: 2 } } })
      : [first, second];
  if (gate === undefined || up === undefined) throw new Error('a gated MLP needs a gate and an up part');
  return g.node('Mul', [g.node('Mul', [gate, g.node('Sigmoid', [gate])]), up]);
}

function addStat(g: GraphBuilder, name: string, x: string, channels: number): void {
  const axis = g.constant('axis0', 'int64', [1], int64([0]));
  g.node('ReduceMax', [g.node('Abs', [x]), axis], { attributes: { keepdims: { int: 1 } }, output: name });
  g.output(name, [1, channels]);
}
