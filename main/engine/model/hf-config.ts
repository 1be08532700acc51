/** Reads a model's shape from the config.json beside its safetensors, and refuses what cannot be run, before any work. */

import { type Phrase, phrase, said } from '../../../contract/phrase.ts';
import { type Architecture, TRAITS } from './architectures.ts';
import type { ModelConfig, SlidingWindow } from './config.ts';
import { checkTensors, EMBEDDING, layerTensor, OUTPUT } from './config-tensors.ts';
import { invalidModel, quote, unsupportedModel } from './gguf-errors.ts';
import { readHfRope } from './hf-rope.ts';
import type { JsonFields } from './json-fields.ts';
import type { ModelTensors } from './model-file.ts';
import { LIMITS, requireHeads } from './read-config.ts';

const ARCHITECTURE_OF: Readonly<Record<string, Architecture>> = {
  LlamaForCausalLM: 'llama',
  MistralForCausalLM: 'llama',
  Qwen2ForCausalLM: 'qwen2',
  Qwen3ForCausalLM: 'qwen3',
  Phi3ForCausalLM: 'phi3',
  Gemma3ForCausalLM: 'gemma3',
};

/** Names of each activation in config files. */
const ACTIVATIONS = { silu: ['silu', 'swish'], gelu: ['gelu_pytorch_tanh', 'gelu_tanh', 'gelu_new'] };

/** Throws AppError 'model-unsupported' for what is no dense text model of a known architecture. */
export function hfArchitecture(config: JsonFields): Architecture {
  const [name] = config.optionalArray('architectures') ?? [];
  if (typeof name !== 'string') throw config.bad('architectures', said('does not name an architecture'));
  const architecture = Object.hasOwn(ARCHITECTURE_OF, name) ? ARCHITECTURE_OF[name] : undefined;
  if (architecture !== undefined) return architecture;
  throw unsupportedModel(
    config.path,
    phrase`architecture ${quote(name)} is not supported; supported: ${Object.keys(ARCHITECTURE_OF).join(', ')}`,
  );
}

/**
 * The configuration, with every needed tensor proven to be there in its right shape and a readable type. `nTokens` is the
 * size of the tokenizer's vocabulary. Throws AppError 'model-unsupported' or 'model-invalid' naming the key or tensor.
 */
export function readHfConfig(config: JsonFields, stored: ModelTensors, nTokens: number): ModelConfig {
  const architecture = hfArchitecture(config);
  const traits = TRAITS[architecture];
  refuseVariants(config, architecture);
  const whole = (key: string, max: number) => config.integer(key, { min: 1, max });
  const nHead = whole('num_attention_heads', LIMITS.nHead);
  const nEmbd = whole('hidden_size', LIMITS.nEmbd);
  const contextTrained = whole('max_position_embeddings', LIMITS.context);
  const shape = {
    architecture,
    nLayer: whole('num_hidden_layers', LIMITS.nLayer),
    nEmbd,
    nHead,
    nHeadKv: config.optionalInteger('num_key_value_heads', { min: 1, max: LIMITS.nHead }) ?? nHead,
    headDim: config.optionalInteger('head_dim', { min: 1, max: LIMITS.headDim }) ?? nEmbd / nHead,
    nFf: whole('intermediate_size', LIMITS.nFf),
    qkvBias: traits.qkvBias !== 'never' && stored.tensors.some(({ name }) => name === layerTensor(0, 'attn_q.bias')),
    qkNorm: traits.qkNorm,
  };
  requireHeads(config.path, shape);
  const window = architecture === 'gemma3' ? gemmaWindow(config, shape.nLayer, shape.headDim) : null;

  const nVocab = embeddingRows(config, stored);
  if (nTokens > nVocab) {
    throw invalidModel(config.path, phrase`the tokenizer has ${nTokens} tokens, but the embedding only ${nVocab} rows`);
  }
  // A file may hold the output matrix although the model shares the embedding.
  const tied = config.optionalBoolean('tie_word_embeddings');
  const tensors = stored.tensors.filter(({ name }) => name !== OUTPUT || tied !== true);
  const tiedEmbeddings = !tensors.some(({ name }) => name === OUTPUT);
  if (tied === false && tiedEmbeddings) {
    throw invalidModel(stored.path, phrase`tensor ${quote(stored.storedName(OUTPUT))} is missing`);
  }
  checkTensors({ ...stored, tensors }, shape, nVocab);
  const rope = readHfRope(config, { headDim: shape.headDim, contextTrained });

  return {
    ...shape,
    nVocab,
    nTokens,
    contextTrained,
    rmsEps: config.number('rms_norm_eps', { min: 0, max: 0.1 }),
    ropeTheta: rope.theta,
    ropeScaling: rope.scaling,
    activation: traits.activation,
    embeddingScale: traits.scaledEmbedding ? Math.sqrt(nEmbd) : 1,
    slidingWindow: window && { ...window, ropeTheta: rope.localTheta },
    // Rows of query and key lie in the order of the published weights, whose pairs are half a head apart.
    ropeInterleaved: false,
    tiedEmbeddings,
  };
}

