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
  prompt512_shadow20_residual: GoldenLogits;
}
interface GoldenLogits {
  top10: [number, number][];
  mean_nll: number;
}

export function goldenJson<T>(name: 'attention' | 'rules' | 'model'): T {
  return JSON.parse(readFileSync(path.join(FOLDER, `${name}.json`), 'utf8')) as T;
}
