/**
 * Writes folders as Hugging Face publishes models, for tests: the same random weights that `writeTinyLlama` puts into a GGUF,
 * in the order, under the names and with the offsets that these files have.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SpecTensor } from './gguf-encode.ts';
import { TINY_TEMPLATE, TINY_THINK, type TinyLlamaOptions, tinyLlama, tinyTokens } from './tiny-llama.ts';

export interface HfOptions extends TinyLlamaOptions {
  /** Number of .safetensors files; with several there is an index. Default 1. */
  shards?: number;
  /** Keys of config.json to put in place of the usual value, to add, or (undefined) to leave out. */
  config?: Record<string, unknown>;
}

/** A tensor's header entry as the format has it. */
export interface HeaderEntry {
  dtype: string;
  shape: number[];
  data_offsets: [number, number];
}

const CLASSES = {
  llama: 'LlamaForCausalLM',
  qwen2: 'Qwen2ForCausalLM',
  qwen3: 'Qwen3ForCausalLM',
  phi3: 'Phi3ForCausalLM',
  gemma3: 'Gemma3ForCausalLM',
};

/** Writes the model that `writeTinyLlama` writes with the same options into the folder `dir`, which is made. */
export function writeHfModel(dir: string, options: HfOptions = {}): void {
  mkdirSync(dir, { recursive: true });
  const config = Object.entries({ ...tinyConfig(options), ...options.config }).filter(
    ([, value]) => value !== undefined,
  );
  writeFileSync(join(dir, 'config.json'), JSON.stringify(Object.fromEntries(config)));
  writeFileSync(join(dir, 'tokenizer.json'), JSON.stringify(tinyTokenizerJson()));
  const settings = {
    add_bos_token: false,
    bos_token: '<|im_start|>',
    eos_token: { content: '<|im_end|>' },
    pad_token: '<|im_end|>',
    unk_token: '<|endoftext|>',
    chat_template: TINY_TEMPLATE,
  };
  writeFileSync(join(dir, 'tokenizer_config.json'), JSON.stringify(settings));
  const tensors = hfTensors(options);
  const { shards = 1 } = options;
  if (shards === 1) {
    writeFileSync(join(dir, 'model.safetensors'), encodeSafetensors(tensors));
    return;
  }
  const weightMap: Record<string, string> = {};
  for (let shard = 0; shard < shards; shard++) {
    const name = `model-0000${shard + 1}-of-0000${shards}.safetensors`;
    const part = tensors.filter((_, i) => i % shards === shard);
    for (const tensor of part) weightMap[tensor.name] = name;
    writeFileSync(join(dir, name), encodeSafetensors(part));
  }
  writeFileSync(join(dir, 'model.safetensors.index.json'), JSON.stringify({ metadata: {}, weight_map: weightMap }));
}

/** The bytes of a file with these tensors. `change` may spoil the header before it is written. */
export function encodeSafetensors(
  tensors: readonly SpecTensor[],
  change: (header: Record<string, HeaderEntry>) => void = () => {},
): Buffer {
  const header: Record<string, HeaderEntry> = {};
  let end = 0;
  for (const { name, type, shape, data } of tensors) {
    header[name] = { dtype: String(type), shape: shape.map(Number).reverse(), data_offsets: [end, end + data.length] };
    end += data.length;
  }
  change(header);
  const text = Buffer.from(JSON.stringify({ __metadata__: { format: 'pt' }, ...header }));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  return Buffer.concat([length, text, ...tensors.map(({ data }) => data)]);
}

/** tokenizer.json of the 300 tokens that `tinyVocabulary` describes. */
export function tinyTokenizerJson(): Record<string, unknown> {
  const { tokens, merges } = tinyTokens();
  const special = tokens.slice(0, 3).map((content, id) => ({ id, content, special: true }));
  return {
    version: '1.0',
    added_tokens: [...special, { id: TINY_THINK, content: '<think>', special: false }],
    normalizer: null,
    pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true },
    post_processor: { type: 'ByteLevel', add_prefix_space: true, trim_offsets: false },
    decoder: { type: 'ByteLevel' },
    model: {
      type: 'BPE',
      unk_token: null,
      byte_fallback: false,
      ignore_merges: false,
      vocab: Object.fromEntries(tokens.slice(0, TINY_THINK).map((token, id) => [token, id])),
      merges: merges.map((merge) => merge.split(' ')),
    },
  };
}

