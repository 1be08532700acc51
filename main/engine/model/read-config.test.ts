/** What is read from a llama's metadata and tensors, and what is refused by name (HAND-06, 10, 11, 14, MORE-01, 02). */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ErrorKind } from '../../../contract/errors.ts';
import {
  bool,
  encodeFloats,
  f32,
  type GgufSpec,
  i32s,
  type SpecTensor,
  type TinyLlamaOptions,
  text,
  texts,
  tinyLlama,
  u32,
  writeGguf,
} from '../testdata/gguf-writer.ts';
import { realModelPath } from '../testdata/real-model.ts';
import { refusal } from '../testdata/refusal.ts';
import { tempDir } from '../testdata/temp-dir.ts';
import { readGguf } from './gguf.ts';
import { readConfig } from './read-config.ts';

const path = join(tempDir(), 'model.gguf');

async function configOf(spec: GgufSpec) {
  writeGguf(path, spec);
  return readConfig(await readGguf(path));
}
const tiny = (options: TinyLlamaOptions = {}) => configOf(tinyLlama(options));

/** The tiny model with one tensor replaced or, where there is none of that name, added. */
function withTensor(tensor: SpecTensor, options: TinyLlamaOptions = {}): GgufSpec {
  const { metadata, tensors } = tinyLlama({ ...options, without: [tensor.name] });
  return { metadata, tensors: [...tensors, tensor] };
}
const floats = (name: string, ...shape: number[]): SpecTensor => ({
  name,
  type: 'F32',
  shape,
  data: Buffer.alloc(4 * shape.reduce((product, extent) => product * extent, 1)),
});

describe('readConfig', () => {
  it('reads the default model', async () => {
    const config = readConfig(await readGguf(realModelPath()));
    expect(config).toEqual({
      architecture: 'llama',
      nLayer: 30,
      nEmbd: 576,
      nHead: 9,
      nHeadKv: 3,
      headDim: 64,
      nFf: 1536,
      nVocab: 49152,
      nTokens: 49152,
      contextTrained: 8192,
      rmsEps: Math.fround(1e-5),
      ropeTheta: 100000,
      ropeScaling: { type: 'none' },
      ropeInterleaved: true,
      qkvBias: false,
      qkNorm: false,
      activation: 'silu',
      embeddingScale: 1,
      slidingWindow: null,
      tiedEmbeddings: true,
    });
  });

  it('takes sizes from the file, not from the usual relations', async () => {
    // 3 heads x 20 channels are not the hidden size.
    const config = await tiny({ layers: 3, heads: 3, kvHeads: 1, headDim: 20, hidden: 48, ff: 80 });
    expect(config).toMatchObject({ nLayer: 3, nHead: 3, nHeadKv: 1, headDim: 20, nEmbd: 48, nFf: 80 });
  });

  it('fills in what older files leave out', async () => {
    const metadata = Object.fromEntries(
      [
        'attention.head_count_kv',
        'attention.key_length',
        'attention.value_length',
        'rope.dimension_count',
        'rope.freq_base',
      ].map((name) => [`llama.${name}`, undefined]),
    );
    expect(await tiny({ kvHeads: 4, metadata })).toMatchObject({ nHeadKv: 4, headDim: 16, ropeTheta: 10000 });
  });

  it('uses the embedding as output matrix only where there is no other (HAND-10)', async () => {
    expect((await tiny({ tied: true })).tiedEmbeddings).toBe(true);
    expect((await tiny({ tied: false })).tiedEmbeddings).toBe(false);
  });

  it('tells padding rows from tokens (HAND-14)', async () => {
    expect(await tiny({ vocab: 320 })).toMatchObject({ nVocab: 320, nTokens: 300 });
  });

  it('takes equal key head counts per layer, however many (HAND-11)', async () => {
    expect((await tiny({ metadata: { 'llama.attention.head_count_kv': i32s([2, 2]) } })).nHeadKv).toBe(2);
    const layers = 70;
    const metadata = { 'llama.attention.head_count_kv': i32s(new Array(layers).fill(2)) };
    expect((await tiny({ layers, hidden: 32, ff: 32, metadata })).nHeadKv).toBe(2);
  });

  it('takes Q4_K_M-like mixtures of types (HAND-08)', async () => {
    const types = { default: 'Q4_K', attn_v: 'Q6_K', ffn_down: 'Q5_0', token_embd: 'Q8_0', attn_output: 'BF16' };
    expect(await tiny({ hidden: 256, headDim: 64, ff: 256, types })).toMatchObject({ nEmbd: 256 });
  });
});

