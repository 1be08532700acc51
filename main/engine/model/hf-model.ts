/** Reads a folder as Hugging Face publishes models: config.json, tokenizer.json and one or several .safetensors files. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { OUTPUT } from './config-tensors.ts';
import { hfArchitecture, readHfConfig } from './hf-config.ts';
import { findShards, readShards, renamed, storedNames } from './hf-tensors.ts';
import { readHfTokenizer, TOKENIZER_FILES } from './hf-tokenizer.ts';
import { readJsonFields } from './json-fields.ts';
import type { ModelFile } from './model-file.ts';

export const CONFIG_FILE = 'config.json';

/** Throws AppError as `readModelFile`. */
export async function readHfModel(path: string): Promise<ModelFile> {
  const configFile = join(path, CONFIG_FILE);
  const config = await readJsonFields(configFile);
  const architecture = hfArchitecture(config);
  const shards = await readShards(path);
  const tensors = renamed(shards, architecture);
  const tokenizer = await readHfTokenizer(path, config);
  const stored = { path, tensors, storedName: storedNames(architecture) };
  const checked = readHfConfig(config, stored, tokenizer.tokens.length);
  const files = await hfFiles(path);
  return {
    path,
    files,
    bytes: bytesOf(files),
    config: checked,
    tensors: new Map(
      tensors.filter(({ name }) => name !== OUTPUT || !checked.tiedEmbeddings).map((tensor) => [tensor.name, tensor]),
    ),
    normOffset: architecture === 'gemma3' ? 1 : 0,
    tokenizer,
  };
}

/** Every file of the folder that the import reads, in a fixed order. Throws AppError. */
export async function hfFiles(path: string): Promise<string[]> {
  const { names } = await findShards(path);
  return [CONFIG_FILE, ...TOKENIZER_FILES, ...names].map((name) => join(path, name)).filter((file) => existsSync(file));
}

export function bytesOf(files: readonly string[]): number {
  return files.reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0);
}
