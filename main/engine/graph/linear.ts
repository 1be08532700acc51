/** Matrix products y = x W^T as ONNX nodes, one form for each way in which weights are stored. */
import type { WeightFlavour } from '../../../contract/engine.ts';
import { CONTRIB, type GraphBuilder, type Region } from './onnx.ts';

/**
 * Weights of a projection with `rows` output and `cols` input channels.
 * float32: [rows, cols].
 * blocks: value = (q - 128) * scale + add; q uint8 [rows, cols], scale and add float32 [rows, cols / blockSize];
 *   `zero` holds rows * cols / blockSize bytes of 128. accuracy 0 multiplies in float32, 4 rounds activations to 8 bits.
 * rowInt8: value = q * scale; q int8 [cols, rows] (transposed), scale float32 [groups, rows]: input channels fall into
 *   `groups` runs of equal length, each with a scale per output channel. Activations are rounded to 8 bits with one scale
 *   per row of x and group. |q| of input channels 2i and 2i + 1 of a group add up to at most 128, or x64 without VNNI
 *   saturates.
 */
export type Linear =
  | { kind: 'float32'; rows: number; cols: number; weight: Region }
  | {
      kind: 'blocks';
      rows: number;
      cols: number;
      blockSize: number;
      q: Region;
      scale: Region;
      zero: Region;
      add: Region | null;
      accuracy: 0 | 4;
    }
  | { kind: 'rowInt8'; rows: number; cols: number; groups: number; q: Region; scale: Region };

/**
 * Session config entries that graphs of this file need. `fast`: no pair of its weights can saturate (see rowInt8), so x64
 * without VNNI may multiply them signed, which is up to 1.5 times as fast. `exact`: nothing is computed in 8 bits, and
 * only without its QDQ passes does ORT fold the unpacking of weights.
 */
export const LINEAR_SESSION_CONFIG: Readonly<Record<WeightFlavour, Readonly<Record<string, string>>>> = {
  fast: { 'session.x64quantprecision': '0' },
  exact: { 'session.disable_quant_qdq': '1' },
};

/** Adds y [n, rows] = x [n, cols] W^T and returns its name. `name` must be unique in the graph. */
export function addLinear(g: GraphBuilder, name: string, x: string, w: Linear): string {
  if (w.kind === 'float32') return addFloat(g, name, x, w);
  return w.kind === 'blocks' ? addBlocks(g, name, x, w) : addRowInt8(g, name, x, w);
}

function addFloat(g: GraphBuilder, name: string, x: string, w: Linear & { kind: 'float32' }): string {
  const weight = g.external(`${name}.weight`, 'float32', [w.rows, w.cols], w.weight);
  return g.node('Gemm', [x, weight], { attributes: { transB: { int: 1 } } });
}

function addBlocks(g: GraphBuilder, name: string, x: string, w: Linear & { kind: 'blocks' }): string {
  const { rows, cols, blockSize } = w;
  const blocks = cols / blockSize;
  const scale = g.external(`${name}.scale`, 'float32', [rows, blocks], w.scale);
  // Explicit, since runtimes differ on the default.
  const zero = g.external(`${name}.zero`, 'uint8', [rows, blocks], w.zero);
  const product =
    w.accuracy === 0 ? addFloatBlocks(g, name, x, w, [scale, zero]) : addInt8Blocks(g, name, x, w, [scale, zero]);
  if (w.add === null) return product;
  // sum_b add[b] * (sum of x over block b): exact, and a blockSize-th of the product's work.
  const shape = g.constant(`blocks.${cols}.${blockSize}`, 'int64', [3], int64([0, blocks, blockSize]));
  const sums = g.node('ReduceSum', [g.node('Reshape', [x, shape]), g.constant('axis2', 'int64', [1], int64([2]))], {
    attributes: { keepdims: { int: 0 } },
  });
  const add = g.external(`${name}.add`, 'float32', [rows, blocks], w.add);
  return g.node('Gemm', [sums, add, product], { attributes: { transB: { int: 1 } } });
}

