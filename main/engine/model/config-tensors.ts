/** The tensors of a model: their names and shapes, listed once; and the check that a file has exactly these. */

import { type Phrase, phrase } from '../../../contract/phrase.ts';
import { TRAITS } from './architectures.ts';
import type { ModelConfig } from './config.ts';
import { READABLE_TYPES } from './dequant.ts';
import { invalidModel, quote, unsupportedModel } from './gguf-errors.ts';
import type { GgufFile, GgufTensor } from './gguf-types.ts';
import type { ModelTensors } from './model-file.ts';

export const EMBEDDING = 'token_embd.weight';
export const OUTPUT_NORM = 'output_norm.weight';
/** Absent where the embedding serves as output matrix. */
export const OUTPUT = 'output.weight';
/** Absent where rotary frequencies are plain. */
export const ROPE_FACTORS = 'rope_freqs.weight';
/** Both present where a model has frequencies for short and others for long contexts. */
export const ROPE_SHORT = 'rope_factors_short.weight';
export const ROPE_LONG = 'rope_factors_long.weight';

/** What the tensors and their shapes depend on. */
export type Sizes = Pick<
  ModelConfig,
  'architecture' | 'nEmbd' | 'nHead' | 'nHeadKv' | 'headDim' | 'nFf' | 'nLayer' | 'qkvBias' | 'qkNorm'
>;

/** Shape of each tensor of a layer, row length first: a matrix of R rows (outputs) and C columns (inputs) is [C, R]. */
const COMMON_SHAPES = {
  'attn_norm.weight': ({ nEmbd }: Sizes) => [nEmbd],
  'attn_output.weight': ({ nEmbd, nHead, headDim }: Sizes) => [nHead * headDim, nEmbd],
  'ffn_norm.weight': ({ nEmbd }: Sizes) => [nEmbd],
  'ffn_down.weight': ({ nEmbd, nFf }: Sizes) => [nFf, nEmbd],
};
const APART_SHAPES = {
  'attn_q.weight': ({ nEmbd, nHead, headDim }: Sizes) => [nEmbd, nHead * headDim],
  'attn_k.weight': ({ nEmbd, nHeadKv, headDim }: Sizes) => [nEmbd, nHeadKv * headDim],
  'attn_v.weight': ({ nEmbd, nHeadKv, headDim }: Sizes) => [nEmbd, nHeadKv * headDim],
  'ffn_gate.weight': ({ nEmbd, nFf }: Sizes) => [nEmbd, nFf],
  'ffn_up.weight': ({ nEmbd, nFf }: Sizes) => [nEmbd, nFf],
};
const FUSED_SHAPES = {
  'attn_qkv.weight': ({ nEmbd, nHead, nHeadKv, headDim }: Sizes) => [nEmbd, (nHead + 2 * nHeadKv) * headDim],
  'ffn_up.weight': ({ nEmbd, nFf }: Sizes) => [nEmbd, 2 * nFf],
};
interface OptionalTensor<Name extends string = string> {
  tensor: Name;
  length: (sizes: Sizes) => number;
  /** The constant of a bundle's graphs that holds it, of biases all three. */
  constant: string;
}
const vector = <Name extends string>(tensor: Name, constant: string, length: (sizes: Sizes) => number) =>
  ({ tensor, constant, length }) satisfies OptionalTensor<Name>;
const queryLength = ({ nHead, headDim }: Sizes) => nHead * headDim;
const keyLength = ({ nHeadKv, headDim }: Sizes) => nHeadKv * headDim;
const headLength = ({ headDim }: Sizes) => headDim;
const rowLength = ({ nEmbd }: Sizes) => nEmbd;

/** Vectors that only some models have in each layer, by their fields in `LayerSource`. */
const OPTIONAL_PARTS = {
  bias: {
    query: vector('attn_q.bias', 'qkv_bias', queryLength),
    key: vector('attn_k.bias', 'qkv_bias', keyLength),
    value: vector('attn_v.bias', 'qkv_bias', keyLength),
  },
  headNorm: {
    query: vector('attn_q_norm.weight', 'query_norm', headLength),
    key: vector('attn_k_norm.weight', 'key_norm', headLength),
  },
  postNorm: {
    attention: vector('post_attention_norm.weight', 'post_attention_norm', rowLength),
    ffn: vector('post_ffw_norm.weight', 'post_ffw_norm', rowLength),
  },
};
type OptionalParts = typeof OPTIONAL_PARTS;
type OptionalField = keyof OptionalParts;
type TensorOf<Parts> = Parts extends Record<string, OptionalTensor<infer Name>> ? Name : never;
type OptionalName = { [F in OptionalField]: TensorOf<OptionalParts[F]> }[OptionalField];

export type LayerPart =
  | keyof typeof COMMON_SHAPES
  | keyof typeof APART_SHAPES
  | keyof typeof FUSED_SHAPES
  | OptionalName;

