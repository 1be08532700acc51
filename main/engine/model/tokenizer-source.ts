/** Takes the tokenizer out of a GGUF's metadata, checked: lists that fit each other, ids that exist. Every refusal names the key. */

import { phrase } from '../../../contract/phrase.ts';
import { invalidModel, quote, unsupportedModel } from './gguf-errors.ts';
import type { GgufFile } from './gguf-types.ts';
import type { TokenizerSource } from './manifest.ts';

const KEY = 'tokenizer.ggml.';
const SUPPORTED_MODELS = ['gpt2', 'llama'];

/** Token types of GGUF: 0 undefined, 1 normal, 2 unknown, 3 control, 4 user-defined, 5 unused, 6 byte. */
const HIGHEST_TYPE = 6;
const CONTROL = 3;

/** Control tokens that end a turn in well-known families, for files whose eot and eom keys are missing. */
const TURN_ENDS = new Set([
  '<|im_end|>',
  '<|eot_id|>',
  '<|eom_id|>',
  '<|end|>',
  '<|endoftext|>',
  '<|end_of_text|>',
  '<|end_of_turn|>',
  '<|end_of_role|>',
  '<|return|>',
  '<|call|>',
  '<end_of_turn>',
  '<turn|>',
  '<end_of_utterance>',
  '<|eot|>',
  '<EOT>',
  '_<EOT>',
  '< EOT >',
  '<｜end▁of▁sentence｜>',
]);

/** Throws AppError 'model-invalid', or 'model-unsupported' for other kinds of tokenizer. */
export function readTokenizerSource(file: GgufFile): TokenizerSource {
  const { metadata, path } = file;
  const model = metadata.string(`${KEY}model`);
  if (!SUPPORTED_MODELS.includes(model)) {
    throw unsupportedModel(
      path,
      phrase`tokenizer ${quote(model)} (metadata key "${KEY}model") is not supported; supported: ${SUPPORTED_MODELS.join(', ')}`,
    );
  }
  const tokens = readTokens(file);
  const types = readTypes(file, tokens.length);
  const scores = metadata.optionalNumbers(`${KEY}scores`);
  requireLength(file, 'scores', scores, tokens.length);
  const bad = scores?.findIndex((score) => Number.isNaN(score)) ?? -1;
  if (bad >= 0) throw invalidModel(path, phrase`metadata key "${KEY}scores" holds NaN for token ${bad}`);
  const merges = readMerges(file, model, scores !== undefined);

  const id = (name: string) => readId(file, name, tokens.length);
  const eosId = id('eos_token_id');
  const namedEnds = [eosId, id('eot_token_id'), id('eom_token_id')].filter((end) => end !== undefined);
  checkOtherIds(file, tokens.length);

  return withoutUndefined({
    model,
    pre: metadata.optionalString(`${KEY}pre`),
    cuts: undefined,
    normalizer: undefined,
    tokens,
    types,
    scores,
    merges,
    bosId: id('bos_token_id'),
    eosId,
    endIds: [...new Set([...namedEnds, ...turnEnds(tokens, types)])],
    unknownId: id('unknown_token_id'),
    paddingId: id('padding_token_id'),
    addBos: metadata.optionalBoolean(`${KEY}add_bos_token`),
    addEos: metadata.optionalBoolean(`${KEY}add_eos_token`),
    addSpacePrefix: metadata.optionalBoolean(`${KEY}add_space_prefix`),
    metaspace: undefined,
    chatTemplate: metadata.optionalString('tokenizer.chat_template'),
  });
}

/** Ids of control tokens that are known to end a turn. */
export function turnEnds(tokens: readonly string[], types: readonly number[] | undefined): number[] {
  return tokens.flatMap((token, id) => (types?.[id] === CONTROL && TURN_ENDS.has(token) ? [id] : []));
}

function readTokens(file: GgufFile): string[] {
  const key = `${KEY}tokens`;
  // An empty text can never be met; a name of its own keeps the list unambiguous.
  const tokens = file.metadata.strings(key).map((token, id) => (token === '' ? `[EMPTY_${id}]` : token));
  if (tokens.length === 0) throw invalidModel(file.path, phrase`metadata key "${key}" is empty`);
  const ids = new Map<string, number>();
  tokens.forEach((token, id) => {
    const other = ids.get(token);
    if (other !== undefined)
      throw invalidModel(
        file.path,
        phrase`metadata key "${key}" has the token ${quote(token)} twice (ids ${other} and ${id})`,
      );
    ids.set(token, id);
  });
  return tokens;
}

function readTypes(file: GgufFile, tokenCount: number): number[] | undefined {
  const types = file.metadata.optionalIntegers(`${KEY}token_type`, { min: 0, max: HIGHEST_TYPE });
  requireLength(file, 'token_type', types, tokenCount);
  return types;
}

function requireLength(file: GgufFile, name: string, list: readonly unknown[] | undefined, tokenCount: number): void {
  if (list === undefined || list.length === tokenCount) return;
  throw invalidModel(
    file.path,
    phrase`metadata key "${KEY}${name}" has ${list.length} entries for ${tokenCount} tokens`,
  );
}

/** Merge rules "left right" in order of rank. GPT-2's kind cannot do without; SentencePiece's kind has scores instead. */
function readMerges(file: GgufFile, model: string, hasScores: boolean): string[] | undefined {
  const key = `${KEY}merges`;
  const merges = file.metadata.optionalStrings(key);
  if (merges === undefined) {
    if (model === 'gpt2')
      throw invalidModel(
        file.path,
        phrase`metadata key "${key}" is missing, and a ${model} tokenizer cannot work without it`,
      );
    if (!hasScores) {
      throw invalidModel(
        file.path,
        phrase`metadata keys "${KEY}scores" and "${key}" are both missing; a ${model} tokenizer needs one of them`,
      );
    }
    return undefined;
  }
  // From 1: a left part may itself begin with a space.
  const bad = merges.findIndex((merge) => {
    const space = merge.indexOf(' ', 1);
    return space < 1 || space === merge.length - 1;
  });
  if (bad >= 0) {
    throw invalidModel(
      file.path,
      phrase`metadata key "${key}" has the entry ${quote(merges[bad] ?? '')} (number ${bad}), which is not two parts with a space between`,
    );
  }
  return [...merges];
}

function readId(file: GgufFile, name: string, tokenCount: number): number | undefined {
  const key = `${KEY}${name}`;
  const id = file.metadata.optionalInteger(key);
  if (id === undefined || (id >= 0 && id < tokenCount)) return id;
  throw invalidModel(
    file.path,
    phrase`metadata key "${key}" is ${id}, but the vocabulary has the ids 0 to ${tokenCount - 1}`,
  );
}

/** Ids that this product has no use for must exist too: one that does not shows that the vocabulary is not the model's. */
function checkOtherIds(file: GgufFile, tokenCount: number): void {
  for (const key of file.metadata.keys()) {
    if (key.startsWith(KEY) && key.endsWith('_token_id')) readId(file, key.slice(KEY.length), tokenCount);
  }
}

type Loose<T> = { [K in keyof T]: T[K] | undefined };

/** The same fields without those that are undefined, as optional fields want it. */
export function withoutUndefined(source: Loose<Required<TokenizerSource>>): TokenizerSource {
  return Object.fromEntries(
    Object.entries(source).filter(([, value]) => value !== undefined),
  ) as unknown as TokenizerSource;
}
