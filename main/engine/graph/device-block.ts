/**
 * Linear blocks for NPUs and GPUs: cut where blocks.ts cuts, with the same float inputs and outputs, static shapes, and one of
 * the roundings of device-flavours.ts. Residual and normalisation stay floats.
 */
import { addBiasAndHeadNorm, type BlockShape, type LayerWeights } from './blocks.ts';
import { FLAVOUR_FORMS, type LinearFlavour } from './device-flavours.ts';
import { int64 } from './linear.ts';
import { GraphBuilder, type Region } from './onnx.ts';

/** y = x W^T */
export interface DeviceProjection {
  /** Output and input channels. */
  rows: number;
  cols: number;
  /** Transposed, [cols, rows], in the flavour's type. */
  weight: Region;
  /** float32 [rows]; null for float16. */
  scale: Region | null;
  /** Greatest |y| that is expected. Positive. */
  range: number;
}

export interface DeviceLayer {
  /** float32 [nEmbd] */
  attnNorm: Region;
  ffnNorm: Region;
  query: DeviceProjection;
  key: DeviceProjection;
  value: DeviceProjection;
  qkvBias: LayerWeights['qkvBias'];
  headNorm: LayerWeights['headNorm'];
  postNorm: LayerWeights['postNorm'];
  out: DeviceProjection;
  gate: DeviceProjection;
  up: DeviceProjection;
  down: DeviceProjection;
  /**
   * Greatest |x| that is expected of what enters the two normalisations; query, key and value; out; gate and up; down.
   * Positive.
   */
  ranges: { attnNorm: number; ffnNorm: number; qkv: number; attention: number; gateUp: number; act: number };
}

/**
 * Session config entries that these graphs need. They matter on the processor only: there, on x64 without VNNI, 8 bit products
 * would saturate at 16 bits; ORT then turns the weights unsigned.
 */
export const DEVICE_SESSION_CONFIG: Readonly<Record<string, string>> = { 'session.x64quantprecision': '1' };

/** How much more than the greatest measured value 16 bit integers can hold: a bit is little to them, and text differs. */
const HEADROOM = 1.5;
/** Divisors of rows are at least this, which half precision can still divide by. */
const SMALLEST_DIVISOR = 1 / 8192;

/**
 * The graph between two attentions for exactly `rows` tokens; `before` and `after` as in blockGraph, null at the ends.
 * Inputs att [rows, nHead * headDim] (not in the first block) and x [rows, nEmbd]; outputs y [rows, nEmbd] (not in the first)
 * and qkv [rows, (nHead + 2 * nHeadKv) * headDim] (not in the last), all float32.
 */
export function deviceBlock(
  shape: BlockShape,
  flavour: LinearFlavour,
  rows: number,
  before: DeviceLayer | null,
  after: DeviceLayer | null,
): Uint8Array {
  const { nEmbd, nHead, nHeadKv, headDim } = shape;
  const block = new BlockWriter(shape, flavour);
  const { g } = block;
  const att = before === null ? null : g.input('att', [rows, nHead * headDim]);
  let x = g.input('x', [rows, nEmbd]);

  if (before !== null && att !== null) {
    const { ranges } = before;
    const out = block.project('out', block.enter('att', att, ranges.attention), before.out);
    const { postNorm } = before;
    const post = (name: string, y: string, weight: Region | undefined, range: number) =>
      weight === undefined ? y : block.norm(name, y, weight, range);
    const attended = post('post_attention_norm', block.leave(out), postNorm?.attention, before.out.range);
    const x1 = g.node('Add', [attended, x]);
    const h = block.enter('gate_up', block.norm('ffn_norm', x1, before.ffnNorm, ranges.ffnNorm), ranges.gateUp);
    const act = block.gatedUp(block.project('gate', h, before.gate), block.project('up', h, before.up), before);
    const down = block.project('down', block.enter('act', act, ranges.act), before.down);
    const made = post('post_ffw_norm', block.leave(down), postNorm?.ffn, before.down.range);
    x = g.node('Add', [made, x1], { output: 'y' });
    g.output('y', [rows, nEmbd]);
  }
  if (after !== null) {
    const h = block.enter('qkv', block.norm('attn_norm', x, after.attnNorm, after.ranges.attnNorm), after.ranges.qkv);
    const parts = (['query', 'key', 'value'] as const).map((name) => block.leave(block.project(name, h, after[name])));
    const products = g.node('Concat', parts, { attributes: { axis: { int: 1 } } });
    g.node('Identity', [addBiasAndHeadNorm(g, products, after, shape)], { output: 'qkv' });
    g.output('qkv', [rows, (nHead + 2 * nHeadKv) * headDim]);
  }
  return g.encode();
}

/** A value on its way into projections. */
interface Entered {
  x: string;
  /** What its rows were divided by, where they were. */
  divisor?: string;
}

class BlockWriter {
  readonly g = new GraphBuilder();
  private readonly shape: BlockShape;
  private readonly form: (typeof FLAVOUR_FORMS)[LinearFlavour];

  constructor(shape: BlockShape, flavour: LinearFlavour) {
    this.shape = shape;
    this.form = FLAVOUR_FORMS[flavour];
  }

  /** Rounds what enters one or several projections. `range`: greatest |x|. */
  enter(name: string, x: string, range: number): Entered {
    const { g } = this;
    switch (this.form.activations) {
      case 'uint16':
        return { x: this.round16(`${name}.in`, x, range) };
      case 'uint8':
        return { x: this.round8(`${name}.in`, x, range / 127) };
      case 'rows': {
        const divisor = this.greatest(x);
        return { x: this.round8('unit', g.node('Div', [x, divisor]), 1 / 127), divisor };
      }
      case 'float16':
        return { x: this.cast(x, FLOAT16) };
    }
  }

