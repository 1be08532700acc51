/** Reads what the engine must know of a model's shape from a GGUF file, and refuses what it cannot run, before any work. */

import { phrase } from '../../../contract/phrase.ts';
import { ARCHITECTURES, type Architecture, isArchitecture, TRAITS } from './architectures.ts';
import type { ModelConfig, SlidingWindow } from './config.ts';
import { readRopeScaling } from './config-rope.ts';
import { checkTensors, EMBEDDING, layerTensor, OUTPUT, refuseExperts } from './config-tensors.ts';
import { findTensor } from './gguf.ts';
import { invalidModel, quote, unsupportedModel } from './gguf-errors.ts';
import type { GgufFile } from './gguf-types.ts';

/** Far beyond real models, near enough that sizes made from them stay exact and allocations thinkable. */
export const LIMITS = {
  nLayer: 1024,
  nEmbd: 65536,
  nHead: 1024,
  headDim: 1024,
  nFf: 1 << 20,
  nVocab: 1 << 22,
  context: 2 ** 31 - 1,
};

/**
 * The configuration, with every needed tensor proven to be there in its right shape and a readable type. Throws AppError
 * 'model-unsupported' or 'model-invalid' naming the key or tensor.
 */
export function readConfig(file: GgufFile): ModelConfig {
  const { metadata } = file;
  const architecture = requireSupportedKind(file);
  const traits = TRAITS[architecture];
  refuseExperts(file);

  const key = (name: string) => `${architecture}.${name}`;
  const nLayer = metadata.integer(key('block_count'), { min: 1, max: LIMITS.nLayer });
  const nEmbd = metadata.integer(key('embedding_length'), { min: 1, max: LIMITS.nEmbd });
  const nFf = readPerLayer(file, key('feed_forward_length'), nLayer, LIMITS.nFf);
  const nHead = readPerLayer(file, key('attention.head_count'), nLayer, LIMITS.nHead);
  const kvKey = key('attention.head_count_kv');
  const nHeadKv = metadata.has(kvKey) ? readPerLayer(file, kvKey, nLayer, LIMITS.nHead) : nHead;
  const headDim = readHeadDim(file, key, nEmbd, nHead);
  requireHeads(file.path, { nHead, nHeadKv, headDim });

  const embedding = findTensor(file, EMBEDDING);
  if (embedding === undefined) throw invalidModel(file.path, phrase`tensor "${EMBEDDING}" is missing`);
  const nVocab = embedding.shape[1] ?? 1;
  if (nVocab > LIMITS.nVocab)
    throw invalidModel(file.path, phrase`tensor "${EMBEDDING}" has ${nVocab} rows, more than any vocabulary`);
  const sizes = {
    architecture,
    nLayer,
    nEmbd,
    nHead,
    nHeadKv,
    headDim,
    nFf,
    qkvBias:
      traits.qkvBias === 'always' ||
      (traits.qkvBias === 'optional' && findTensor(file, layerTensor(0, 'attn_q.bias')) !== undefined),
    qkNorm: traits.qkNorm,
  };
  checkTensors({ ...file, storedName: (name) => name }, sizes, nVocab);

  return {
    ...sizes,
    nVocab,
    nTokens: readTokenCount(file, nVocab),
    contextTrained: metadata.integer(key('context_length'), { min: 1, max: LIMITS.context }),
    rmsEps: metadata.number(key('attention.layer_norm_rms_epsilon'), { min: 0, max: 0.1 }),
    ropeTheta: metadata.optionalNumber(key('rope.freq_base'), { min: 1, max: 1e12 }) ?? 10000,
    ropeScaling: readRopeScaling(file, key, headDim),
    activation: traits.activation,
    embeddingScale: traits.scaledEmbedding ? Math.sqrt(nEmbd) : 1,
    slidingWindow: architecture === 'gemma3' ? readGemmaWindow(file, key, nLayer) : null,
    ropeInterleaved: traits.ropeInterleaved,
    tiedEmbeddings: findTensor(file, OUTPUT) === undefined,
  };
}

/** Throws AppError 'model-invalid' for heads that no model can have. */
export function requireHeads(
  path: string,
  { nHead, nHeadKv, headDim }: Pick<ModelConfig, 'nHead' | 'nHeadKv' | 'headDim'>,
): void {
  if (nHead % nHeadKv !== 0) {
    throw invalidModel(path, phrase`${nHead} attention heads cannot share ${nHeadKv} key heads`);
  }
  if (headDim < 2 || headDim > LIMITS.headDim || headDim % 2 !== 0) {
    throw invalidModel(
      path,
      phrase`attention heads of ${headDim} channels are not possible; an even number from 2 to ${LIMITS.headDim} is`,
    );
  }
}

