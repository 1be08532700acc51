/**
 * The pilot's graph: scores = Q K of one or several heads in 8 bits, without softmax and mask. Static shapes, unsigned bytes
 * in and out and QDQ around one MatMul are the form that the NPU compilers take. It has no weights.
 */
import { GraphBuilder } from './onnx.ts';

/** What one graph is made for; its scales are constants. */
export interface PilotGraph {
  heads: number;
  rows: number;
  headDim: number;
  keys: number;
  /** Declared INT8 scales of the inputs. Positive. */
  lambdaQ: number;
  lambdaK: number;
  /** Integer product that the output byte 255 stands for; larger ones saturate. */
  range: number;
}

/** Zero point of all three tensors: byte 128 is 0. */
export const ZERO_POINT = 128;
/** Byte steps from 0 to the range. */
export const OUTPUT_STEPS = 127;

/**
 * The bytes of the .onnx file. q u8 [1, heads, rows, headDim], k u8 [1, heads, headDim, keys] (transposed), s u8
 * [1, heads, rows, keys]: s = clamp(round(sum_d (q - 128)(k - 128) * OUTPUT_STEPS / range) + 128, 0, 255).
 */
export function pilotGraph(graph: PilotGraph): Uint8Array {
  const { heads, rows, headDim, keys, lambdaQ, lambdaK, range } = graph;
  const g = new GraphBuilder();
  const zero = g.constant('zero', 'uint8', [], Uint8Array.of(ZERO_POINT));
  const scale = (name: string, value: number) => g.constant(name, 'float32', [], Float32Array.of(value));
  const scaleQ = scale('scale_q', lambdaQ);
  const scaleK = scale('scale_k', lambdaK);
  const scaleS = scale('scale_s', (lambdaQ * lambdaK * range) / OUTPUT_STEPS);
  const q = g.node('DequantizeLinear', [g.input('q', [1, heads, rows, headDim], 'uint8'), scaleQ, zero]);
  const k = g.node('DequantizeLinear', [g.input('k', [1, heads, headDim, keys], 'uint8'), scaleK, zero]);
  g.node('QuantizeLinear', [g.node('MatMul', [q, k]), scaleS, zero], { output: 's' });
  g.output('s', [1, heads, rows, keys], 'uint8');
  return g.encode();
}
