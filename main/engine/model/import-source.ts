/** The tensors of a GGUF file by their role in the model, read a few rows at a time. */
import { open } from 'node:fs/promises';
import { TRAITS } from './architectures.ts';
import type { ModelConfig } from './config.ts';
import { EMBEDDING, layerTensor, OUTPUT, OUTPUT_NORM } from './config-tensors.ts';
import { UNPACKERS } from './dequant-unpack.ts';
import { findTensor, type GgufFile } from './gguf.ts';
import { readConfig } from './read-config.ts';
import { type TensorBlocks, TensorReader } from './tensor-source.ts';

/** A tensor as a matrix [rows, cols]; a vector has one row. */
export interface Matrix {
  /** Storage type, e.g. 'Q4_1'. */
  type: string;
  rows: number;
  cols: number;
  /** How its lossless 8-bit form looks; null for types that are plain floats. */
  blocks: { size: number; affine: boolean } | null;
  /** float32 [count, cols] */
  floatRows(first: number, count: number): Promise<Float32Array>;
  /** The same rows in 8-bit blocks. Only where `blocks` is not null. */
  blockRows(first: number, count: number): Promise<TensorBlocks>;
}

export interface LayerSource {
  attnNorm: Matrix;
  query: Matrix;
  key: Matrix;
  value: Matrix;
  /** [nHead * headDim], [nHeadKv * headDim], [nHeadKv * headDim]; null: none. */
  bias: { query: Matrix; key: Matrix; value: Matrix } | null;
  /** [headDim] each; null: heads are not normalised. */
  headNorm: { query: Matrix; key: Matrix } | null;
  /** What normalises attention's and the MLP's output, [nEmbd] each; null: nothing. */
  postNorm: { attention: Matrix; ffn: Matrix } | null;
  out: Matrix;
  ffnNorm: Matrix;
  gate: Matrix;
  up: Matrix;
  down: Matrix;
}

export interface ModelSource {
  config: ModelConfig;
  layers: LayerSource[];
  embedding: Matrix;
  outputNorm: Matrix;
  /** null: the embedding is the output matrix. */
  output: Matrix | null;
  close(): Promise<void>;
}

/** Checks the file and opens it. Throws AppError naming the key or tensor that is missing, wrong or not supported. */
export async function openModelSource(file: GgufFile): Promise<ModelSource> {
  const config = readConfig(file);
  const handle = await open(file.path, 'r');
  const matrix = (name: string): Matrix => {
    const tensor = findTensor(file, name);
    if (tensor === undefined) throw new Error(`${name} was not checked`);
    const reader = new TensorReader(file.path, tensor, handle);
    const unpacker = UNPACKERS.get(tensor.type);
    return {
      type: tensor.type,
      rows: reader.rows,
      cols: reader.cols,
      blocks: unpacker === undefined ? null : { size: unpacker.groupSize, affine: unpacker.centre !== 0 },
      floatRows: (first, count) => reader.dequantizeRows(first, count),
      async blockRows(first, count) {
        const blocks = await reader.toBlocks(first, count);
        if (blocks === null) throw new Error(`${name} has no block form`);
        return blocks;
      },
    };
  };
  const { nFf, nHead, nHeadKv, headDim } = config;
  const query = nHead * headDim;
  const kv = nHeadKv * headDim;
  const projections = (i: number) => {
    if (!TRAITS[config.architecture].fused) {
      return {
        query: matrix(layerTensor(i, 'attn_q.weight')),
        key: matrix(layerTensor(i, 'attn_k.weight')),
        value: matrix(layerTensor(i, 'attn_v.weight')),
        gate: matrix(layerTensor(i, 'ffn_gate.weight')),
        up: matrix(layerTensor(i, 'ffn_up.weight')),
      };
    }
    const qkv = matrix(layerTensor(i, 'attn_qkv.weight'));
    const gateUp = matrix(layerTensor(i, 'ffn_up.weight'));
    return {
      query: rowsOf(qkv, 0, query),
      key: rowsOf(qkv, query, kv),
      value: rowsOf(qkv, query + kv, kv),
      gate: rowsOf(gateUp, 0, nFf),
      up: rowsOf(gateUp, nFf, nFf),
    };
  };
  const layers = Array.from({ length: config.nLayer }, (_, i) => ({
    ...projections(i),
    attnNorm: matrix(layerTensor(i, 'attn_norm.weight')),
    bias: config.qkvBias
      ? {
          query: matrix(layerTensor(i, 'attn_q.bias')),
          key: matrix(layerTensor(i, 'attn_k.bias')),
          value: matrix(layerTensor(i, 'attn_v.bias')),
        }
      : null,
    headNorm: config.qkNorm
      ? { query: matrix(layerTensor(i, 'attn_q_norm.weight')), key: matrix(layerTensor(i, 'attn_k_norm.weight')) }
      : null,
    postNorm: TRAITS[config.architecture].postNorm
      ? {
          attention: matrix(layerTensor(i, 'post_attention_norm.weight')),
          ffn: matrix(layerTensor(i, 'post_ffw_norm.weight')),
        }
      : null,
    out: matrix(layerTensor(i, 'attn_output.weight')),
    ffnNorm: matrix(layerTensor(i, 'ffn_norm.weight')),
    down: matrix(layerTensor(i, 'ffn_down.weight')),
  }));
  return {
    config,
    layers,
    embedding: matrix(EMBEDDING),
    outputNorm: matrix(OUTPUT_NORM),
    output: config.tiedEmbeddings ? null : matrix(OUTPUT),
    close: () => handle.close(),
  };
}

/** Rows first .. first + rows - 1 of a matrix. */
function rowsOf(matrix: Matrix, first: number, rows: number): Matrix {
  return {
    ...matrix,
    rows,
    floatRows: (from, count) => matrix.floatRows(first + from, count),
    blockRows: (from, count) => matrix.blockRows(first + from, count),
  };
}