/**
 * Float activations: ORT unpacks the constant weights once, when the session opens. MatMulNBits with accuracy_level 0
 * would unpack them in every run, which takes 12 times as long for a single row.
 */
function addFloatBlocks(
  g: GraphBuilder,
  name: string,
  x: string,
  w: Linear & { kind: 'blocks' },
  scales: string[],
): string {
  const q = g.external(`${name}.q`, 'uint8', [w.rows, w.cols], w.q);
  const weight = g.node('DequantizeLinear', [q, ...scales], {
    attributes: { axis: { int: 1 }, block_size: { int: w.blockSize } },
  });
  return g.node('Gemm', [x, weight], { attributes: { transB: { int: 1 } } });
}

function addInt8Blocks(
  g: GraphBuilder,
  name: string,
  x: string,
  w: Linear & { kind: 'blocks' },
  scales: string[],
): string {
  const q = g.external(`${name}.q`, 'uint8', [w.rows, w.cols / w.blockSize, w.blockSize], w.q);
  return g.node('MatMulNBits', [x, q, ...scales], {
    domain: CONTRIB,
    attributes: {
      K: { int: w.cols },
      N: { int: w.rows },
      bits: { int: 8 },
      block_size: { int: w.blockSize },
      accuracy_level: { int: w.accuracy },
    },
  });
}

function addRowInt8(g: GraphBuilder, name: string, x: string, w: Linear & { kind: 'rowInt8' }): string {
  const { rows, groups } = w;
  if (groups === 1) return addInt8Group(g, name, x, w);
  const cols = w.cols / groups;
  return g
    .nodes('Split', [x], groups, { attributes: { axis: { int: -1 }, num_outputs: { int: groups } } })
    .map((part, i) =>
      addInt8Group(g, `${name}.${i}`, part, { rows, cols, q: cut(w.q, i, groups), scale: cut(w.scale, i, groups) }),
    )
    .reduce((sum, product) => g.node('Add', [sum, product]));
}

/** Part `index` of `count` equal ones. */
function cut(region: Region, index: number, count: number): Region {
  const bytes = region.bytes / count;
  return { ...region, offset: region.offset + index * bytes, bytes };
}

type Int8Group = Pick<Linear & { kind: 'rowInt8' }, 'rows' | 'cols' | 'q' | 'scale'>;

function addInt8Group(g: GraphBuilder, name: string, x: string, w: Int8Group): string {
  const axis = g.constant('axis-1', 'int64', [1], int64([-1]));
  const r = g.node('ReduceMax', [g.node('Abs', [x]), axis], { attributes: { keepdims: { int: 1 } } });
  // x / r is in -1 .. 1, so that one static scale fits every row and its largest value is met exactly. In a row of zeros
  // it is not a number, which rounds to some 8-bit value, and r makes that 0 again.
  const scale = g.constant('unit.scale', 'float32', [], new Float32Array([1 / 127]));
  const zero = g.constant('unit.zero', 'uint8', [], new Uint8Array([128]));
  const x8 = g.node('QuantizeLinear', [g.node('Div', [x, r]), scale, zero]);
  const weight = g.node(
    'DequantizeLinear',
    [
      g.external(`${name}.q`, 'int8', [w.cols, w.rows], w.q),
      g.external(`${name}.scale`, 'float32', [w.rows], w.scale),
      g.constant(`${name}.zero`, 'int8', [w.rows], new Int8Array(w.rows)),
    ],
    { attributes: { axis: { int: 1 } } },
  );
  const y = g.node('MatMul', [g.node('DequantizeLinear', [x8, scale, zero]), weight]);
  return g.node('Mul', [y, r]);
}

/** int64 data for axes and shapes. */
export function int64(values: number[]): BigInt64Array {
  return BigInt64Array.from(values, BigInt);
}
