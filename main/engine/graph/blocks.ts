/** The graphs of a decoder: blocks between two attentions, and the head. manifest.ts says what each takes and gives. */
import { addLinear, int64, type Linear } from './linear.ts';
import { type Extent, GraphBuilder, type Region } from './onnx.ts';

/** Weights of one layer. Projections in several parts have their outputs concatenated in the order given. */
export interface LayerWeights {
  /** float32 [nEmbd] */
  attnNorm: Region;
  /** Query, key and value rows, together [(nHead + 2 * nHeadKv) * headDim, nEmbd]. */
  qkv: Linear[];
  /** float32 [(nHead + 2 * nHeadKv) * headDim], added to query, key and value; null: none. */
  qkvBias: Region | null;
  /** float32 [headDim]: weights by which each head's query and key are normalised before rotation; null: they are not. */
  headNorm: { query: Region; key: Region } | null;
  /** float32 [nEmbd]: what normalises the outputs of attention and MLP before they are added; null: nothing. */
  postNorm: { attention: Region; ffn: Region } | null;
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
  activation: 'silu' | 'gelu';
}

/** Dynamic extent of all graphs: tokens of a run. */
const ROWS: Extent = 'rows';

/** Adds an output with max |x| over the rows of a value [rows, channels]. */
type Stat = (name: string, x: string, channels: number) => void;

/**
 * The graph between two attentions: output part of layer `before`, projections of layer `after`; null at the ends.
 * With `stats` it has, after the others, extra outputs [1, channels] with max |x| over the rows: stat_qkv, stat_out,
 * stat_gate_up of what enters that projection, for those that the block has; with 'all' also stat_down, stat_attn_norm and
 * stat_ffn_norm of what enters a normalisation, and with `_y` what leaves a projection: stat_out_y, stat_down_y, and
 * stat_qkv_y and stat_gate_up_y with a number for each part.
 */