/** The model's architecture. Throws AppError 'model-unsupported' for what is no dense text model of a known one. */
function requireSupportedKind(file: GgufFile): Architecture {
  const { metadata } = file;
  const type = metadata.optionalString('general.type') ?? 'model';
  if (type !== 'model') {
    throw unsupportedModel(
      file.path,
      phrase`this file is not a model of its own but of the kind ${quote(type)}`,
      'Choose the model file it belongs to.',
    );
  }
  const parts = metadata.optionalInteger('split.count', { min: 0 }) ?? 1;
  if (parts > 1) {
    throw unsupportedModel(
      file.path,
      phrase`this is one of ${parts} parts of a split model, which is not supported`,
      'Merge the parts first (llama-gguf-split --merge), or get the model in one file.',
    );
  }
  const architecture = metadata.string('general.architecture');
  if (!isArchitecture(architecture)) {
    throw unsupportedModel(
      file.path,
      phrase`architecture ${quote(architecture)} is not supported; supported: ${ARCHITECTURES.join(', ')}`,
    );
  }
  const experts = metadata.optionalInteger(`${architecture}.expert_count`, { min: 0 }) ?? 0;
  if (experts > 0) {
    throw unsupportedModel(
      file.path,
      phrase`this is a mixture-of-experts model (${experts} experts), an architecture that is not supported`,
      'Choose a model without experts (a dense model).',
    );
  }
  if (metadata.optionalBoolean(`${architecture}.attention.causal`) === false) {
    throw unsupportedModel(
      file.path,
      'this model reads text in both directions (an embedding model) and cannot write any',
    );
  }
  return architecture;
}

/** Throws AppError 'model-unsupported' for what would give wrong answers. */
function readGemmaWindow(file: GgufFile, key: (name: string) => string, nLayer: number): SlidingWindow {
  const { metadata } = file;
  if (nLayer === 62) {
    throw unsupportedModel(file.path, 'the 27B model of gemma3 scales attention in a way that is not supported');
  }
  if ((metadata.optionalNumber(key('final_logit_softcapping')) ?? 0) !== 0) {
    throw unsupportedModel(
      file.path,
      phrase`metadata key "${key('final_logit_softcapping')}" asks for capped logits, which is not supported`,
    );
  }
  return {
    keys: metadata.integer(key('attention.sliding_window'), { min: 1, max: LIMITS.context }),
    globalEvery: 6,
    ropeTheta: metadata.optionalNumber(key('rope.freq_base_swa'), { min: 1, max: 1e12 }) ?? 10000,
  };
}

/** A size that a file may give once or for each layer; sizes that differ between layers are refused by name. */
function readPerLayer(file: GgufFile, key: string, nLayer: number, max: number): number {
  const range = { min: 1, max };
  if (!file.metadata.isArray(key)) return file.metadata.integer(key, range);
  const values = file.metadata.optionalIntegers(key) ?? [];
  if (values.length !== nLayer) {
    throw invalidModel(file.path, phrase`metadata key ${quote(key)} has ${values.length} entries for ${nLayer} layers`);
  }
  const first = values[0] ?? 0;
  const other = values.findIndex((value) => value !== first);
  if (other >= 0) {
    throw unsupportedModel(
      file.path,
      phrase`metadata key ${quote(key)} differs between layers (${first} in layer 0, ${values[other]} in layer ${other}), which is not supported`,
    );
  }
  if (first < 1 || first > max)
    throw invalidModel(file.path, phrase`metadata key ${quote(key)} is ${first}; 1 to ${max} is possible`);
  return first;
}

function readHeadDim(file: GgufFile, key: (name: string) => string, nEmbd: number, nHead: number): number {
  const range = { min: 2, max: LIMITS.headDim };
  const keyLength = file.metadata.optionalInteger(key('attention.key_length'), range);
  if (keyLength === undefined && nEmbd % nHead !== 0) {
    throw invalidModel(file.path, phrase`${nHead} attention heads do not divide the embedding length ${nEmbd}`);
  }
  const headDim = keyLength ?? nEmbd / nHead;
  const valueLength = file.metadata.optionalInteger(key('attention.value_length'), range) ?? headDim;
  if (valueLength !== headDim) {
    throw unsupportedModel(
      file.path,
      phrase`keys of ${headDim} and values of ${valueLength} channels (metadata key "${key('attention.value_length')}") are not supported; they must be equal`,
    );
  }
  const rotated = file.metadata.optionalInteger(key('rope.dimension_count'), { min: 1 }) ?? headDim;
  if (rotated !== headDim) {
    throw unsupportedModel(
      file.path,
      phrase`metadata key "${key('rope.dimension_count')}" is ${rotated} with heads of ${headDim} channels; rotating only a part is not supported`,
    );
  }
  return headDim;
}

function readTokenCount(file: GgufFile, nVocab: number): number {
  const key = 'tokenizer.ggml.tokens';
  const nTokens = file.metadata.strings(key).length;
  if (nTokens === 0) throw invalidModel(file.path, phrase`metadata key "${key}" is empty`);
  if (nTokens > nVocab) {
    throw invalidModel(
      file.path,
      phrase`metadata key "${key}" has ${nTokens} tokens, but tensor "${EMBEDDING}" only ${nVocab} rows`,
    );
  }
  return nTokens;
}