describe('rope scaling', () => {
  const scaled = async (keys: Record<string, ReturnType<typeof u32>>) =>
    (
      await tiny({
        metadata: Object.fromEntries(Object.entries(keys).map(([name, value]) => [`llama.rope.${name}`, value])),
      })
    ).ropeScaling;

  it('reads none, linear and llama3', async () => {
    expect(await scaled({ 'scaling.type': text('none') })).toEqual({ type: 'none' });
    expect(await scaled({ 'scaling.type': text('linear'), 'scaling.factor': f32(2) })).toEqual({
      type: 'linear',
      factor: 2,
    });
    expect(await scaled({ scale_linear: f32(4) })).toEqual({ type: 'linear', factor: 4 });
    expect(await scaled({ 'scaling.factor': f32(1) })).toEqual({ type: 'none' });
    const llama3 = {
      'scaling.type': text('llama3'),
      'scaling.factor': f32(8),
      'scaling.low_freq_factor': f32(1),
      'scaling.high_freq_factor': f32(4),
      'scaling.original_context_length': u32(8192),
    };
    expect(await scaled(llama3)).toEqual({
      type: 'llama3',
      factor: 8,
      lowFreqFactor: 1,
      highFreqFactor: 4,
      originalContext: 8192,
    });
  });

  it('reads the factors that Llama 3 files carry', async () => {
    const factors = [1, 1, 1, 1.5, 2, 4, 8, 32];
    const data = encodeFloats('F32', Float32Array.from(factors));
    const spec = withTensor({ name: 'rope_freqs.weight', type: 'F32', shape: [8], data });
    expect((await configOf(spec)).ropeScaling).toEqual({ type: 'factors', factors });
  });

  it('refuses factors that are not positive numbers', async () => {
    for (const bad of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      const data = encodeFloats('F32', Float32Array.from([1, 1, 1, 1, bad, 1, 1, 1]));
      const error = await refusal(() =>
        configOf(withTensor({ name: 'rope_freqs.weight', type: 'F32', shape: [8], data })),
      );
      expect(error.message).toMatch(/"rope_freqs\.weight" holds/);
    }
  });
});