export function blockGraph(
  shape: BlockShape,
  before: LayerWeights | null,
  after: LayerWeights | null,
  options: { stats: boolean | 'all' },
): Uint8Array {
  const g = new GraphBuilder();
  const stats: { name: string; x: string; channels: number }[] = [];
  const stat: Stat = (name, x, channels) => {
    if (options.stats) stats.push({ name, x, channels });
  };
  const all: Stat = (name, x, channels) => {
    if (options.stats === 'all') stat(name, x, channels);
  };
  const att = before === null ? null : g.input('att', [ROWS, shape.nHead * shape.headDim]);
  let x = g.input('x', [ROWS, shape.nEmbd]);

  if (before !== null && att !== null) {
    stat('stat_out', att, before.out.cols);
    const out = addLinear(g, 'out', att, before.out);
    all('stat_out_y', out, shape.nEmbd);
    const { postNorm } = before;
    const attended = postNorm ? addRmsNorm(g, 'post_attention_norm', out, postNorm.attention, shape) : out;
    const x1 = g.node('Add', [attended, x]);
    all('stat_ffn_norm', x1, shape.nEmbd);
    const h = addRmsNorm(g, 'ffn_norm', x1, before.ffnNorm, shape);
    stat('stat_gate_up', h, shape.nEmbd);
    const act = addGatedUp(g, h, before.gateUp, shape.activation, all);
    all('stat_down', act, before.down.cols);
    const down = addLinear(g, 'down', act, before.down);
    all('stat_down_y', down, shape.nEmbd);
    const made = postNorm ? addRmsNorm(g, 'post_ffw_norm', down, postNorm.ffn, shape) : down;
    x = g.node('Add', [made, x1], { output: 'y' });
    g.output('y', [ROWS, shape.nEmbd]);
  }

  if (after !== null) {
    all('stat_attn_norm', x, shape.nEmbd);
    const h = addRmsNorm(g, 'attn_norm', x, after.attnNorm, shape);
    stat('stat_qkv', h, shape.nEmbd);
    const parts = after.qkv.map((w, i) => addLinear(g, `qkv${i}`, h, w));
    for (const [i, part] of parts.entries()) all(`stat_qkv_y${i}`, part, after.qkv[i]?.rows ?? 0);
    g.node('Identity', [addBiasAndHeadNorm(g, joined(g, parts), after, shape)], { output: 'qkv' });
    g.output('qkv', [ROWS, (shape.nHead + 2 * shape.nHeadKv) * shape.headDim]);
  }
  for (const { name, x, channels } of stats) addStat(g, name, x, channels);
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

/** What follows the products of query, key and value, [rows, (nHead + 2 * nHeadKv) * headDim], before rotation. */
export function addBiasAndHeadNorm(
  g: GraphBuilder,
  products: string,
  { qkvBias, headNorm }: Pick<LayerWeights, 'qkvBias' | 'headNorm'>,
  shape: BlockShape,
): string {
  const { nHead, nHeadKv, headDim } = shape;
  const width = (nHead + 2 * nHeadKv) * headDim;
  const qkv = qkvBias ? g.node('Add', [products, g.external('qkv_bias', 'float32', [width], qkvBias)]) : products;
  if (headNorm === null) return qkv;
  const widths = g.constant('qkv_widths', 'int64', [3], int64([nHead, nHeadKv, nHeadKv].map((n) => n * headDim)));
  const [query = '', key = '', value = ''] = g.nodes('Split', [qkv, widths], 3, { attributes: { axis: { int: 1 } } });
  return joined(g, [
    addHeadNorm(g, 'query_norm', query, nHead, headNorm.query, shape),
    addHeadNorm(g, 'key_norm', key, nHeadKv, headNorm.key, shape),
    value,
  ]);
}

/** Normalises each of the `heads` heads of x [rows, heads * headDim]. */
function addHeadNorm(
  g: GraphBuilder,
  name: string,
  x: string,
  heads: number,
  weight: Region,
  { headDim, rmsEps }: BlockShape,
): string {
  const apart = g.constant(`${name}.apart`, 'int64', [3], int64([0, heads, headDim]));
  const together = g.constant(`${name}.together`, 'int64', [2], int64([0, heads * headDim]));
  const normalised = addRmsNorm(g, name, g.node('Reshape', [x, apart]), weight, { nEmbd: headDim, rmsEps });
  return g.node('Reshape', [normalised, together]);
}

function joined(g: GraphBuilder, parts: string[]): string {
  const [first = ''] = parts;
  return parts.length === 1 ? first : g.node('Concat', parts, { attributes: { axis: { int: 1 } } });
}

/** x / sqrt(mean(x^2) + eps) * weight, in standard operators that ORT fuses into one. */
function addRmsNorm(
  g: GraphBuilder,
  name: string,
  x: string,
  weight: Region,
  shape: Pick<BlockShape, 'nEmbd' | 'rmsEps'>,
): string {
  const two = g.constant('two', 'float32', [], new Float32Array([2]));
  const eps = g.constant('eps', 'float32', [], new Float32Array([shape.rmsEps]));
  const axis = g.constant('axis-1', 'int64', [1], int64([-1]));
  const mean = g.node('ReduceMean', [g.node('Pow', [x, two]), axis], { attributes: { keepdims: { int: 1 } } });
  const root = g.node('Sqrt', [g.node('Add', [mean, eps])]);
  const w = g.external(name, 'float32', [shape.nEmbd], weight);
  return g.node('Mul', [g.node('Div', [x, root]), w]);
}

/** activation(gate) * up */
function addGatedUp(
  g: GraphBuilder,
  h: string,
  weights: Linear[],
  activation: BlockShape['activation'],
  stat: Stat,
): string {
  const parts = weights.map((w, i) => addLinear(g, `gate_up${i}`, h, w));
  for (const [i, part] of parts.entries()) stat(`stat_gate_up_y${i}`, part, weights[i]?.rows ?? 0);
  const [first, second] = parts;
  if (first === undefined) throw new Error('a gated MLP needs weights');
  const [gate, up] =
    second === undefined
      ? g.nodes('Split', [first], 2, { attributes: { axis: { int: -1 }, num_outputs: { int: 2 } } })
      : [first, second];
  if (gate === undefined || up === undefined) throw new Error('a gated MLP needs a gate and an up part');
  const act =
    activation === 'gelu'
      ? g.node('Gelu', [gate], { attributes: { approximate: { string: 'tanh' } } })
      : g.node('Mul', [gate, g.node('Sigmoid', [gate])]);
  return g.node('Mul', [act, up]);
}

function addStat(g: GraphBuilder, name: string, x: string, channels: number): void {
  const axis = g.constant('axis0', 'int64', [1], int64([0]));
  g.node('ReduceMax', [g.node('Abs', [x]), axis], { attributes: { keepdims: { int: 1 } }, output: name });
  g.output(name, [1, channels]);
}
