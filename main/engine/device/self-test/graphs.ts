/**
 * The two graphs of the self-test with their inputs and what must come out, computed here in plain arithmetic: what a device
 * and ONNX Runtime's own processor are both held against.
 */
import { scoreRange } from '../../attention/pilot/backend.ts';
import { GraphBuilder } from '../../graph/onnx.ts';
import { OUTPUT_STEPS, pilotGraph, ZERO_POINT } from '../../graph/pilot.ts';

export type Activations = 'uint8' | 'uint16' | 'float32';

export interface TestGraph {
  model: Uint8Array;
  inputs: TestTensor[];
  /** [rows, columns]; exact values in steps of the output, or as they are where that is float. */
  expected: Float64Array;
  output: TestTensor;
  /** Greatest difference to `expected` that rounding explains. */
  tolerance: number;
}

interface TestTensor {
  data: Uint8Array | Uint16Array | Float32Array;
  dims: number[];
}

const HEADS = 2;
const ROWS = 128;
const HEAD_DIM = 64;
const KEYS = 512;
/** What one run of the pilot graph computes, for ROWS queries. */
export const TESTED_PILOT = { heads: HEADS, keys: KEYS } as const;
const WIDTH = 256;

/** The pilot as attention uses it: 2 heads, 128 queries, 512 keys of 64 columns. */
export function pilotTest(): TestGraph {
  const next = numbers(1);
  const q = Uint8Array.from({ length: HEADS * ROWS * HEAD_DIM }, () => next() * 256);
  const k = Uint8Array.from({ length: HEADS * HEAD_DIM * KEYS }, () => next() * 256);
  const range = scoreRange(HEAD_DIM) * 8; // bytes that are equally spread have far greater products than a model's
  const lambda = 0.02;
  const model = pilotGraph({
    heads: HEADS,
    rows: ROWS,
    headDim: HEAD_DIM,
    keys: KEYS,
    lambdaQ: lambda,
    lambdaK: lambda,
    range,
  });
  const expected = new Float64Array(HEADS * ROWS * KEYS);
  for (let head = 0; head < HEADS; head++) {
    const size = { rows: ROWS, inner: HEAD_DIM, columns: KEYS };
    const products = multiply(
      (r, d) => (q[(head * ROWS + r) * HEAD_DIM + d] ?? 0) - ZERO_POINT,
      (d, c) => (k[(head * HEAD_DIM + d) * KEYS + c] ?? 0) - ZERO_POINT,
      size,
    );
    for (const [i, product] of products.entries()) {
      const byte = (product * OUTPUT_STEPS) / range + ZERO_POINT;
      expected[head * ROWS * KEYS + i] = Math.max(0, Math.min(255, byte));
    }
  }
  return {
    model,
    inputs: [
      { data: q, dims: [1, HEADS, ROWS, HEAD_DIM] },
      { data: k, dims: [1, HEADS, HEAD_DIM, KEYS] },
    ],
    expected,
    output: { data: new Uint8Array(expected.length), dims: [1, HEADS, ROWS, KEYS] },
    tolerance: ONE_STEP,
  };
}

/** Half a step of rounding to the nearest, and another where an implementation rounds its way. */
const ONE_STEP = 1.01;
/** 16 bit outputs: the sums are exact only as far as float32 goes. */
const SOME_STEPS = 8;
/** Of the greatest output, for half precision with sums of 256 terms. */
const HALF_PRECISION = 0.01;

/**
 * One linear layer of 256 to 256 channels for 128 rows: `uint8` or `uint16` activations with INT8 weights per channel, or float,
 * for devices that compute in half precision.
 */
export function linearTest(activations: Activations): TestGraph {
  return activations === 'float32' ? floatLinear() : quantisedLinear(activations);
}

const SIZE = { rows: ROWS, inner: WIDTH, columns: WIDTH };
const DIMS = [ROWS, WIDTH];

