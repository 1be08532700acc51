/**
 * For tests of the import: runs a bundle's graphs in ONNX Runtime, and the same model in float64 loops over the GGUF's
 * tensors. Tokens see only themselves, so that attention's output is the token's own value rows.
 */
import * as ort from 'onnxruntime-node';
import type { Bundle } from '../model/bundle.ts';
import { type Matrix, openModelSource } from '../model/import-source.ts';
import type { CalibrationStats } from '../model/manifest.ts';
import { readModelFile } from '../model/model-file.ts';

export type Optimisation = 'disabled' | 'all';
type Outputs = Record<string, Float32Array>;

/** Logits [ids.length, nVocab] by the bundle's graphs. */
export async function bundleLogits(bundle: Bundle, ids: number[], level: Optimisation = 'all'): Promise<Float32Array> {
  const x = await runBlocks(bundle, bundle.blockPaths, ids, level, () => {});
  return get(await runGraph(bundle, bundle.headPath, ids.length, { x }, level), 'logits');
}

/** A calibration by the graphs themselves over some tokens. */
export async function calibrateAlone(bundle: Bundle, statsBlocks: string[]): Promise<CalibrationStats> {
  const { nLayer, nTokens } = bundle.manifest.config;
  const ids = Array.from({ length: 64 }, (_, i) => (i * 37) % nTokens);
  const blocks: Outputs[] = [];
  await runBlocks(bundle, statsBlocks, ids, 'all', (outputs) => blocks.push(outputs));
  const layers = Array.from({ length: nLayer }, (_, i) => ({
    qkv: get(blocks[i], 'stat_qkv'),
    out: get(blocks[i + 1], 'stat_out'),
    gateUp: get(blocks[i + 1], 'stat_gate_up'),
  }));
  return { textSha256: '0'.repeat(64), tokens: ids.length, meanLambdaQ: 0.1, meanLambdaK: 0.2, layers };
}

/** Logits [ids.length, nVocab] in float64 from the tensors of the GGUF. */
export async function referenceLogits(ggufPath: string, ids: number[]): Promise<Float64Array> {
  const source = await openModelSource(await readModelFile(ggufPath));
  const { config } = source;
  const all = async (matrix: Matrix) => ({ cols: matrix.cols, values: await matrix.floatRows(0, matrix.rows) });
  const embedding = await all(source.embedding);
  let x: Float64Array[] = ids.map((id) =>
    Float64Array.from(embedding.values.subarray(id * config.nEmbd, (id + 1) * config.nEmbd)).map(
      (value) => value * config.embeddingScale,
    ),
  );
  for (const layer of source.layers) {
    const [attnNorm, value, out] = [await all(layer.attnNorm), await all(layer.value), await all(layer.out)];
    const [ffnNorm, gate, up] = [await all(layer.ffnNorm), await all(layer.gate), await all(layer.up)];
    const down = await all(layer.down);
    const post = layer.postNorm && {
      attention: await all(layer.postNorm.attention),
      ffn: await all(layer.postNorm.ffn),
    };
    const bias = layer.bias ? Float64Array.from((await all(layer.bias.value)).values) : new Float64Array(0);
    x = x.map((row) => {
      const v = sum(multiply(value, norm(row, attnNorm.values, config.rmsEps)), bias);
      const attended = multiply(out, repeatValues(v, config));
      const x1 = sum(row, post ? norm(attended, post.attention.values, config.rmsEps) : attended);
      const h = norm(x1, ffnNorm.values, config.rmsEps);
      const raised = multiply(up, h);
      const act = multiply(gate, h).map((g, i) => activate(g, config.activation) * (raised[i] ?? 0));
      const made = multiply(down, act);
      return sum(x1, post ? norm(made, post.ffn.values, config.rmsEps) : made);
    });
  }
  const outputNorm = await all(source.outputNorm);
  const head = source.output === null ? embedding : await all(source.output);
  await source.close();
  return Float64Array.from(x.flatMap((row) => [...multiply(head, norm(row, outputNorm.values, config.rmsEps))]));
}