  /** y = x W^T in the flavour's type between projections; `leave` makes a float32 of it. */
  project(name: string, { x, divisor }: Entered, w: DeviceProjection): string {
    const { g } = this;
    const y = g.node('MatMul', [x, this.weight(name, w)]);
    if (divisor !== undefined) return g.node('Mul', [y, divisor]);
    return this.form.activations === 'uint16' ? this.round16(`${name}.out`, y, w.range) : y;
  }

  leave(y: string): string {
    return this.form.activations === 'float16' ? this.cast(y, FLOAT32) : y;
  }

  /**
   * x / sqrt(mean(x^2) + eps) * weight, computed on x times a power of two that brings the greatest |x| to 8 to 16: the
   * residual reaches thousands, and half precision ends at 65504. Squares of values 16 times as great still fit.
   */
  norm(name: string, x: string, weight: Region, range: number): string {
    const { g } = this;
    const factor = 2 ** (4 - Math.ceil(Math.log2(range)));
    const u = g.node('Mul', [x, this.float(`${name}.factor`, factor)]);
    const mean = g.node('ReduceMean', [g.node('Mul', [u, u]), this.lastAxis()], {
      attributes: { keepdims: { int: 1 } },
    });
    const eps = this.float(`${name}.eps`, this.shape.rmsEps * factor ** 2);
    const root = g.node('Sqrt', [g.node('Add', [mean, eps])]);
    return g.node('Mul', [g.node('Div', [u, root]), g.external(name, 'float32', [this.shape.nEmbd], weight)]);
  }

  /** silu(gate) * up */
  gatedUp(gate: string, up: string, layer: DeviceLayer): string {
    const { g } = this;
    const sigmoid = g.node('Sigmoid', [this.shape.activation === 'gelu' ? this.geluArgument(gate) : gate]);
    if (this.form.activations !== 'uint16') {
      return this.leave(g.node('Mul', [g.node('Mul', [gate, sigmoid]), up]));
    }
    const scale = this.float('sigmoid.scale', 1 / 65536);
    const zero = g.constant('sigmoid.zero', 'uint16', [], Uint16Array.of(0));
    const rounded = this.round(sigmoid, scale, zero);
    const activated = this.round16('activated', g.node('Mul', [gate, rounded]), layer.gate.range);
    return g.node('Mul', [activated, up]);
  }

  /** t(x) with x * sigmoid(t) = GELU(x) in its tanh form: 2 * sqrt(2 / pi) * (x + 0.044715 x^3). */
  private geluArgument(x: string): string {
    const { g } = this;
    const factor = 2 * Math.sqrt(2 / Math.PI);
    const [linear, cubic] = [factor, factor * 0.044715].map((value, i) =>
      this.form.activations === 'float16'
        ? this.cast(this.float(`gelu.${i}`, value), FLOAT16)
        : this.float(`gelu.${i}`, value),
    ) as [string, string];
    const t = g.node('Mul', [x, g.node('Add', [g.node('Mul', [g.node('Mul', [x, x]), cubic]), linear])]);
    // Beyond 16 the sigmoid is 0 or 1.
    return this.form.activations === 'uint16' ? this.round16('gelu', t, 16) : t;
  }

  private weight(name: string, { rows, cols, weight, scale }: DeviceProjection): string {
    const { g } = this;
    const type = this.form.weights;
    const stored = g.external(`${name}.weight`, type, [cols, rows], weight);
    if (type === 'float16') return stored;
    if (scale === null) throw new Error(`${name} has no scales`);
    const zeros = new Int8Array(type === 'int4' ? Math.ceil(rows / 2) : rows);
    return g.node(
      'DequantizeLinear',
      [stored, g.external(`${name}.scale`, 'float32', [rows], scale), g.constant(`${name}.zero`, type, [rows], zeros)],
      { attributes: { axis: { int: 1 } } },
    );
  }

  private round16(name: string, x: string, range: number): string {
    const zero = this.g.constant('zero16', 'uint16', [], Uint16Array.of(32768));
    return this.round(x, this.float(`${name}.scale`, (range * HEADROOM) / 32767), zero);
  }

  private round8(name: string, x: string, scale: number): string {
    const zero = this.g.constant('zero8', 'uint8', [], Uint8Array.of(128));
    return this.round(x, this.float(`${name}.scale`, scale), zero);
  }

  private round(x: string, scale: string, zero: string): string {
    return this.g.node('DequantizeLinear', [this.g.node('QuantizeLinear', [x, scale, zero]), scale, zero]);
  }

  /** max |x| of each row [rows, 1], kept away from 0. */
  private greatest(x: string): string {
    const max = this.g.node('ReduceMax', [this.g.node('Abs', [x]), this.lastAxis()], {
      attributes: { keepdims: { int: 1 } },
    });
    return this.g.node('Max', [max, this.float('smallest', SMALLEST_DIVISOR)]);
  }

  private lastAxis(): string {
    return this.g.constant('axis-1', 'int64', [1], int64([-1]));
  }

  private float(name: string, value: number): string {
    return this.g.constant(name, 'float32', [], Float32Array.of(value));
  }

  private cast(x: string, to: number): string {
    return this.g.node('Cast', [x], { attributes: { to: { int: to } } });
  }
}

/** TensorProto.DataType, as Cast takes it. */
const FLOAT32 = 1;
const FLOAT16 = 10;
