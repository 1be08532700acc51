/** The tokenizer's data as it comes out of a file, and what is refused by key name (HAND-13, MORE-15). */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { f32s, i32s, type SpecValue, text, texts, tinyVocabulary, u32, writeGguf } from '../testdata/gguf-writer.ts';
import { realModelPath } from '../testdata/real-model.ts';
import { refusal } from '../testdata/refusal.ts';
import { tempDir } from '../testdata/temp-dir.ts';
import { readGguf } from './gguf.ts';
import { readTokenizerSource } from './tokenizer-source.ts';

const path = join(tempDir(), 'model.gguf');

/** The 300-token vocabulary with keys changed or (undefined) left out; keys without their `tokenizer.ggml.`. */
async function source(changes: Record<string, SpecValue | undefined> = {}) {
  const keys: Record<string, SpecValue | undefined> = { ...tinyVocabulary() };
  for (const [name, value] of Object.entries(changes)) keys[`tokenizer.ggml.${name}`] = value;
  const metadata = Object.entries(keys).flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const]));
  writeGguf(path, { metadata, tensors: [] });
  return readTokenizerSource(await readGguf(path));
}

const small = (tokens: string[], types: number[]) => ({
  tokens: texts(tokens),
  token_type: i32s(types),
  eos_token_id: undefined,
  bos_token_id: undefined,
  unknown_token_id: undefined,
  padding_token_id: undefined,
});

describe('readTokenizerSource', () => {
  it('reads the default model', async () => {
    const found = readTokenizerSource(await readGguf(realModelPath()));
    expect(found).toMatchObject({
      model: 'gpt2',
      pre: 'smollm',
      bosId: 1,
      eosId: 2,
      unknownId: 0,
      paddingId: 2,
      addBos: false,
      addSpacePrefix: false,
    });
    expect(found.tokens.length).toBe(49152);
    expect(found.tokens.slice(0, 3)).toEqual(['<|endoftext|>', '<|im_start|>', '<|im_end|>']);
    expect(found.merges?.slice(0, 2)).toEqual(['Ġ t', 'Ġ a']);
    expect(found.endIds).toEqual([2, 0]);
    expect(found.chatTemplate).toContain('You are a helpful AI assistant named SmolLM');
    expect(found).not.toHaveProperty('scores');
  });

  it('takes a SentencePiece vocabulary with scores and no merges (HAND-13 b)', async () => {
    const scores = Array.from({ length: 300 }, (_, id) => -id);
    const found = await source({ model: text('llama'), merges: undefined, scores: f32s(scores) });
    expect(found.scores).toEqual(scores.map((score) => score));
    expect(found).not.toHaveProperty('merges');
  });

  it('collects end tokens from keys and well-known names, the latter only as control tokens', async () => {
    const tokens = ['a', '<|eot_id|>', '<end_of_turn>', '<|im_end|>', '</s>', '<|end|>'];
    const found = await source({ ...small(tokens, [1, 3, 4, 3, 3, 1]), eos_token_id: u32(4), eom_token_id: u32(0) });
    expect(found.endIds).toEqual([4, 0, 1, 3]);
  });

  it('names empty tokens, so that ids stay distinct', async () => {
    const found = await source(small(['a', '', 'b', ''], [1, 1, 1, 1]));
    expect(found.tokens).toEqual(['a', '[EMPTY_1]', 'b', '[EMPTY_3]']);
  });

  const refusals: [what: string, changes: Record<string, SpecValue | undefined>, message: RegExp][] = [
    ['gpt2 without merges (HAND-13 a)', { merges: undefined }, /"tokenizer\.ggml\.merges" is missing/],
    [
      'llama without merges and scores',
      { model: text('llama'), merges: undefined },
      /"tokenizer\.ggml\.scores" and "tokenizer\.ggml\.merges" are both missing/,
    ],
    [
      'a merge without a space (HAND-13 c)',
      { merges: texts(['Ġ t', 'he', 'i n']) },
      /"tokenizer\.ggml\.merges" has the entry "he" \(number 1\)/,
    ],
    ['a merge without a right part', { merges: texts(['a ']) }, /"tokenizer\.ggml\.merges" has the entry "a "/],
    ['a merge without a left part', { merges: texts([' a']) }, /"tokenizer\.ggml\.merges" has the entry " a"/],
    ['an empty merge', { merges: texts(['']) }, /"tokenizer\.ggml\.merges" has the entry ""/],
    ...['eos', 'bos', 'unknown', 'padding', 'eot', 'eom', 'fim_pre', 'mask'].map(
      (name): [string, Record<string, SpecValue>, RegExp] => [
        `${name} id beyond the vocabulary (HAND-13 d, MORE-15)`,
        { [`${name}_token_id`]: u32(300) },
        new RegExp(`"tokenizer\\.ggml\\.${name}_token_id" is 300, but the vocabulary has the ids 0 to 299`),
      ],
    ),
    ['a negative id', { eos_token_id: { type: 'int32', value: -1 } }, /"tokenizer\.ggml\.eos_token_id" is -1/],
    ['an id of 2^32 - 1', { padding_token_id: u32(0xffffffff) }, /"tokenizer\.ggml\.padding_token_id" is 4294967295/],
    ['too few types', { token_type: i32s([1, 2]) }, /"tokenizer\.ggml\.token_type" has 2 entries for 300 tokens/],
    ['an unknown token type', { token_type: i32s(new Array(300).fill(7)) }, /"tokenizer\.ggml\.token_type" is 7/],
    ['too few scores', { scores: f32s([1]) }, /"tokenizer\.ggml\.scores" has 1 entries for 300 tokens/],
    [
      'a score that is no number',
      { scores: f32s(new Array(300).fill(Number.NaN)) },
      /"tokenizer\.ggml\.scores" holds NaN for token 0/,
    ],
    [
      'a token twice',
      small(['a', 'b', 'a'], [1, 1, 1]),
      /"tokenizer\.ggml\.tokens" has the token "a" twice \(ids 0 and 2\)/,
    ],
    ['no tokens', small([], []), /"tokenizer\.ggml\.tokens" is empty/],
    ['tokens that are numbers', { tokens: i32s([1, 2]) }, /"tokenizer\.ggml\.tokens" is a list of int32/],
    ['no tokenizer model', { model: undefined }, /"tokenizer\.ggml\.model" is missing/],
  ];
  for (const [what, changes, message] of refusals) {
    it(`refuses ${what}`, async () => {
      const error = await refusal(() => source(changes));
      expect(error.message).toMatch(message);
      expect(error.kind).toBe('model-invalid');
    });
  }

  it('refuses other kinds of tokenizer as not supported', async () => {
    const error = await refusal(() => source({ model: text('bert') }));
    expect(error.kind).toBe('model-unsupported');
    expect(error.message).toMatch(/tokenizer "bert" .*supported: gpt2, llama/);
  });
});
