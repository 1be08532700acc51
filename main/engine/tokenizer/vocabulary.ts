/** The checked vocabulary of a model: which id is text, control, user-defined or a byte, and which ids are special. */
import { AppError } from '../../../contract/errors.ts';
import { type Phrase, phrase, said } from '../../../contract/phrase.ts';
import type { TokenizerSource } from '../model/manifest.ts';

/** Token types as GGUF numbers them (`tokenizer.ggml.token_type`). */
export const TokenType = { normal: 1, unknown: 2, control: 3, userDefined: 4, unused: 5, byte: 6 } as const;

export interface Vocabulary {
  readonly tokens: readonly string[];
  /** Type of every id; ids whose function is to end a turn are control, whatever the file says. */
  readonly types: Uint8Array;
  /** Text -> id of tokens that ordinary text may become (normal and, for SentencePiece, not byte tokens). */
  readonly ordinary: ReadonlyMap<string, number>;
  /** Text -> id of tokens that only a template or a raw prompt may write. */
  readonly control: ReadonlyMap<string, number>;
  /** Text -> id of tokens that are whole wherever their text stands. */
  readonly userDefined: ReadonlyMap<string, number>;
  readonly endIds: ReadonlySet<number>;
}

/** Throws AppError 'model-invalid' naming the key that is missing or contradicts the others. */
export function readVocabulary(source: TokenizerSource): Vocabulary {
  checkSource(source);
  const { tokens } = source;
  const types = new Uint8Array(tokens.length).fill(TokenType.normal);
  if (source.types) types.set(source.types);
  const ends = [...source.endIds, ...(source.eosId === undefined ? [] : [source.eosId])];
  for (const id of ends) types[id] = TokenType.control;
  if (source.bosId !== undefined && (source.types === undefined || types[source.bosId] === TokenType.userDefined)) {
    types[source.bosId] = TokenType.control;
  }

  const ordinary = new Map<string, number>();
  const control = new Map<string, number>();
  const userDefined = new Map<string, number>();
  tokens.forEach((text, id) => {
    if (text === '') return;
    const type = types[id];
    if (type === TokenType.control || type === TokenType.unknown) {
      control.set(text, id);
    } else if (type === TokenType.userDefined) {
      userDefined.set(text, id);
    } else if (type !== TokenType.unused && !(type === TokenType.byte && source.model === 'llama')) {
      ordinary.set(text, id);
    }
  });
  return { tokens, types, ordinary, control, userDefined, endIds: new Set(ends) };
}

function checkSource(source: TokenizerSource): void {
  const size = source.tokens.length;
  if (size === 0) throw invalid(said('tokenizer.ggml.tokens is empty'));
  if (source.model !== 'gpt2' && source.model !== 'llama') {
    throw new AppError(
      'model-unsupported',
      phrase`The tokenizer kind "${source.model}" (tokenizer.ggml.model) is not supported; gpt2 and llama are.`,
      { action: 'Choose a model of the Llama family.' },
    );
  }
  if (source.types && source.types.length !== size) {
    throw invalid(phrase`tokenizer.ggml.token_type has ${source.types.length} entries for ${size} tokens`);
  }
  const { scores, merges } = source;
  if (source.model === 'gpt2' && !merges) {
    throw invalid(said('tokenizer.ggml.merges is missing, which a "gpt2" tokenizer needs'));
  }
  if (!scores && !merges) throw invalid(said('tokenizer.ggml.scores is missing, which a "llama" tokenizer needs'));
  if (scores && scores.length !== size) {
    throw invalid(phrase`tokenizer.ggml.scores has ${scores.length} entries for ${size} tokens`);
  }
  const badScore = scores?.findIndex((score) => Number.isNaN(score)) ?? -1;
  if (badScore >= 0) throw invalid(phrase`tokenizer.ggml.scores[${badScore}] is not a number`);
  const badMerge = merges?.findIndex((merge) => merge.indexOf(' ', 1) < 1 || merge.endsWith(' ')) ?? -1;
  if (badMerge >= 0) {
    throw invalid(
      phrase`tokenizer.ggml.merges[${badMerge}] is ${JSON.stringify(merges?.[badMerge])}, not two parts with a space between`,
    );
  }
  const ids: [string, number | undefined][] = [
    ['tokenizer.ggml.bos_token_id', source.bosId],
    ['tokenizer.ggml.eos_token_id', source.eosId],
    ['tokenizer.ggml.unknown_token_id', source.unknownId],
    ['tokenizer.ggml.padding_token_id', source.paddingId],
    ...source.endIds.map((id): [string, number] => ['tokenizer.ggml.eot_token_id, eom_token_id', id]),
  ];
  for (const [key, id] of ids) {
    if (id !== undefined && !(Number.isInteger(id) && id >= 0 && id < size)) {
      throw invalid(phrase`${key} is ${id}, but the vocabulary has ids 0 to ${size - 1}`);
    }
  }
}

function invalid(what: Phrase): AppError {
  return new AppError('model-invalid', phrase`The model's tokenizer data are broken: ${what}.`, {
    action: 'Download the model again or choose another one.',
  });
}