/** The field with what `get` gives for each of its vectors. */
export function optionalPart<F extends OptionalField, T>(
  field: F,
  get: (part: OptionalTensor<OptionalName>) => T,
): Record<keyof OptionalParts[F], T> {
  const parts: [string, OptionalTensor<OptionalName>][] = Object.entries(OPTIONAL_PARTS[field]);
  return Object.fromEntries(parts.map(([name, part]) => [name, get(part)])) as Record<keyof OptionalParts[F], T>;
}

/** Whether layers of this model have the field. */
export function hasPart({ architecture, qkvBias, qkNorm }: Sizes, field: OptionalField): boolean {
  return { bias: qkvBias, headNorm: qkNorm, postNorm: TRAITS[architecture].postNorm }[field];
}

/** Shape of each tensor that a layer of this model has. */
function layerShapes(sizes: Sizes): [LayerPart, number[]][] {
  const shapes = { ...COMMON_SHAPES, ...(TRAITS[sizes.architecture].fused ? FUSED_SHAPES : APART_SHAPES) };
  const fields = (Object.keys(OPTIONAL_PARTS) as OptionalField[]).filter((field) => hasPart(sizes, field));
  const optional = fields.flatMap((field): OptionalTensor<OptionalName>[] => Object.values(OPTIONAL_PARTS[field]));
  return [
    ...Object.entries(shapes).map(([part, shape]): [LayerPart, number[]] => [part as LayerPart, shape(sizes)]),
    ...optional.map(({ tensor, length }): [LayerPart, number[]] => [tensor, [length(sizes)]]),
  ];
}

/** The name of a layer's tensor in the file; layers count from 0. */
export function layerTensor(layer: number, part: LayerPart): string {
  return `blk.${layer}.${part}`;
}

/** Rotary frequencies that very old conversions stored once per layer; they follow from the metadata. */
const REDUNDANT = /^blk\.\d+\.attn_rot_embd\.weight$/;
const EXPERTS = /^blk\.\d+\.ffn_(.*_exps|.*_shexp|gate_inp|.*\.\d+)(\.|$)/;

/** Throws AppError 'model-unsupported' if the file is a mixture of experts; to be asked before anything is called missing. */
export function refuseExperts(file: GgufFile): void {
  const found = file.tensors.find(({ name }) => EXPERTS.test(name));
  if (found === undefined) return;
  throw unsupportedModel(
    file.path,
    phrase`this is a mixture-of-experts model (tensor ${quote(found.name)}), an architecture that is not supported`,
    'Choose a model without experts (a dense model).',
  );
}

/**
 * Throws AppError naming the tensor unless the file has each needed tensor in its right shape and a readable type, and
 * none that the computation would leave out. `nVocab` is the number of embedding rows.
 */
export function checkTensors({ path, tensors, storedName }: ModelTensors, sizes: Sizes, nVocab: number): void {
  const byName = new Map(tensors.map((tensor) => [tensor.name, tensor]));
  const expected = new Map<string, number[]>([[EMBEDDING, [sizes.nEmbd, nVocab]]]);
  for (let layer = 0; layer < sizes.nLayer; layer++) {
    for (const [part, shape] of layerShapes(sizes)) expected.set(layerTensor(layer, part), shape);
  }
  expected.set(OUTPUT_NORM, [sizes.nEmbd]);
  for (const name of expected.keys()) {
    if (!byName.has(name)) throw invalidModel(path, phrase`tensor ${quote(storedName(name))} is missing`);
  }
  if (byName.has(OUTPUT)) expected.set(OUTPUT, [sizes.nEmbd, nVocab]);
  for (const name of [ROPE_FACTORS, ROPE_SHORT, ROPE_LONG]) {
    if (byName.has(name)) expected.set(name, [sizes.headDim / 2]);
  }

  for (const tensor of tensors) {
    const shape = expected.get(tensor.name);
    const what = phrase`tensor ${quote(storedName(tensor.name))}`;
    if (shape !== undefined) checkTensor(path, what, tensor, shape);
    else if (!REDUNDANT.test(tensor.name)) {
      throw unsupportedModel(
        path,
        phrase`${what} has no place in a ${sizes.architecture} model of ${sizes.nLayer} layers as this version knows it; to leave it out would give wrong answers`,
      );
    }
  }
}

function checkTensor(path: string, what: Phrase, { type, shape }: GgufTensor, expected: readonly number[]): void {
  // Trailing extents of 1 mean nothing.
  const actual = [...shape];
  while (actual.length > expected.length && actual.at(-1) === 1) actual.pop();
  if (actual.length !== expected.length || actual.some((extent, axis) => extent !== expected[axis])) {
    throw invalidModel(
      path,
      phrase`${what} has the shape [${shape.join(', ')}]; the metadata calls for [${expected.join(', ')}]`,
    );
  }
  if (READABLE_TYPES.includes(type)) return;
  throw unsupportedModel(
    path,
    phrase`${what} has type ${type}, which is not supported; supported types: ${READABLE_TYPES.join(', ')}`,
    'Get a version of this model in one of these types, e.g. Q4_K_M or Q8_0.',
  );
}
