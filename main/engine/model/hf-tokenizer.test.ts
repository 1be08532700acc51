/**
 * tokenizer.json of six families against the ids of the Rust library `tokenizers` 0.23.3: small vocabularies that it trained
 * on our evaluation texts, with the normalizers, cuts and templates that the families have (testdata/hf-tokenizers.json).
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tinyTokenizerJson } from '../testdata/hf-writer.ts';
import { refusal } from '../testdata/refusal.ts';
import { tempDir } from '../testdata/temp-dir.ts';
import { TINY_TEMPLATE } from '../testdata/tiny-llama.ts';
import { createTokenizer } from '../tokenizer/create-tokenizer.ts';
import { readHfTokenizer } from './hf-tokenizer.ts';
import { JsonFields } from './json-fields.ts';

interface Expected {
  tokenizer: Record<string, unknown>;
  /** Text, ids without and with special tokens. */
  texts: [string, number[], number[]][];
}

const families: Record<string, Expected> = JSON.parse(
  readFileSync(join(__dirname, '..', 'testdata', 'hf-tokenizers.json'), 'utf8'),
);
const root = tempDir();
let tests = 0;

interface Files {
  settings?: Record<string, unknown>;
  generation?: Record<string, unknown>;
  config?: Record<string, unknown>;
  template?: string;
}

function readWith(tokenizer: Record<string, unknown>, files: Files = {}) {
  const dir = join(root, `${++tests}`);
  mkdirSync(dir);
  writeFileSync(join(dir, 'tokenizer.json'), JSON.stringify(tokenizer));
  if (files.settings) writeFileSync(join(dir, 'tokenizer_config.json'), JSON.stringify(files.settings));
  if (files.generation) writeFileSync(join(dir, 'generation_config.json'), JSON.stringify(files.generation));
  if (files.template) writeFileSync(join(dir, 'chat_template.jinja'), files.template);
  return readHfTokenizer(dir, new JsonFields(join(dir, 'config.json'), { vocab_size: 1000, ...files.config }));
}

describe.each(Object.entries(families))('%s', (name, { tokenizer, texts }) => {
  const sentencePiece = ['llama2', 'mistral', 'gemma'].includes(name);
  const settings = sentencePiece ? { bos_token: '<s>', eos_token: '</s>' } : { bos_token: '<|bos|>' };

  it.each(texts)('%j has the ids of the library', async (text, ids, withSpecial) => {
    const made = createTokenizer(await readWith(tokenizer, { settings }));
    expect(made.warnings).toEqual([]);
    expect(made.encode(text, { addSpecial: false })).toEqual(ids);
    expect(made.encode(text, { addSpecial: true })).toEqual(withSpecial);
    // Where a space comes before a text, decoding cannot know whether it did.
    if (name === 'llama2' || name === 'mistral') return;
    expect(made.decode(ids)).toBe(name === 'qwen2' ? text.normalize('NFC') : text);
  });
});

describe('what is special', () => {
  const tiny = tinyTokenizerJson();

  it('ends a turn by any file that says so', async () => {
    const source = await readWith(tiny, {
      settings: { eos_token: '<|im_end|>' },
      generation: { eos_token_id: [2, 299] },
      config: { eos_token_id: 0 },
    });
    expect(source).toMatchObject({ model: 'gpt2', eosId: 2, types: expect.arrayContaining([3, 1, 4]) });
    expect([...source.endIds].sort((a, b) => a - b)).toEqual([0, 2, 299]);
    expect([...createTokenizer(source).endIds].sort((a, b) => a - b)).toEqual([0, 2, 299]);
  });

  it('cannot be typed', async () => {
    const tokenizer = createTokenizer(await readWith(tiny));
    expect(tokenizer.encode('<|im_end|>', { addSpecial: false })).not.toContain(2);
    expect(tokenizer.encodeWithControl('<|im_end|>', { addSpecial: false })).toEqual([2]);
  });

  it('beyond the embedding is left out; anything else there is refused by the configuration', async () => {
    const added = [...(tiny.added_tokens as object[]), { id: 300, content: '<image>', special: true }];
    const source = await readWith({ ...tiny, added_tokens: added }, { config: { vocab_size: 300 } });
    expect(source.tokens.length).toBe(300);
    const other = [...(tiny.added_tokens as object[]), { id: 300, content: '<plain>', special: false }];
    expect((await readWith({ ...tiny, added_tokens: other }, { config: { vocab_size: 300 } })).tokens.length).toBe(301);
  });

  it('an id that is left out is a token of its own', async () => {
    const added = [...(tiny.added_tokens as object[]), { id: 302, content: '<far>', special: true }];
    const { tokens, types } = await readWith({ ...tiny, added_tokens: added });
    expect(tokens.slice(300)).toEqual(['[EMPTY_300]', '[EMPTY_301]', '<far>']);
    expect(types?.slice(300)).toEqual([5, 5, 3]);
  });
});