/** [what is wrong, the model, the kind of refusal, its reason] */
const refusals: [what: string, spec: () => GgufSpec, kind: ErrorKind, message: RegExp][] = [
  [
    'a missing embedding (HAND-10)',
    () => tinyLlama({ without: ['token_embd.weight'] }),
    'model-invalid',
    /"token_embd\.weight" is missing/,
  ],
  [
    'a missing layer tensor',
    () => tinyLlama({ without: ['blk.1.ffn_up.weight'] }),
    'model-invalid',
    /"blk\.1\.ffn_up\.weight" is missing/,
  ],
  [
    'a missing final norm',
    () => tinyLlama({ without: ['output_norm.weight'] }),
    'model-invalid',
    /"output_norm\.weight" is missing/,
  ],
  ...[
    'block_count',
    'embedding_length',
    'feed_forward_length',
    'context_length',
    'attention.head_count',
    'attention.layer_norm_rms_epsilon',
  ].map((name): [string, () => GgufSpec, ErrorKind, RegExp] => [
    `a missing ${name}`,
    () => tinyLlama({ metadata: { [`llama.${name}`]: undefined } }),
    'model-invalid',
    new RegExp(`"llama\\.${name}" is missing`),
  ]),
  [
    'no architecture',
    () => tinyLlama({ metadata: { 'general.architecture': undefined } }),
    'model-invalid',
    /"general\.architecture" is missing/,
  ],
  [
    'another architecture',
    () => tinyLlama({ metadata: { 'general.architecture': text('gemma2') } }),
    'model-unsupported',
    /architecture "gemma2" is not supported; supported: llama, qwen2, qwen3, phi3, gemma3/,
  ],
  [
    'an adapter',
    () => tinyLlama({ metadata: { 'general.type': text('adapter') } }),
    'model-unsupported',
    /of the kind "adapter"/,
  ],
  [
    'a part of a split model',
    () => tinyLlama({ metadata: { 'split.count': u32(3) } }),
    'model-unsupported',
    /one of 3 parts/,
  ],
  [
    'an embedding model',
    () => tinyLlama({ metadata: { 'llama.attention.causal': bool(false) } }),
    'model-unsupported',
    /both directions/,
  ],
  [
    'experts by key (MORE-02)',
    () => tinyLlama({ metadata: { 'llama.expert_count': u32(8) } }),
    'model-unsupported',
    /mixture-of-experts model \(8 experts\)/,
  ],
  [
    'experts by tensor (MORE-02)',
    () => withTensor(floats('blk.0.ffn_up_exps.weight', 64, 128, 2), { without: ['blk.0.ffn_up.weight'] }),
    'model-unsupported',
    /mixture-of-experts model \(tensor "blk\.0\.ffn_up_exps\.weight"\)/,
  ],
  [
    'a mixed key head count (HAND-11)',
    () => tinyLlama({ metadata: { 'llama.attention.head_count_kv': i32s([2, 1]) } }),
    'model-unsupported',
    /"llama\.attention\.head_count_kv" differs between layers \(2 in layer 0, 1 in layer 1\)/,
  ],
  [
    'a first key head count of 0 (HAND-11)',
    () => tinyLlama({ metadata: { 'llama.attention.head_count_kv': i32s([0, 2]) } }),
    'model-unsupported',
    /"llama\.attention\.head_count_kv" differs/,
  ],
  [
    'key head counts of 0',
    () => tinyLlama({ metadata: { 'llama.attention.head_count_kv': i32s([0, 0]) } }),
    'model-invalid',
    /"llama\.attention\.head_count_kv" is 0/,
  ],
  [
    'too few key head counts',
    () => tinyLlama({ metadata: { 'llama.attention.head_count_kv': i32s([2]) } }),
    'model-invalid',
    /"llama\.attention\.head_count_kv" has 1 entries for 2 layers/,
  ],
  [
    'heads that key heads do not divide',
    () => tinyLlama({ kvHeads: 3 }),
    'model-invalid',
    /4 attention heads cannot share 3 key heads/,
  ],
  ['an odd head', () => tinyLlama({ headDim: 15 }), 'model-invalid', /heads of 15 channels/],
  [
    'keys unlike values',
    () => tinyLlama({ metadata: { 'llama.attention.value_length': u32(32) } }),
    'model-unsupported',
    /"llama\.attention\.value_length"/,
  ],
  [
    'rotation of a part',
    () => tinyLlama({ metadata: { 'llama.rope.dimension_count': u32(8) } }),
    'model-unsupported',
    /"llama\.rope\.dimension_count" is 8/,
  ],
  [
    'yarn (MORE-01)',
    () => tinyLlama({ metadata: { 'llama.rope.scaling.type': text('yarn') } }),
    'model-unsupported',
    /rope scaling "yarn"/,
  ],
  [
    'an attention factor',
    () => tinyLlama({ metadata: { 'llama.rope.scaling.attn_factor': f32(1.5) } }),
    'model-unsupported',
    /"llama\.rope\.scaling\.attn_factor" is 1\.5/,
  ],
  [
    '0 layers',
    () => tinyLlama({ metadata: { 'llama.block_count': u32(0) } }),
    'model-invalid',
    /"llama\.block_count" is 0/,
  ],
  [
    'fewer layers than tensors',
    () => tinyLlama({ metadata: { 'llama.block_count': u32(1) } }),
    'model-unsupported',
    /"blk\.1\.attn_norm\.weight" has no place in a llama model of 1 layers/,
  ],
  [
    'an epsilon of infinity',
    () => tinyLlama({ metadata: { 'llama.attention.layer_norm_rms_epsilon': f32(Number.POSITIVE_INFINITY) } }),
    'model-invalid',
    /layer_norm_rms_epsilon" is Infinity/,
  ],
  [
    'a number as text',
    () => tinyLlama({ metadata: { 'llama.block_count': text('2') } }),
    'model-invalid',
    /"llama\.block_count" is string/,
  ],
  [
    'a transposed matrix',
    () => withTensor(floats('blk.0.ffn_down.weight', 64, 128)),
    'model-invalid',
    /"blk\.0\.ffn_down\.weight" has the shape \[64, 128\]; the metadata calls for \[128, 64\]/,
  ],
  [
    'an output matrix of another vocabulary',
    () => withTensor(floats('output.weight', 64, 299)),
    'model-invalid',
    /"output\.weight" has the shape \[64, 299\]/,
  ],
  [
    'more tokens than rows',
    () => withTensor(floats('token_embd.weight', 64, 299)),
    'model-invalid',
    /300 tokens, but tensor "token_embd\.weight" only 299 rows/,
  ],
  [
    'no tokens',
    () => tinyLlama({ metadata: { 'tokenizer.ggml.tokens': texts([]) } }),
    'model-invalid',
    /"tokenizer\.ggml\.tokens" is empty/,
  ],
  [
    'a bias, which would be left out',
    () => withTensor(floats('blk.0.attn_output.bias', 64)),
    'model-unsupported',
    /"blk\.0\.attn_output\.bias" has no place/,
  ],
  ...(['IQ2_XXS', 'IQ4_XS', 'Q2_K', 'Q3_K'] as const).map((type): [string, () => GgufSpec, ErrorKind, RegExp] => [
    `the type ${type} (HAND-06)`,
    () => {
      const bytes = { IQ2_XXS: 66, IQ4_XS: 136, Q2_K: 84, Q3_K: 110 }[type];
      const tensor = { name: 'blk.0.attn_q.weight', type, shape: [256, 64], data: Buffer.alloc(64 * bytes, 1) };
      return withTensor(tensor, { hidden: 256 });
    },
    'model-unsupported',
    new RegExp(
      `"blk\\.0\\.attn_q\\.weight" has type ${type}, which is not supported; supported types: F32, F16, BF16, Q4_0,.*Q6_K`,
    ),
  ]),
];

describe('refusals', () => {
  for (const [what, spec, kind, message] of refusals) {
    it(`refuses ${what}`, async () => {
      const error = await refusal(() => configOf(spec()));
      expect(error.message).toMatch(message);
      expect(error.message).toContain('model.gguf');
      expect(error.kind).toBe(kind);
    });
  }
});
