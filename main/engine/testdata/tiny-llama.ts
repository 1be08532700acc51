/** A whole model with random weights and a 300-token vocabulary: small enough to write anew in each test, and it runs. */
import { type Architecture, TRAITS } from '../model/architectures.ts';
import {
  bool,
  f32,
  type GgufSpec,
  i32s,
  type SpecTensor,
  type SpecValue,
  text,
  texts,
  u32,
  writeGguf,
} from './gguf-encode.ts';
import { type Random, randomTensor, seededRandom } from './random-tensor.ts';

export interface TinyLlamaOptions {
  /** Default llama. */
  architecture?: Architecture;
  /** Biases of query, key and value. Default: what the architecture always has. */
  bias?: boolean;
  /** Divisors [headDim / 2] of rotary frequencies for contexts up to the original one, and beyond it. */
  longRope?: { short: readonly number[]; long: readonly number[] };
  layers?: number;
  heads?: number;
  kvHeads?: number;
  headDim?: number;
  hidden?: number;
  ff?: number;
  /** Rows of the embedding, at least 300; rows beyond are padding without tokens. */
  vocab?: number;
  context?: number;
  ropeTheta?: number;
  seed?: number;
  /**
   * Storage type of matrices: one for all, or by the part of the name between layer and `.weight`, e.g. `attn_q`,
   * `ffn_down`, `token_embd`, `output`; `default` for the rest. K types need rows of a multiple of 256. Default F32.
   */
  types?: string | Record<string, string>;
  /** Without an output matrix the embedding serves as one. Default true. */
  tied?: boolean;
  /** Metadata to put in place of the usual value, to add, or (undefined) to leave out. */
  metadata?: Record<string, SpecValue | undefined>;
  /** Names of tensors to leave out. */
  without?: readonly string[];
}

export const TINY_TOKENS = 300;
export const TINY_IM_START = 1;
export const TINY_IM_END = 2;
/** A user-defined token (type 4), visible in text. */
export const TINY_THINK = 299;
export const TINY_TEMPLATE =
  "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' + '\\n' }}" +
  "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}";

const MERGES =
  'Ġ t|Ġ a|h e|i n|r e|o n|e r|Ġt he|a t|Ġ s|Ġ o|e n|Ġ c|Ġ w|n d|i t|o u|i s|Ġ f|in g|e s|o r|Ġ b|Ġ p|e d|Ġa nd|a n|a r|' +
  'Ġt o|Ġo f|l l|Ġ in|Ġ h|Ġ m|a l|l e|i c|Ġ d|c h|Ġ n';

/** Writes the model to `path`. Same options, same bytes. */
export function writeTinyLlama(path: string, options: TinyLlamaOptions = {}): void {
  writeGguf(path, tinyLlama(options));
}

/** The model's description, for tests that change it before they write it. */
export function tinyLlama(options: TinyLlamaOptions = {}): GgufSpec {
  const metadata = new Map(Object.entries(usualMetadata(options)));
  for (const [key, value] of Object.entries(options.metadata ?? {})) {
    if (value === undefined) metadata.delete(key);
    else metadata.set(key, value);
  }
  const tensors = allTensors(options).filter(({ name }) => !options.without?.includes(name));
  return { metadata: [...metadata], tensors };
}

function sizes(options: TinyLlamaOptions) {
  const { layers = 2, heads = 4, kvHeads = 2, headDim = 16, hidden = 64, ff = 128, vocab = TINY_TOKENS } = options;
  return { layers, heads, kvHeads, headDim, hidden, ff, vocab };
}

function usualMetadata(options: TinyLlamaOptions): Record<string, SpecValue> {
  const { layers, heads, kvHeads, headDim, hidden, ff } = sizes(options);
  const { architecture = 'llama' } = options;
  return {
    'general.architecture': text(architecture),
    'general.name': text('Tiny model of random weights'),
    [`${architecture}.block_count`]: u32(layers),
    [`${architecture}.context_length`]: u32(options.context ?? 512),
    [`${architecture}.embedding_length`]: u32(hidden),
    [`${architecture}.feed_forward_length`]: u32(ff),
    [`${architecture}.attention.head_count`]: u32(heads),
    [`${architecture}.attention.head_count_kv`]: u32(kvHeads),
    [`${architecture}.attention.key_length`]: u32(headDim),
    [`${architecture}.attention.value_length`]: u32(headDim),
    [`${architecture}.attention.layer_norm_rms_epsilon`]: f32(1e-5),
    [`${architecture}.rope.dimension_count`]: u32(headDim),
    [`${architecture}.rope.freq_base`]: f32(options.ropeTheta ?? 10000),
    ...(architecture === 'gemma3' ? { 'gemma3.attention.sliding_window': u32(16) } : {}),
    ...tinyVocabulary(),
  };
}

/** 300 tokens: three control tokens, the 256 bytes, 40 merges, one user-defined token. */
export function tinyTokens(): { tokens: string[]; merges: string[] } {
  const merges = MERGES.split('|');
  const joined = merges.map((pair) => pair.replace(' ', ''));
  return { tokens: ['<|endoftext|>', '<|im_start|>', '<|im_end|>', ...byteAlphabet(), ...joined, '<think>'], merges };
}

