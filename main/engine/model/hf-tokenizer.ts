/** Takes the tokenizer out of tokenizer.json and the small files beside it. Every refusal names file and key. */
import { join } from 'node:path';
import { phrase, said } from '../../../contract/phrase.ts';
import { TokenType } from '../tokenizer/vocabulary.ts';
import { quote, unsupportedModel } from './gguf-errors.ts';
import { hfCuts, spacePrefixOf } from './hf-cuts.ts';
import { type JsonFields, readJsonFields, readOptionalJsonFields, readOptionalText } from './json-fields.ts';
import type { TokenizerSource } from './manifest.ts';
import { LIMITS } from './read-config.ts';
import { turnEnds, withoutUndefined } from './tokenizer-source.ts';

const TOKENIZER = 'tokenizer.json';
const SETTINGS = 'tokenizer_config.json';
const SPECIAL = 'special_tokens_map.json';
const GENERATION = 'generation_config.json';
const TEMPLATE = 'chat_template.jinja';
export const TOKENIZER_FILES = [TOKENIZER, SETTINGS, SPECIAL, GENERATION, TEMPLATE];

const BYTE_TOKEN = /^<0x[0-9A-Fa-f]{2}>$/;

interface Vocabulary {
  tokens: string[];
  types: number[];
  ids: Map<string, number>;
}

/**
 * The tokenizer of the model in `folder`, whose config.json is `config`. Throws AppError 'model-invalid', 'model-missing', or
 * 'model-unsupported' for other kinds of tokenizer.
 */
export async function readHfTokenizer(folder: string, config: JsonFields): Promise<TokenizerSource> {
  const file = await readJsonFields(join(folder, TOKENIZER));
  const empty = { raw: () => undefined, optionalBoolean: () => undefined };
  const settings = (await readOptionalJsonFields(join(folder, SETTINGS))) ?? empty;
  const special = (await readOptionalJsonFields(join(folder, SPECIAL))) ?? empty;
  const generation = await readOptionalJsonFields(join(folder, GENERATION));

  const model = file.optionalObject('model') ?? file.missing('model');
  const kind = model.optionalString('type') ?? 'BPE';
  if (kind !== 'BPE') {
    throw unsupportedModel(
      file.path,
      phrase`tokenizer ${quote(kind)} (key "model.type") is not supported; supported: BPE`,
    );
  }
  // Pieces that are no token become bytes: what SentencePiece's vocabularies do. The others are made of bytes to begin with.
  const sentencePiece = model.optionalBoolean('byte_fallback') === true;
  const vocabulary = readVocabulary(file, model, sentencePiece, config.integer('vocab_size', { min: 1 }));
  const { tokens, types, ids } = vocabulary;
  const idOf = (name: string) => {
    const text = contentOf(settings.raw(name) ?? special.raw(name));
    return text === undefined ? undefined : ids.get(text);
  };
  const bosId = idOf('bos_token') ?? firstId(config, 'bos_token_id', tokens.length);
  const eosId = idOf('eos_token') ?? firstId(config, 'eos_token_id', tokens.length);
  const namedEnds = [...listedIds(config, tokens.length), ...listedIds(generation, tokens.length)];
  const added = addedByPostProcessor(file.raw('post_processor'));
  const bos = bosId === undefined ? undefined : tokens[bosId];
  const eos = eosId === undefined ? undefined : tokens[eosId];
  return withoutUndefined({
    model: sentencePiece ? 'llama' : 'gpt2',
    pre: undefined,
    cuts: undefined,
    normalizer: undefined,
    addSpacePrefix: undefined,
    metaspace: undefined,
    ...(sentencePiece ? spacePrefixOf(file) : hfCuts(file, model)),
    tokens,
    types,
    scores: undefined,
    merges: readMerges(model),
    bosId,
    eosId,
    endIds: [...new Set([...(eosId === undefined ? [] : [eosId]), ...namedEnds, ...turnEnds(tokens, types)])],
    unknownId: ids.get(model.optionalString('unk_token') ?? '') ?? idOf('unk_token'),
    paddingId: idOf('pad_token'),
    addBos: settings.optionalBoolean('add_bos_token') ?? (bos !== undefined && added.first === bos),
    addEos: settings.optionalBoolean('add_eos_token') ?? (eos !== undefined && added.last === eos),
    chatTemplate: (await readOptionalText(join(folder, TEMPLATE))) ?? templateOf(settings.raw('chat_template')),
  });
}

