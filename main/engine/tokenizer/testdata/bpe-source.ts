/** Small tokenizers for tests: the 256 byte tokens, some merges, and whatever special tokens a case needs. */
import type { TokenizerSource } from '../../model/manifest.ts';
import { byteAlphabet } from '../byte-level.ts';
import { TokenType } from '../vocabulary.ts';

export interface TestVocabulary {
  control?: readonly string[];
  userDefined?: readonly string[];
  /** Each "left right". */
  merges?: readonly string[];
}

/** A gpt2 source: control tokens first (ids from 0), then the bytes, the results of the merges, user-defined tokens. */
export function bpeSource(vocabulary: TestVocabulary, more: Partial<TokenizerSource> = {}): TokenizerSource {
  const { control = [], userDefined = [], merges = [] } = vocabulary;
  const joined = merges.map((merge) => merge.replace(' ', ''));
  const tokens = [...control, ...byteAlphabet, ...joined, ...userDefined];
  const types = tokens.map((_, id) => {
    if (id < control.length) return TokenType.control;
    return id < tokens.length - userDefined.length ? TokenType.normal : TokenType.userDefined;
  });
  return { model: 'gpt2', pre: 'gpt-2', tokens, types, merges: [...merges], endIds: [], addBos: false, ...more };
}

/** Id of the token with this text. */
export function idOf(source: TokenizerSource, token: string): number {
  const id = source.tokens.indexOf(token);
  if (id < 0) throw new Error(`no token ${JSON.stringify(token)}`);
  return id;
}