/** Greatest difference over the root mean square of the expected values. */
export function worstError(got: ArrayLike<number>, want: ArrayLike<number>): number {
  if (got.length !== want.length) return Number.POSITIVE_INFINITY;
  const { worst, squares } = Array.from(want).reduce(
    (r, w, i) => ({ worst: Math.max(r.worst, Math.abs((got[i] ?? Number.NaN) - w)), squares: r.squares + w * w }),
    { worst: 0, squares: 0 },
  );
  return worst / Math.sqrt(squares / want.length);
}

async function runBlocks(
  bundle: Bundle,
  paths: readonly string[],
  ids: number[],
  level: Optimisation,
  visit: (outputs: Outputs) => void,
): Promise<Float32Array> {
  const { config } = bundle.manifest;
  let x = bundle.readEmbeddingRows(ids);
  let att: Float32Array | null = null;
  for (const path of paths) {
    const outputs: Outputs = await runGraph(bundle, path, ids.length, att === null ? { x } : { att, x }, level);
    visit(outputs);
    x = outputs.y ?? x;
    if (outputs.qkv === undefined) continue;
    const width = outputs.qkv.length / ids.length;
    const valueAt = (config.nHead + config.nHeadKv) * config.headDim;
    const rows = ids.map((_, r) => get(outputs, 'qkv').subarray(r * width + valueAt, (r + 1) * width));
    att = Float32Array.from(rows.flatMap((v) => [...repeatValues(v, config)]));
  }
  return x;
}

async function runGraph(
  bundle: Bundle,
  path: string,
  rows: number,
  inputs: Outputs,
  level: Optimisation,
): Promise<Outputs> {
  const session = await ort.InferenceSession.create(path, {
    graphOptimizationLevel: level,
    intraOpNumThreads: 1,
    extra: nested(bundle.sessionConfig),
  });
  const feeds = Object.fromEntries(
    Object.entries(inputs).map(([name, d]) => [name, new ort.Tensor('float32', d, [rows, d.length / rows])]),
  );
  const results = await session.run(feeds);
  await session.release();
  return Object.fromEntries(Object.entries(results).map(([name, tensor]) => [name, tensor.data as Float32Array]));
}

/** {'a.b': 'c'} as {a: {b: 'c'}}, the form in which the JavaScript binding takes session config entries. */
function nested(config: Readonly<Record<string, string>>): Record<string, unknown> {
  const result: Record<string, Record<string, string>> = {};
  for (const [key, value] of Object.entries(config)) {
    const [group = '', ...rest] = key.split('.');
    result[group] = { ...result[group], [rest.join('.')]: value };
  }
  return result;
}

function get(outputs: Outputs | undefined, name: string): Float32Array {
  const found = outputs?.[name];
  if (found === undefined) throw new Error(`no output ${name}`);
  return found;
}

function repeatValues<T extends Float32Array | Float64Array>(
  v: T,
  config: { nHead: number; nHeadKv: number; headDim: number },
): number[] {
  const { nHead, nHeadKv, headDim } = config;
  return Array.from({ length: nHead * headDim }, (_, c) => {
    const kvHead = Math.floor((Math.floor(c / headDim) * nHeadKv) / nHead);
    return v[kvHead * headDim + (c % headDim)] ?? Number.NaN;
  });
}

function multiply(m: { cols: number; values: Float32Array }, x: ArrayLike<number>): Float64Array {
  return Float64Array.from({ length: m.values.length / m.cols }, (_, r) => {
    let total = 0;
    for (let c = 0; c < m.cols; c++) total += (m.values[r * m.cols + c] ?? 0) * (x[c] ?? 0);
    return total;
  });
}

function norm(x: Float64Array, weight: Float32Array, eps: number): Float64Array {
  const root = Math.sqrt(x.reduce((total, value) => total + value * value, 0) / x.length + eps);
  return x.map((value, i) => (value / root) * (weight[i] ?? 0));
}

function activate(x: number, activation: 'silu' | 'gelu'): number {
  if (activation === 'silu') return x / (1 + Math.exp(-x));
  return 0.5 * x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3)));
}

function sum(a: Float64Array, b: Float64Array): Float64Array {
  return a.map((value, i) => value + (b[i] ?? 0));
}