/** The tokenizer.* keys of these tokens. */
export function tinyVocabulary(): Record<string, SpecValue> {
  const { tokens, merges } = tinyTokens();
  const types = tokens.map((_, id) => (id < 3 ? 3 : id === TINY_THINK ? 4 : 1));
  return {
    'tokenizer.ggml.model': text('gpt2'),
    'tokenizer.ggml.pre': text('gpt-2'),
    'tokenizer.ggml.tokens': texts(tokens),
    'tokenizer.ggml.token_type': i32s(types),
    'tokenizer.ggml.merges': texts(merges),
    'tokenizer.ggml.bos_token_id': u32(TINY_IM_START),
    'tokenizer.ggml.eos_token_id': u32(TINY_IM_END),
    'tokenizer.ggml.unknown_token_id': u32(0),
    'tokenizer.ggml.padding_token_id': u32(TINY_IM_END),
    'tokenizer.ggml.add_bos_token': bool(false),
    'tokenizer.ggml.add_space_prefix': bool(false),
    'tokenizer.chat_template': text(TINY_TEMPLATE),
  };
}

/** GPT-2's printable stand-ins for the 256 bytes, in its order: printable bytes as they are, the others from U+0100 on. */
function byteAlphabet(): string[] {
  const printable = (byte: number) => (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
  const bytes = Array.from({ length: 256 }, (_, byte) => byte);
  const others = bytes.filter((byte) => !printable(byte));
  return [
    ...bytes.filter(printable).map((byte) => String.fromCharCode(byte)),
    ...others.map((_, index) => String.fromCharCode(256 + index)),
  ];
}

function allTensors(options: TinyLlamaOptions): SpecTensor[] {
  const { layers, heads, kvHeads, headDim, hidden, ff, vocab } = sizes(options);
  const { fused } = TRAITS[options.architecture ?? 'llama'];
  const random = seededRandom(options.seed ?? 1);
  const matrix = (prefix: string, part: string, cols: number, rows: number, rms = 1 / Math.sqrt(cols)): SpecTensor => {
    const type = typeOf(options.types, part);
    return {
      name: `${prefix}${part}.weight`,
      type,
      shape: [cols, rows],
      data: randomTensor(type, cols * rows, rms, random),
    };
  };
  const tensors = [matrix('', 'token_embd', hidden, vocab, 3 / Math.sqrt(hidden))];
  for (let layer = 0; layer < layers; layer++) {
    const prefix = `blk.${layer}.`;
    tensors.push(
      norm(`${prefix}attn_norm.weight`, hidden, random),
      ...(fused
        ? [matrix(prefix, 'attn_qkv', hidden, (heads + 2 * kvHeads) * headDim)]
        : [
            matrix(prefix, 'attn_q', hidden, heads * headDim),
            matrix(prefix, 'attn_k', hidden, kvHeads * headDim),
            matrix(prefix, 'attn_v', hidden, kvHeads * headDim),
          ]),
      ...biases(prefix, options, random),
      ...headNorms(prefix, options, random),
      ...postNorms(prefix, options, random),
      matrix(prefix, 'attn_output', heads * headDim, hidden),
      norm(`${prefix}ffn_norm.weight`, hidden, random),
      ...(fused ? [] : [matrix(prefix, 'ffn_gate', hidden, ff)]),
      matrix(prefix, 'ffn_up', hidden, fused ? 2 * ff : ff),
      matrix(prefix, 'ffn_down', ff, hidden),
    );
  }
  tensors.push(norm('output_norm.weight', hidden, random));
  for (const [name, factors] of Object.entries(options.longRope ?? {})) {
    const values = Float32Array.from(factors);
    tensors.push({
      name: `rope_factors_${name}.weight`,
      type: 'F32',
      shape: [values.length],
      data: Buffer.from(values.buffer),
    });
  }
  if (options.tied === false) tensors.push(matrix('', 'output', hidden, vocab, 3 / Math.sqrt(hidden)));
  return tensors;
}

function typeOf(types: TinyLlamaOptions['types'], part: string): string {
  if (typeof types === 'string') return types;
  return types?.[part] ?? types?.default ?? 'F32';
}

function biases(prefix: string, options: TinyLlamaOptions, random: Random): SpecTensor[] {
  const { architecture = 'llama' } = options;
  const { bias = TRAITS[architecture].qkvBias === 'always' } = options;
  if (!bias) return [];
  const { heads, kvHeads, headDim } = sizes(options);
  const lengths = { attn_q: heads * headDim, attn_k: kvHeads * headDim, attn_v: kvHeads * headDim };
  return Object.entries(lengths).map(([part, length]) => ({
    name: `${prefix}${part}.bias`,
    type: 'F32',
    shape: [length],
    data: randomTensor('F32', length, 0.5, random),
  }));
}

function headNorms(prefix: string, options: TinyLlamaOptions, random: Random): SpecTensor[] {
  if (!TRAITS[options.architecture ?? 'llama'].qkNorm) return [];
  const { headDim } = sizes(options);
  return ['attn_q_norm', 'attn_k_norm'].map((part) => norm(`${prefix}${part}.weight`, headDim, random));
}

function postNorms(prefix: string, options: TinyLlamaOptions, random: Random): SpecTensor[] {
  if (!TRAITS[options.architecture ?? 'llama'].postNorm) return [];
  const { hidden } = sizes(options);
  return ['post_attention_norm', 'post_ffw_norm'].map((part) => norm(`${prefix}${part}.weight`, hidden, random));
}

function norm(name: string, length: number, random: Random): SpecTensor {
  const values = Float32Array.from({ length }, () => 0.8 + 0.4 * random());
  return { name, type: 'F32', shape: [length], data: Buffer.from(values.buffer) };
}