it.each<[string, Files, string | undefined]>([
  ['a text', { settings: { chat_template: TINY_TEMPLATE } }, TINY_TEMPLATE],
  [
    'one of several',
    {
      settings: {
        chat_template: [
          { name: 'tool_use', template: 'x' },
          { name: 'default', template: 'y' },
        ],
      },
    },
    'y',
  ],
  ['a file of its own, which comes first', { settings: { chat_template: 'x' }, template: 'z' }, 'z'],
  ['nothing', {}, undefined],
])('the chat template is %s', async (_, files, expected) => {
  expect((await readWith(tinyTokenizerJson(), files)).chatTemplate).toBe(expected);
});

describe('refuses by name', () => {
  const tiny = tinyTokenizerJson();
  const model = tiny.model as Record<string, unknown>;
  const step = (type: string, more: object = {}) => ({ type, ...more });

  it.each<[string, Record<string, unknown>, string, RegExp]>([
    ['another kind', { model: { ...model, type: 'Unigram' } }, 'model-unsupported', /"Unigram"/],
    ['a normalizer', { normalizer: step('Lowercase') }, 'model-unsupported', /normalizer works by .*Lowercase/],
    [
      'a cut',
      { pre_tokenizer: step('UnicodeScripts') },
      'model-unsupported',
      /pre_tokenizer works by .*UnicodeScripts/,
    ],
    [
      'a space before the text',
      { pre_tokenizer: step('ByteLevel', { add_prefix_space: true }) },
      'model-unsupported',
      /add_prefix_space/,
    ],
    ['no model', { model: undefined }, 'model-invalid', /"model" is missing/],
    ['no vocabulary', { model: { ...model, vocab: undefined } }, 'model-invalid', /"model\.vocab" is missing/],
    [
      'an id far off',
      { model: { ...model, vocab: { a: 2 ** 40 } } },
      'model-invalid',
      /"model\.vocab\.a" is 1099511627776/,
    ],
    [
      'an id that is none',
      { model: { ...model, vocab: { a: '1' } } },
      'model-invalid',
      /"model\.vocab\.a" is not a number/,
    ],
    ['two tokens of one id', { model: { ...model, vocab: { a: 1, b: 1 } } }, 'model-invalid', /one id \(1\)/],
    ['no merges', { model: { ...model, merges: undefined } }, 'model-invalid', /"model\.merges" is missing/],
    ['a merge of one part', { model: { ...model, merges: ['ab'] } }, 'model-invalid', /number 0/],
    ['a merge of three parts', { model: { ...model, merges: [['a', 'b', 'c']] } }, 'model-invalid', /number 0/],
    ['an added token without id', { added_tokens: [{ content: 'x' }] }, 'model-invalid', /"added_tokens"/],
    ['an added token that is none', { added_tokens: [7] }, 'model-invalid', /"added_tokens"/],
  ])('%s', async (_, change, kind, message) => {
    const error = await refusal(() => readWith({ ...tiny, ...change }));
    expect(error).toMatchObject({ kind, message: expect.stringMatching(message) });
  });
});
