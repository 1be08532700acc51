import { describe, expect, it } from 'vitest';
import { createTokenizer } from './create-tokenizer.ts';
import { bpeSource } from './testdata/bpe-source.ts';

/** Pieces of a text, seen through merges that join whatever stays together. */
function pieces(pre: string, text: string): string[] {
  const merges = ['1 2', '12 3', '123 4', '! !', '!! Ċ', "' S", "' s", 'A b', 'Ġ Ġ', 'Ġ x', '/ /', '. x'];
  const tokenizer = createTokenizer(bpeSource({ merges }, { pre }));
  return tokenizer.encode(text, { addSpecial: false }).map((id) => Buffer.from(tokenizer.bytes(id)).toString());
}

describe('pre-tokenizers, as the models cut', () => {
  it.each([
    ['gpt-2', '1234', ['1234']],
    ['smollm', '1234', ['1', '2', '3', '4']],
    ['qwen2', '1234', ['1', '2', '3', '4']],
    ['llama-bpe', '1234', ['123', '4']],
    ['deepseek-v3', '1234', ['123', '4']],
    ['tekken', '1234', ['1', '2', '3', '4']],
    ['gpt-4o', '1234', ['123', '4']],
    ['falcon', '1234', ['123', '4']],
    ['gpt-2', '!!\n', ['!!', '\n']],
    ['llama-bpe', '!!\n', ['!!\n']],
    ['llama-bpe', "A'S", ['A', "'S"]],
    ['gpt-2', "A'S", ['A', "'", 'S']],
    ['gpt-2', '   x', ['  ', ' x']],
    ['llama-bpe', '.x', ['.x']],
    ['gpt-2', '.x', ['.', 'x']],
  ])('%s: %j', (pre, text, expected) => {
    expect(pieces(pre, text)).toEqual(expected);
  });

  it('knows digits beyond ASCII', () => {
    const source = bpeSource({ merges: ['Ù ¤', 'Ù¤ Ù'] });
    const tokenizer = createTokenizer({ ...source, pre: 'smollm' });
    // Two Arabic fours, each its own piece: the merge across them is not taken.
    expect(tokenizer.encode('\u0664\u0664', { addSpecial: false })).toHaveLength(2);
  });
});