/** INT8 codes [in, out] and a positive step for each output channel. */
function weightsOf(next: () => number): { codes: Int8Array; steps: Float32Array } {
  const codes = Int8Array.from({ length: WIDTH * WIDTH }, () => next() * 255 - 127);
  return { codes, steps: Float32Array.from({ length: WIDTH }, () => 0.002 + 0.004 * next()) };
}

function floatLinear(): TestGraph {
  const next = numbers(2);
  const { codes, steps } = weightsOf(next);
  const w = Float32Array.from(codes, (code, i) => code * (steps[i % WIDTH] ?? 0));
  const x = Float32Array.from({ length: ROWS * WIDTH }, () => 2 * next() - 1);
  const g = new GraphBuilder();
  const weight = g.constant('w', 'float32', [WIDTH, WIDTH], w);
  g.node('MatMul', [g.input('x', DIMS), weight], { output: 'y' });
  g.output('y', DIMS);
  const at = (values: Float32Array) => (row: number, column: number) => values[row * WIDTH + column] ?? 0;
  const expected = multiply(at(x), at(w), SIZE);
  return {
    model: g.encode(),
    inputs: [{ data: x, dims: DIMS }],
    expected,
    output: { data: new Float32Array(expected.length), dims: DIMS },
    tolerance: HALF_PRECISION * greatest(expected),
  };
}

function quantisedLinear(type: 'uint8' | 'uint16'): TestGraph {
  const next = numbers(2);
  const { codes, steps } = weightsOf(next);
  const array = type === 'uint8' ? Uint8Array : Uint16Array;
  const most = type === 'uint8' ? 255 : 65535;
  const zero = (most + 1) / 2;
  const scale = 2 / most;
  const x = new array(ROWS * WIDTH).map(() => next() * (most + 1));
  const sums = multiply(
    (r, d) => (x[r * WIDTH + d] ?? 0) - zero,
    (d, c) => codes[d * WIDTH + c] ?? 0,
    SIZE,
  );
  const exact = sums.map((sum, i) => sum * scale * (steps[i % WIDTH] ?? 0));
  const outputScale = (2 * greatest(exact)) / most;

  const g = new GraphBuilder();
  const scalar = (name: string, value: number) => g.constant(name, 'float32', [], Float32Array.of(value));
  const zeroPoint = g.constant('zero', type, [], array.of(zero));
  const w = [
    g.constant('w', 'int8', [WIDTH, WIDTH], codes),
    g.constant('w_scale', 'float32', [WIDTH], steps),
    g.constant('w_zero', 'int8', [WIDTH], new Int8Array(WIDTH)),
  ];
  const weight = g.node('DequantizeLinear', w, { attributes: { axis: { int: 1 } } });
  const input = g.node('DequantizeLinear', [g.input('x', DIMS, type), scalar('x_scale', scale), zeroPoint]);
  const y = g.node('MatMul', [input, weight]);
  g.node('QuantizeLinear', [y, scalar('y_scale', outputScale), zeroPoint], { output: 'y' });
  g.output('y', DIMS, type);
  return {
    model: g.encode(),
    inputs: [{ data: x, dims: DIMS }],
    expected: exact.map((value) => Math.max(0, Math.min(most, value / outputScale + zero))),
    output: { data: new array(exact.length), dims: DIMS },
    tolerance: type === 'uint8' ? ONE_STEP : SOME_STEPS,
  };
}

function greatest(values: Float64Array): number {
  return values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
}

function multiply(
  a: (row: number, inner: number) => number,
  b: (inner: number, column: number) => number,
  { rows, inner, columns }: { rows: number; inner: number; columns: number },
): Float64Array {
  const out = new Float64Array(rows * columns);
  for (let r = 0; r < rows; r++) {
    for (let d = 0; d < inner; d++) {
      const value = a(r, d);
      for (let c = 0; c < columns; c++) out[r * columns + c] = (out[r * columns + c] ?? 0) + value * b(d, c);
    }
  }
  return out;
}

/** The same numbers from 0 to below 1 on every machine. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