function embeddingRows(config: JsonFields, { path, tensors, storedName }: ModelTensors): number {
  const embedding = tensors.find(({ name }) => name === EMBEDDING);
  if (embedding === undefined) throw invalidModel(path, phrase`tensor ${quote(storedName(EMBEDDING))} is missing`);
  const rows = embedding.shape[1] ?? 1;
  const stated = config.integer('vocab_size', { min: 1, max: LIMITS.nVocab });
  if (stated === rows) return rows;
  throw invalidModel(
    config.path,
    phrase`key "vocab_size" is ${stated}, but tensor ${quote(storedName(EMBEDDING))} has ${rows} rows`,
  );
}

/** Throws AppError 'model-unsupported' for what would give wrong answers. */
function refuseVariants(config: JsonFields, architecture: Architecture): void {
  const refuse = (what: Phrase, action?: string) => unsupportedModel(config.path, what, action);
  const quantized = config.optionalObject('quantization_config');
  if (quantized !== undefined) {
    const method = quantized.optionalString('quant_method') ?? '?';
    throw refuse(
      phrase`its weights are quantised by ${quote(method)}, which is not supported`,
      'Get the unquantised model, or a GGUF version of it.',
    );
  }
  const key = config.raw('hidden_activation') === undefined ? 'hidden_act' : 'hidden_activation';
  const activation = config.optionalString(key);
  if (activation !== undefined && !ACTIVATIONS[TRAITS[architecture].activation].includes(activation)) {
    throw refuse(phrase`activation ${quote(activation)} (key "${key}") is not supported in a ${architecture} model`);
  }
  const rotated = config.optionalNumber('partial_rotary_factor') ?? 1;
  if (rotated !== 1)
    throw refuse(phrase`key "partial_rotary_factor" is ${rotated}; rotating only a part is not supported`);
  for (const capped of ['attn_logit_softcapping', 'final_logit_softcapping']) {
    if (config.optionalNumber(capped) !== undefined)
      throw refuse(phrase`key "${capped}" asks for capped values, which is not supported`);
  }
  if (config.optionalBoolean('use_bidirectional_attention')) {
    throw refuse(said('this model reads text in both directions (an embedding model) and cannot write any'));
  }
  refuseWindows(config, architecture);
}

/** Sliding windows exist in gemma3 only; phi3's is left out as in llama.cpp. */
function refuseWindows(config: JsonFields, architecture: Architecture): void {
  if (architecture === 'gemma3' || architecture === 'phi3') return;
  // Qwen models name a window that they do not use unless this says so.
  const used = architecture === 'llama' || config.optionalBoolean('use_sliding_window') === true;
  const window = used ? config.optionalInteger('sliding_window', { min: 0 }) : undefined;
  if (window === undefined || window >= config.integer('max_position_embeddings', { min: 1 })) return;
  throw unsupportedModel(
    config.path,
    phrase`key "sliding_window" limits attention to ${window} tokens, which is not supported in a ${architecture} model`,
  );
}

function gemmaWindow(config: JsonFields, nLayer: number, headDim: number): Omit<SlidingWindow, 'ropeTheta'> {
  const scalar = config.optionalNumber('query_pre_attn_scalar') ?? headDim;
  if (scalar !== headDim) {
    throw unsupportedModel(
      config.path,
      phrase`key "query_pre_attn_scalar" is ${scalar} with heads of ${headDim} channels, which is not supported`,
    );
  }
  const globalEvery = 6;
  const types = config.optionalArray('layer_types');
  const pattern = config.optionalInteger('sliding_window_pattern', { min: 1 }) ?? globalEvery;
  const odd = types?.findIndex(
    (type, layer) => type !== ((layer + 1) % globalEvery === 0 ? 'full_attention' : 'sliding_attention'),
  );
  if (pattern !== globalEvery || (odd ?? -1) >= 0 || (types !== undefined && types.length !== nLayer)) {
    throw unsupportedModel(config.path, 'only models whose every sixth layer sees all tokens are supported');
  }
  return { keys: config.integer('sliding_window', { min: 1, max: LIMITS.context }), globalEvery };
}
