import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TokenizerSource } from '../model/manifest.ts';
import { createTokenizer } from './create-tokenizer.ts';

const data: { tokens: string[]; scores: number[]; types: number[]; cases: [string, number[]][] } = JSON.parse(
  readFileSync(path.join(__dirname, 'testdata', 'sentencepiece.json'), 'utf8'),
);
const source: TokenizerSource = {
  model: 'llama',
  tokens: data.tokens,
  scores: data.scores,
  types: data.types,
  bosId: 1,
  eosId: 2,
  unknownId: 0,
  endIds: [],
};

describe('SentencePiece vocabularies without merges (HAND-13)', () => {
  const tokenizer = createTokenizer(source);

  it.each(data.cases)('gives the ids of sentencepiece for %j', (text, ids) => {
    expect(tokenizer.encode(text, { addSpecial: false })).toEqual(ids);
    expect(tokenizer.decode(ids)).toBe(text);
  });

  it('begins with BOS unless the file says otherwise', () => {
    expect(tokenizer.encode('the', { addSpecial: true })[0]).toBe(1);
    const without = createTokenizer({ ...source, addBos: false });
    expect(without.encode('the', { addSpecial: true })[0]).not.toBe(1);
  });

  it('puts no space in front where add_space_prefix is false', () => {
    const bare = createTokenizer({ ...source, addSpacePrefix: false });
    expect(bare.decode(bare.encode(' the', { addSpecial: false }))).toBe(' the');
    expect(bare.encode('', { addSpecial: false })).toEqual([]);
  });

  it('gives single bytes of byte tokens, so that characters can be put together', () => {
    const ids = tokenizer.encode('\u{1f600}', { addSpecial: false }).slice(-4);
    expect(ids.map((id) => [...tokenizer.bytes(id)])).toEqual([[0xf0], [0x9f], [0x98], [0x80]]);
  });
});

describe('joining by score', () => {
  const small = (pieces: Record<string, number>) =>
    createTokenizer({
      model: 'llama',
      tokens: ['<unk>', ...Object.keys(pieces)],
      scores: [0, ...Object.values(pieces)],
      types: [2, ...Object.keys(pieces).map(() => 1)],
      unknownId: 0,
      endIds: [],
      addBos: false,
      addSpacePrefix: false,
    });
  const text = (tokenizer: ReturnType<typeof small>, input: string) =>
    tokenizer.encode(input, { addSpecial: false }).map((id) => Buffer.from(tokenizer.bytes(id)).toString());

  it('takes the best score first, the leftmost among equals', () => {
    const tokenizer = small({ a: -9, b: -9, c: -9, ab: -3, bc: -2, aa: -1, aaa: -4 });
    expect(text(tokenizer, 'abc')).toEqual(['a', 'bc']);
    expect(text(tokenizer, 'aaaaa')).toEqual(['aa', 'aaa']);
  });

  it('joins characters that are no tokens themselves', () => {
    expect(text(small({ xy: -1, z: -2 }), 'xyz')).toEqual(['xy', 'z']);
  });

  it('takes merges in place of scores', () => {
    const tokens = ['a', 'b', 'c', 'ab', 'bc', 'abc'];
    const merges = ['b c', 'a bc'];
    const tokenizer = createTokenizer({
      model: 'llama',
      tokens,
      merges,
      endIds: [],
      addBos: false,
      addSpacePrefix: false,
    });
    expect(text(tokenizer, 'abcab')).toEqual(['abc', 'a', 'b']);
  });

  it('uses the unknown token where there are no byte tokens', () => {
    expect(small({ a: -1 }).encode('a?', { addSpecial: false })).toEqual([1, 0]);
  });
});
