/**
 * A forward pass in plain float64 loops over the tensors as they are stored: the truth that the engine's chunked,
 * threaded, quantised paths are compared with. F32 tensors only.
 */
import { TRAITS } from '../model/architectures.ts';
import type { GgufSpec } from './gguf-encode.ts';
import { TINY_TOKENS, type TinyLlamaOptions, tinyLlama } from './tiny-llama.ts';

interface Matrix {
  cols: number;
  rows: number;
  data: Float32Array;
}

/** One layer's attention: [position][head * headDim], K and V with fewer heads; Q and K rotated. */
export interface PlainLayer {
  q: Float64Array[];
  k: Float64Array[];
  v: Float64Array[];
  out: Float64Array[];
}

/** Logits [nVocab] after each of `ids`, for the model that `writeTinyLlama` writes with the same options. */
export function plainLogits(
  options: TinyLlamaOptions,
  ids: readonly number[],
  /** Sees each layer's attention and may change its outputs. */
  attended: (layer: number, attention: PlainLayer) => void = () => {},
): Float64Array[] {
  const { heads = 4, kvHeads = 2, headDim = 16, layers = 2, ropeTheta = 10000, vocab = TINY_TOKENS } = options;
  const { ropeInterleaved } = TRAITS[options.architecture ?? 'llama'];
  const tensors = matrices(tinyLlama(options));
  const get = (name: string): Matrix => {
    const found = tensors.get(name);
    if (found === undefined) throw new Error(`no tensor ${name}`);
    return found;
  };
  const table = get('token_embd.weight');
  const output = tensors.get('output.weight') ?? table;
  let x: Float64Array[] = ids.map((id) =>
    Float64Array.from(table.data.subarray(id * table.cols, (id + 1) * table.cols)),
  );
  for (let layer = 0; layer < layers; layer++) {
    const w = (part: string) => get(`blk.${layer}.${part}.weight`);
    const h = x.map((row) => rmsNorm(row, w('attn_norm')));
    const project = (part: string, row: Float64Array) => {
      const product = multiply(w(part), row);
      const bias = tensors.get(`blk.${layer}.${part}.bias`);
      const weight = tensors.get(`blk.${layer}.${part}_norm.weight`);
      const y = bias ? product.map((value, i) => value + (bias.data[i] ?? 0)) : product;
      return weight ? normHeads(y, weight) : y;
    };
    const turn = (row: Float64Array, p: number) => rotate(row, p, headDim, ropeTheta, ropeInterleaved);
    const q = h.map((row, p) => turn(project('attn_q', row), p));
    const k = h.map((row, p) => turn(project('attn_k', row), p));
    const v = h.map((row) => project('attn_v', row));
    const out = x.map((_, p) => attend(q, k, v, p, heads, kvHeads, headDim));
    attended(layer, { q, k, v, out });
    x = x.map((row, p) => add(row, multiply(w('attn_output'), out[p] ?? new Float64Array())));
    x = x.map((row) => {
      const n = rmsNorm(row, w('ffn_norm'));
      const up = multiply(w('ffn_up'), n);
      const act = multiply(w('ffn_gate'), n).map((g, i) => (g / (1 + Math.exp(-g))) * (up[i] ?? 0));
      return add(row, multiply(w('ffn_down'), act));
    });
  }
  return x.map((row) => multiply(output, rmsNorm(row, get('output_norm.weight'))).subarray(0, vocab));
}

function matrices(spec: GgufSpec): Map<string, Matrix> {
  return new Map(
    spec.tensors.map(({ name, shape, data }) => {
      const [cols = 1, rows = 1] = shape.map(Number);
      const bytes = new Uint8Array(data.byteLength);
      bytes.set(data);
      return [name, { cols, rows, data: new Float32Array(bytes.buffer) }];
    }),
  );
}

function multiply(m: Matrix, x: Float64Array): Float64Array {
  return Float64Array.from({ length: m.rows }, (_, r) => {
    let sum = 0;
    for (let c = 0; c < m.cols; c++) sum += (m.data[r * m.cols + c] ?? 0) * (x[c] ?? 0);
    return sum;
  });
}

function add(a: Float64Array, b: Float64Array): Float64Array {
  return a.map((value, i) => value + (b[i] ?? 0));
}

function rmsNorm(x: Float64Array, weight: Matrix): Float64Array {
  const scale = 1 / Math.sqrt(x.reduce((sum, value) => sum + value * value, 0) / x.length + 1e-5);
  return x.map((value, i) => value * scale * (weight.data[i] ?? 0));
}

function normHeads(x: Float64Array, weight: Matrix): Float64Array {
  const out = x.slice();
  for (let start = 0; start < x.length; start += weight.cols) {
    out.set(rmsNorm(x.subarray(start, start + weight.cols), weight), start);
  }
  return out;
}

/** Rotary pairs of a head: neighbours, or the elements that lie half a head apart. */
function rotate(x: Float64Array, position: number, headDim: number, theta: number, neighbours: boolean): Float64Array {
  const out = x.slice();
  for (let start = 0; start < x.length; start += headDim) {
    for (let pair = 0; pair < headDim / 2; pair++) {
      const angle = position * theta ** ((-2 * pair) / headDim);
      const i = start + (neighbours ? 2 * pair : pair);
      const j = neighbours ? i + 1 : i + headDim / 2;
      const [a, b] = [x[i] ?? 0, x[j] ?? 0];
      out[i] = a * Math.cos(angle) - b * Math.sin(angle);
      out[j] = a * Math.sin(angle) + b * Math.cos(angle);
    }
  }
  return out;
}

function attend(
  q: Float64Array[],
  k: Float64Array[],
  v: Float64Array[],
  position: number,
  heads: number,
  kvHeads: number,
  headDim: number,
): Float64Array {
  const out = new Float64Array(heads * headDim);
  for (let head = 0; head < heads; head++) {
    const kvStart = Math.floor((head * kvHeads) / heads) * headDim;
    const row = (q[position] ?? new Float64Array()).subarray(head * headDim, (head + 1) * headDim);
    const scores = k.slice(0, position + 1).map((key) => {
      let sum = 0;
      for (let d = 0; d < headDim; d++) sum += (row[d] ?? 0) * (key[kvStart + d] ?? 0);
      return sum / Math.sqrt(headDim);
    });
    const most = Math.max(...scores);
    const weights = scores.map((score) => Math.exp(score - most));
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    for (const [j, weight] of weights.entries()) {
      for (let d = 0; d < headDim; d++) {
        out[head * headDim + d] = (out[head * headDim + d] ?? 0) + (weight / total) * (v[j]?.[kvStart + d] ?? 0);
      }
    }
  }
  return out;
}
