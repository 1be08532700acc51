/** The tensors of a folder of safetensors: one file or shards with an index, under the names that the engine knows them by. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { phrase } from '../../../contract/phrase.ts';
import { type Architecture, TRAITS } from './architectures.ts';
import { EMBEDDING, type LayerPart, layerTensor, OUTPUT, OUTPUT_NORM } from './config-tensors.ts';
import { invalidModel, quote } from './gguf-errors.ts';
import { readJsonFields } from './json-fields.ts';
import type { StoredTensor } from './model-file.ts';
import { readSafetensors, type SafetensorsFile } from './safetensors.ts';

const SINGLE = 'model.safetensors';
const INDEX = 'model.safetensors.index.json';
/** Shards lie in the folder itself: no path may lead out of it. */
const SHARD_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*\.safetensors$/;
const MOST_SHARDS = 1000;

/** Derived from the configuration; old files carry them. */
const REDUNDANT = /^model\.layers\.\d+\.self_attn\.rotary_emb\.inv_freq$/;
const LAYER = /^model\.layers\.(\d{1,4})\.(.+)$/;
const OURS_LAYER = /^blk\.(\d+)\.(.+)$/;

/** Files that hold a model's weights, by name; of several, which tensors lie where. Throws AppError. */
export async function findShards(folder: string): Promise<{ names: string[]; shardOf?: Map<string, string> }> {
  if (existsSync(join(folder, SINGLE))) return { names: [SINGLE] };
  const indexPath = join(folder, INDEX);
  if (!existsSync(indexPath)) {
    throw invalidModel(
      folder,
      phrase`this folder has no ${SINGLE} and no ${INDEX}`,
      'Choose the folder of a whole model, with its config.json and tokenizer.json.',
    );
  }
  const map = (await readJsonFields(indexPath)).optionalObject('weight_map');
  if (map === undefined) throw invalidModel(indexPath, 'key "weight_map" is missing');
  const shardOf = new Map(map.keys().map((name) => [name, map.string(name)]));
  const names = [...new Set(shardOf.values())].sort();
  const bad = names.find((name) => !SHARD_NAME.test(name));
  if (bad !== undefined)
    throw invalidModel(indexPath, phrase`it names the file ${quote(bad)}, which cannot be a part of it`);
  if (names.length > MOST_SHARDS)
    throw invalidModel(indexPath, phrase`it names ${names.length} files, more than any model has`);
  return { names, shardOf };
}

/** The files of `findShards`, read; each tensor lies where the index says. Throws AppError. */
export async function readShards(folder: string): Promise<SafetensorsFile[]> {
  const { names, shardOf } = await findShards(folder);
  const shards: SafetensorsFile[] = [];
  const indexPath = join(folder, INDEX);
  for (const name of names) {
    const shard = await readSafetensors(join(folder, name));
    shards.push(shard);
    if (shardOf === undefined) continue;
    const stray = shard.tensors.find((tensor) => shardOf.get(tensor.name) !== name);
    if (stray !== undefined) {
      throw invalidModel(indexPath, phrase`it does not place tensor ${quote(stray.name)} in ${name}, where it lies`);
    }
    for (const tensor of shard.tensors) shardOf.delete(tensor.name);
  }
  const [lost] = shardOf ?? [];
  if (lost !== undefined) throw invalidModel(indexPath, phrase`tensor ${quote(lost[0])} is not in ${lost[1]}`);
  return shards;
}

/** All tensors under the names of `config-tensors.ts`; those that are not known keep their own. */
export function renamed(shards: readonly SafetensorsFile[], architecture: Architecture): StoredTensor[] {
  const names = namesOf(architecture);
  const ours = new Map(Object.entries(names.layer).map(([part, name]) => [name, part as LayerPart]));
  const global = new Map(Object.entries(names.global).map(([name, stored]) => [stored, name]));
  return shards
    .flatMap(({ tensors }) => tensors)
    .filter(({ name }) => !REDUNDANT.test(name))
    .map((tensor) => {
      const [, layer, rest = ''] = LAYER.exec(tensor.name) ?? [];
      const part = ours.get(rest);
      if (layer !== undefined && part !== undefined) return { ...tensor, name: layerTensor(Number(layer), part) };
      return { ...tensor, name: global.get(tensor.name) ?? tensor.name };
    });
}

/** What the files call a tensor. */
export function storedNames(architecture: Architecture): (name: string) => string {
  const { layer, global } = namesOf(architecture);
  return (name) => {
    const [, index, part] = OURS_LAYER.exec(name) ?? [];
    const stored = layer[part as LayerPart];
    if (index !== undefined && stored !== undefined) return `model.layers.${index}.${stored}`;
    return Object.hasOwn(global, name) ? (global[name] ?? name) : name;
  };
}

interface Names {
  layer: Partial<Record<LayerPart, string>>;
  global: Record<string, string>;
}

function namesOf(architecture: Architecture): Names {
  const { fused, postNorm } = TRAITS[architecture];
  return {
    layer: {
      'attn_norm.weight': 'input_layernorm.weight',
      'attn_q.weight': 'self_attn.q_proj.weight',
      'attn_k.weight': 'self_attn.k_proj.weight',
      'attn_v.weight': 'self_attn.v_proj.weight',
      'attn_qkv.weight': 'self_attn.qkv_proj.weight',
      'attn_q.bias': 'self_attn.q_proj.bias',
      'attn_k.bias': 'self_attn.k_proj.bias',
      'attn_v.bias': 'self_attn.v_proj.bias',
      'attn_q_norm.weight': 'self_attn.q_norm.weight',
      'attn_k_norm.weight': 'self_attn.k_norm.weight',
      'attn_output.weight': 'self_attn.o_proj.weight',
      'ffn_gate.weight': 'mlp.gate_proj.weight',
      'ffn_up.weight': fused ? 'mlp.gate_up_proj.weight' : 'mlp.up_proj.weight',
      'ffn_down.weight': 'mlp.down_proj.weight',
      // What comes after attention is, in most models, what normalises the MLP's input.
      ...(postNorm
        ? {
            'post_attention_norm.weight': 'post_attention_layernorm.weight',
            'ffn_norm.weight': 'pre_feedforward_layernorm.weight',
            'post_ffw_norm.weight': 'post_feedforward_layernorm.weight',
          }
        : { 'ffn_norm.weight': 'post_attention_layernorm.weight' }),
    },
    global: {
      [EMBEDDING]: 'model.embed_tokens.weight',
      [OUTPUT_NORM]: 'model.norm.weight',
      [OUTPUT]: 'lm_head.weight',
    },
  };
}
