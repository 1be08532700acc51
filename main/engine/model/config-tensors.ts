/** The tensors of a model: their names and shapes, listed once; and the check that a file has exactly these. */
import { TRAITS } from './architectures.ts';
import type { ModelConfig } from './config.ts';
import { READABLE_TYPES } from './dequant.ts';
import { invalidModel, quote, unsupportedModel } from './gguf-errors.ts';
import type { GgufFile, GgufTensor } from './gguf-types.ts';

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
const BIAS_SHAPES = {
  'attn_q.bias': ({ nHead, headDim }: Sizes) => [nHead * headDim],
  'attn_k.bias': ({ nHeadKv, headDim }: Sizes) => [nHeadKv * headDim],
  'attn_v.bias': ({ nHeadKv, headDim }: Sizes) => [nHeadKv * headDim],
};
const QK_NORM_SHAPES = {
  'attn_q_norm.weight': ({ headDim }: Sizes) => [headDim],
  'attn_k_norm.weight': ({ headDim }: Sizes) => [headDim],
};
const POST_NORM_SHAPES = {
  'post_attention_norm.weight': ({ nEmbd }: Sizes) => [nEmbd],
  'post_ffw_norm.weight': ({ nEmbd }: Sizes) => [nEmbd],
};
export type LayerPart =
  | keyof typeof COMMON_SHAPES
  | keyof typeof APART_SHAPES
  | keyof typeof FUSED_SHAPES
  | keyof typeof BIAS_SHAPES
  | keyof typeof QK_NORM_SHAPES
  | keyof typeof POST_NORM_SHAPES;

/** Shape of each tensor that a layer of this model has. */
function layerShapes(sizes: Sizes): [LayerPart, number[]][] {
  const shapes = {
    ...COMMON_SHAPES,
    ...(TRAITS[sizes.architecture].fused ? FUSED_SHAPES : APART_SHAPES),
    ...(sizes.qkvBias ? BIAS_SHAPES : {}),
    ...(sizes.qkNorm ? QK_NORM_SHAPES : {}),
    ...(TRAITS[sizes.architecture].postNorm ? POST_NORM_SHAPES : {}),
  };
  return Object.entries(shapes).map(([part, shape]) => [part as LayerPart, shape(sizes)]);
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
    `this is a mixture-of-experts model (tensor ${quote(found.name)}), an architecture that is not supported`,
    'Choose a model without experts (a dense model).',
  );
}

/**
 * Throws AppError naming the tensor unless the file has each needed tensor in its right shape and a readable type, and
 * none that the computation would leave out. `nVocab` is the number of embedding rows.
 */
export function checkTensors(file: GgufFile, sizes: Sizes, nVocab: number): void {
  const byName = new Map(file.tensors.map((tensor) => [tensor.name, tensor]));
  const expected = new Map<string, number[]>([[EMBEDDING, [sizes.nEmbd, nVocab]]]);
  for (let layer = 0; layer < sizes.nLayer; layer++) {
    for (const [part, shape] of layerShapes(sizes)) expected.set(layerTensor(layer, part), shape);
  }
  expected.set(OUTPUT_NORM, [sizes.nEmbd]);
  for (const name of expected.keys()) {
    if (!byName.has(name)) throw invalidModel(file.path, `tensor ${quote(name)} is missing`);
  }
  if (byName.has(OUTPUT)) expected.set(OUTPUT, [sizes.nEmbd, nVocab]);
  for (const name of [ROPE_FACTORS, ROPE_SHORT, ROPE_LONG]) {
    if (byName.has(name)) expected.set(name, [sizes.headDim / 2]);
  }

  for (const tensor of file.tensors) {
    const shape = expected.get(tensor.name);
    if (shape !== undefined) checkTensor(file, tensor, shape);
    else if (!REDUNDANT.test(tensor.name)) {
      throw unsupportedModel(
        file.path,
        `tensor ${quote(tensor.name)} has no place in a ${sizes.architecture} model of ${sizes.nLayer} layers as this version knows it; ` +
          'to leave it out would give wrong answers',
      );
    }
  }
}

function checkTensor(file: GgufFile, tensor: GgufTensor, expected: readonly number[]): void {
  const { name, type, shape } = tensor;
  // Trailing extents of 1 mean nothing.
  const actual = [...shape];
  while (actual.length > expected.length && actual.at(-1) === 1) actual.pop();
  if (actual.length !== expected.length || actual.some((extent, axis) => extent !== expected[axis])) {
    throw invalidModel(
      file.path,
      `tensor ${quote(name)} has the shape [${shape.join(', ')}]; the metadata calls for [${expected.join(', ')}]`,
    );
  }
  requireReadable(file, { name, type });
}

/** Throws AppError 'model-unsupported' naming type, tensor and what is supported. */
function requireReadable(file: GgufFile, { name, type }: Pick<GgufTensor, 'name' | 'type'>): void {
  if (READABLE_TYPES.includes(type)) return;
  throw unsupportedModel(
    file.path,
    `tensor ${quote(name)} has type ${type}, which is not supported; supported types: ${READABLE_TYPES.join(', ')}`,
    'Get a version of this model in one of these types, e.g. Q4_K_M or Q8_0.',
  );
}