function tinyConfig(options: TinyLlamaOptions): Record<string, unknown> {
  const { layers = 2, heads = 4, kvHeads = 2, headDim = 16, hidden = 64, ff = 128, vocab = 300 } = options;
  const { architecture = 'llama', tied = true, ropeTheta = 10000, context = 512 } = options;
  return {
    architectures: [CLASSES[architecture]],
    model_type: architecture,
    num_hidden_layers: layers,
    num_attention_heads: heads,
    num_key_value_heads: kvHeads,
    head_dim: headDim,
    hidden_size: hidden,
    intermediate_size: ff,
    vocab_size: vocab,
    max_position_embeddings: context,
    rms_norm_eps: 1e-5,
    rope_theta: ropeTheta,
    tie_word_embeddings: tied,
    bos_token_id: 1,
    eos_token_id: [2],
    ...(architecture === 'gemma3'
      ? { hidden_activation: 'gelu_pytorch_tanh', sliding_window: 16, query_pre_attn_scalar: headDim }
      : { hidden_act: 'silu' }),
  };
}

function hfTensors(options: TinyLlamaOptions): SpecTensor[] {
  const { architecture = 'llama', headDim = 16 } = options;
  return tinyLlama(options)
    .tensors.filter(({ name }) => !name.startsWith('rope_'))
    .map((tensor) => {
      const name = hfName(tensor.name, architecture);
      // GGUF files of this architecture have the pairs of a head's rows side by side, these have them half a head apart.
      const paired = architecture === 'llama' && /attn_[qk]\./.test(tensor.name);
      const lessOne = architecture === 'gemma3' && /norm/.test(tensor.name);
      const data = paired ? halvesApart(tensor, headDim) : lessOne ? minusOne(tensor.data) : tensor.data;
      return { ...tensor, name, data };
    });
}

function hfName(name: string, architecture: keyof typeof CLASSES): string {
  const parts: [string, string][] = [
    ['blk.', 'model.layers.'],
    ['attn_q_norm', 'self_attn.q_norm'],
    ['attn_k_norm', 'self_attn.k_norm'],
    ['attn_qkv.', 'self_attn.qkv_proj.'],
    ['attn_q.', 'self_attn.q_proj.'],
    ['attn_k.', 'self_attn.k_proj.'],
    ['attn_v.', 'self_attn.v_proj.'],
    ['attn_output.', 'self_attn.o_proj.'],
    ['attn_norm', 'input_layernorm'],
    ['post_attention_norm', 'post_attention_layernorm'],
    ['post_ffw_norm', 'post_feedforward_layernorm'],
    ['ffn_norm', architecture === 'gemma3' ? 'pre_feedforward_layernorm' : 'post_attention_layernorm'],
    ['ffn_gate.', 'mlp.gate_proj.'],
    ['ffn_up.', architecture === 'phi3' ? 'mlp.gate_up_proj.' : 'mlp.up_proj.'],
    ['ffn_down.', 'mlp.down_proj.'],
    ['token_embd', 'model.embed_tokens'],
    ['output_norm', 'model.norm'],
  ];
  if (name === 'output.weight') return 'lm_head.weight';
  return parts.reduce((made, [ours, theirs]) => made.replace(ours, theirs), name);
}

/** Rows 0, 2, 4 .. of each head before its rows 1, 3, 5 .. */
function halvesApart({ data, shape }: SpecTensor, headDim: number): Buffer {
  const rows = Number(shape.at(-1));
  const rowBytes = data.length / rows;
  const order = Array.from({ length: rows }, (_, row) => {
    const at = row % headDim;
    return row - at + (at < headDim / 2 ? 2 * at : 2 * (at - headDim / 2) + 1);
  });
  return Buffer.concat(order.map((row) => data.subarray(row * rowBytes, (row + 1) * rowBytes)));
}

function minusOne(data: Uint8Array): Buffer {
  const values = new Float32Array(new Uint8Array(data).buffer).map((value) => value - 1);
  return Buffer.from(values.buffer);
}