/** Tokens by id. Special ones beyond the embedding's `rows` are left out: no text can hold them, nor can they be generated. */
function readVocabulary(file: JsonFields, model: JsonFields, sentencePiece: boolean, rows: number): Vocabulary {
  const listed = model.optionalObject('vocab') ?? model.missing('vocab');
  const entries = listed.keys().map((token) => ({
    token,
    id: listed.integer(token, { min: 0, max: LIMITS.nVocab - 1 }),
    type: sentencePiece && BYTE_TOKEN.test(token) ? TokenType.byte : (TokenType.normal as number),
  }));
  const unknown = model.optionalString('unk_token');
  for (const item of file.optionalArray('added_tokens') ?? []) {
    const { id, content, special } = item as { id?: unknown; content?: unknown; special?: unknown };
    if (
      typeof content !== 'string' ||
      !Number.isSafeInteger(id) ||
      (id as number) < 0 ||
      (id as number) >= LIMITS.nVocab
    ) {
      throw file.bad('added_tokens', phrase`has the entry ${quote(JSON.stringify(item) ?? '')}, which is no token`);
    }
    if (special === true && (id as number) >= rows) continue;
    const type = content === unknown ? TokenType.unknown : special === true ? TokenType.control : TokenType.userDefined;
    entries.push({ token: content, id: id as number, type });
  }
  const tokens: string[] = [];
  const types: number[] = [];
  const ids = new Map<string, number>();
  for (const { token, id, type } of entries) {
    if ((tokens[id] ?? token) !== token || (ids.get(token) ?? id) !== id) {
      throw file.bad(
        'model.vocab',
        phrase`has ${quote(token)} and another token under one id (${id}), or one token twice`,
      );
    }
    tokens[id] = token;
    types[id] = type;
    ids.set(token, id);
  }
  if (tokens.length === 0) throw file.bad('model.vocab', said('is empty'));
  for (let id = 0; id < tokens.length; id++) {
    // An empty text can never be met, and ids may be left out; a name of its own keeps the list unambiguous.
    if (tokens[id] !== undefined && tokens[id] !== '') continue;
    tokens[id] = `[EMPTY_${id}]`;
    types[id] = TokenType.unused;
  }
  return { tokens, types, ids };
}

/** "left right" in order of rank; newer files hold pairs. */
function readMerges(model: JsonFields): string[] {
  return (model.optionalArray('merges') ?? model.missing('merges')).map((merge, rank) => {
    const parts = Array.isArray(merge) ? merge : typeof merge === 'string' ? merge.split(' ') : [];
    const [left, right] = parts as unknown[];
    const sound = (part: unknown) => typeof part === 'string' && part !== '' && !part.includes(' ');
    if (parts.length === 2 && sound(left) && sound(right)) return `${left} ${right}`;
    throw model.bad(
      'merges',
      phrase`has the entry ${quote(JSON.stringify(merge) ?? '')} (number ${rank}), which is not two parts`,
    );
  });
}

/** A token's text: as it is, or with a description around it. */
function contentOf(value: unknown): string | undefined {
  const content = typeof value === 'object' && value !== null && 'content' in value ? value.content : value;
  return typeof content === 'string' ? content : undefined;
}

function firstId(config: JsonFields, key: string, tokenCount: number): number | undefined {
  return idsOf(config, key, tokenCount)[0];
}

function listedIds(fields: JsonFields | undefined, tokenCount: number): number[] {
  return fields === undefined ? [] : idsOf(fields, 'eos_token_id', tokenCount);
}

/** Ids under a key that holds one or several. */
function idsOf(fields: JsonFields, key: string, tokenCount: number): number[] {
  const ids = [fields.raw(key) ?? []].flat();
  const bad = ids.findIndex((id) => !(Number.isSafeInteger(id) && (id as number) >= 0 && (id as number) < tokenCount));
  if (bad < 0) return ids as number[];
  throw fields.bad(
    key,
    phrase`is ${quote(JSON.stringify(ids[bad]) ?? '')}, but the vocabulary has the ids 0 to ${tokenCount - 1}`,
  );
}

/** Special tokens that a text is put between, by a template of the form [token, text, token]. */
function addedByPostProcessor(processor: unknown): { first?: string; last?: string } {
  if (typeof processor !== 'object' || processor === null) return {};
  const { type, processors, single } = processor as { type?: unknown; processors?: unknown; single?: unknown };
  if (type === 'Sequence' && Array.isArray(processors)) {
    return Object.assign({}, ...processors.map((inner) => addedByPostProcessor(inner)));
  }
  if (type !== 'TemplateProcessing' || !Array.isArray(single)) return {};
  const names = single.map((part: { SpecialToken?: { id?: unknown } }) => part?.SpecialToken?.id);
  const text = names.indexOf(undefined);
  const [first, last] = [names[text - 1], names[text + 1]];
  return {
    ...(typeof first === 'string' ? { first } : {}),
    ...(typeof last === 'string' ? { last } : {}),
  };
}

/** The template itself, or of several the one called default. */
function templateOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return undefined;
  const found = value.find((item: { name?: unknown }) => item?.name === 'default') as
    | { template?: unknown }
    | undefined;
  return typeof found?.template === 'string' ? found.template : undefined;
}
