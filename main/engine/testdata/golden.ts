/** Reads the golden data of the reference implementation (testdata/golden/README.md defines every file). */
import { readFileSync } from 'node:fs';
import path from 'node:path';

const FOLDER = path.join(__dirname, 'golden');

export interface GoldenHead {
  layer: number;
  head: number;
  prefix: string;
  lambda_exact: [number, number];
  lambda_used: [number, number];
  bucket: number;
}
export interface GoldenAttention {
  tokens: number[];
  rows: [number, number];
  ratio: number;
  mean_lambda_q: number;
  mean_lambda_k: number;
  sigma: number;
  heads: GoldenHead[];
  tensors: Record<string, { file: string; dtype: 'float32' | 'int8' | 'int16' | 'int32'; shape: [number, number] }>;
}
export interface GoldenRules {
  keep_count: [number, number, number][];
  ties: { scores: number[]; visible: number; cases: { k: number; keep: number[] }[] };
}
export interface GoldenModel {
  prompts: {
    kind: 'raw' | 'chat';
    text: string;
    ids: number[];
    top10: [number, number][];
    greedy: number[];
    margin: number[];
  }[];
  prompt512_full: GoldenLogits;
  prompt512_shadow20: GoldenLogits;
  prompt512_shadow20_kmin64: GoldenLogits;
}
interface GoldenLogits {
  top10: [number, number][];
  mean_nll: number;
}

export function goldenJson<T>(name: 'attention' | 'rules' | 'model'): T {
  return JSON.parse(readFileSync(path.join(FOLDER, `${name}.json`), 'utf8')) as T;
}

const ARRAYS = { float32: Float32Array, int8: Int8Array, int16: Int16Array, int32: Int32Array } as const;

/** A tensor of attention.json by its name, e.g. "l1h0_q". */
export function goldenTensor<T extends Float32Array | Int8Array | Int16Array | Int32Array>(
  golden: GoldenAttention,
  name: string,
): T {
  const entry = golden.tensors[name];
  if (entry === undefined) throw new Error(`no golden tensor ${name}`);
  const bytes = readFileSync(path.join(FOLDER, entry.file));
  const buffer = new ArrayBuffer(bytes.byteLength);
  new Uint8Array(buffer).set(bytes);
  return new ARRAYS[entry.dtype](buffer) as T;
}
