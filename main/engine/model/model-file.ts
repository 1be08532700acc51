/** A model before its import, whatever its format: one .gguf file, or a folder with safetensors, configuration and tokenizer. */
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { ModelConfig } from './config.ts';
import { readGguf } from './gguf.ts';
import type { GgufTensor } from './gguf-types.ts';
import { readHfModel } from './hf-model.ts';
import type { TokenizerSource } from './manifest.ts';
import { readConfig } from './read-config.ts';
import { readTokenizerSource } from './tokenizer-source.ts';

/** A tensor and the file that it lies in. */
export interface StoredTensor extends GgufTensor {
  file: string;
}

/** The tensors of a model, under the names of `config-tensors.ts`. */
export interface ModelTensors {
  /** The .gguf file or the folder, for messages. */
  path: string;
  tensors: readonly GgufTensor[];
  /** What the model's own files call a tensor. */
  storedName(name: string): string;
}

export interface ModelFile {
  /** The .gguf file or the folder. */
  path: string;
  /** Every file that the import reads, in a fixed order. */
  files: readonly string[];
  /** Their sizes together. */
  bytes: number;
  config: ModelConfig;
  tensors: ReadonlyMap<string, StoredTensor>;
  /** What is added to the weights of normalisations: some formats hold them less one. */
  normOffset: 0 | 1;
  tokenizer: TokenizerSource;
}

/**
 * Reads and checks a .gguf file or a folder with safetensors. Throws AppError 'model-missing', 'model-invalid' or
 * 'model-unsupported', naming the key or tensor.
 */
export async function readModelFile(path: string): Promise<ModelFile> {
  const stats = await stat(path).catch(() => undefined);
  return stats?.isDirectory() ? readHfModel(resolve(path)) : readGgufModel(path);
}

async function readGgufModel(path: string): Promise<ModelFile> {
  const file = await readGguf(path);
  return {
    path,
    files: [path],
    bytes: file.bytes,
    config: readConfig(file),
    tensors: new Map(file.tensors.map((tensor) => [tensor.name, { ...tensor, file: path }])),
    normOffset: 0,
    tokenizer: readTokenizerSource(file),
  };
}
