/** The tensors of a model by their role in it, read a few rows at a time. */
import { type FileHandle, open } from 'node:fs/promises';
import { AppError } from '../../../contract/errors.ts';
import { TRAITS } from './architectures.ts';
import type { ModelConfig } from './config.ts';
import {
  EMBEDDING,
  hasPart,
  type LayerPart,
  layerTensor,
  OUTPUT,
  OUTPUT_NORM,
  optionalPart,
} from './config-tensors.ts';
import { UNPACKERS } from './dequant-unpack.ts';
import type { ModelFile } from './model-file.ts';
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

const NORM = /norm\.weight$/;

/** Opens the files of a model. Throws AppError 'model-missing' where one is gone by now. */
export async function openModelSource(model: ModelFile): Promise<ModelSource> {
  const { config } = model;
  const handles = await openAll(new Set([...model.tensors.values()].map(({ file }) => file)));
  const matrix = (name: string): Matrix => {
    const tensor = model.tensors.get(name);
    const handle = tensor && handles.get(tensor.file);
    if (tensor === undefined || handle === undefined) throw new Error(`${name} was not checked`);
    const reader = new TensorReader(tensor.file, tensor, handle);
    const unpacker = UNPACKERS.get(tensor.type);
    const offset = NORM.test(name) ? model.normOffset : 0;
    return {
      type: tensor.type,
      rows: reader.rows,
      cols: reader.cols,
      blocks: unpacker === undefined ? null : { size: unpacker.groupSize, affine: unpacker.centre !== 0 },
      async floatRows(first, count) {
        const rows = await reader.dequantizeRows(first, count);
        return offset === 0 ? rows : rows.map((value) => value + offset);
      },
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
  const layers = Array.from({ length: config.nLayer }, (_, i) => {
    const part = (name: LayerPart) => matrix(layerTensor(i, name));
    return {
      ...projections(i),
      attnNorm: part('attn_norm.weight'),
      bias: hasPart(config, 'bias') ? optionalPart('bias', ({ tensor }) => part(tensor)) : null,
      headNorm: hasPart(config, 'headNorm') ? optionalPart('headNorm', ({ tensor }) => part(tensor)) : null,
      postNorm: hasPart(config, 'postNorm') ? optionalPart('postNorm', ({ tensor }) => part(tensor)) : null,
      out: part('attn_output.weight'),
      ffnNorm: part('ffn_norm.weight'),
      down: part('ffn_down.weight'),
    };
  });
  return {
    config,
    layers,
    embedding: matrix(EMBEDDING),
    outputNorm: matrix(OUTPUT_NORM),
    output: config.tiedEmbeddings ? null : matrix(OUTPUT),
    close: () => closeAll(handles),
  };
}

async function openAll(files: ReadonlySet<string>): Promise<Map<string, FileHandle>> {
  const handles = new Map<string, FileHandle>();
  try {
    for (const file of files) handles.set(file, await open(file, 'r'));
    return handles;
  } catch (cause) {
    await closeAll(handles);
    throw new AppError('model-missing', 'A file of the model was taken away while it was being read.', {
      action: 'Check the path, or download the model again.',
      cause,
    });
  }
}

async function closeAll(handles: ReadonlyMap<string, FileHandle>): Promise<void> {
  await Promise.all([...handles.values()].map((handle) => handle.close()));
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
