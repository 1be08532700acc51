/**
 * How byte-level BPE vocabularies cut text before merging, by the names that GGUF files carry in `tokenizer.ggml.pre`.
 * A wrong cut (of digits, say) gives other ids and a worse answer without any error, so names are matched exactly.
 */

export interface PreTokenizer {
  /** Applied one after the other; each cuts the pieces of the one before and keeps what lies between its matches. */
  readonly patterns: readonly string[];
  /** A piece that is a token as a whole is taken without merging. */
  readonly ignoreMerges: boolean;
  /** Whether a text begins with BOS where the file does not say. */
  readonly addBos: boolean;
}

/** GPT-2's own cut, and that of tokenizer.json's ByteLevel step. */
export const GPT2 = "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+";
const CONTRACTION = "(?i:'s|'t|'re|'ve|'m|'ll|'d)";
const REST = ' ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+';
const LLAMA3 = `${CONTRACTION}|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}|${REST}`;
const QWEN2 = `${CONTRACTION}|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}|${REST}`;
const UPPER = '[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]';
const LOWER = '[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]';
const REST_SLASH = ' ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+';
const cased = (suffix: string) =>
  `[^\\r\\n\\p{L}\\p{N}]?${UPPER}*${LOWER}+${suffix}|[^\\r\\n\\p{L}\\p{N}]?${UPPER}+${LOWER}*${suffix}`;
const CJK = '[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+';

const FAMILIES: (PreTokenizer & { names: readonly string[] })[] = [
  {
    names: ['gpt-2', 'gpt2', 'phi-2', 'mpt', 'olmo', 'jais', 'trillion', 'exaone4', 'gigachat', 'mellum', 'a.x-4.0'],
    patterns: [GPT2],
    ignoreMerges: false,
    addBos: false,
  },
  {
    names: ['smollm', 'starcoder', 'refact', 'command-r', 'codeshell', 'exaone', 'minerva-7b'],
    patterns: ['\\p{N}', GPT2],
    ignoreMerges: false,
    addBos: false,
  },
  {
    names: ['llama-bpe', 'llama3', 'llama-v3', 'falcon3', 'pixtral', 'midm-2.0', 'lfm2'],
    patterns: [LLAMA3],
    ignoreMerges: true,
    addBos: true,
  },
  { names: ['glm4'], patterns: [LLAMA3], ignoreMerges: true, addBos: false },
  { names: ['dbrx', 'smaug-bpe', 'chatglm-bpe'], patterns: [LLAMA3], ignoreMerges: false, addBos: false },
  {
    names: ['qwen2', 'deepseek-r1-qwen', 'stablelm2', 'megrez', 'hunyuan'],
    patterns: [QWEN2],
    ignoreMerges: false,
    addBos: false,
  },
  {
    names: ['deepseek-coder'],
    patterns: ['[\\r\\n]', '\\s?\\p{L}+', '\\s?\\p{P}+', '[\u4e00-\u9fa5\u0800-\u4e00\uac00-\ud7ff]+', '\\p{N}'],
    ignoreMerges: false,
    addBos: false,
  },
  {
    names: ['deepseek-v3', 'hunyuan-dense'],
    patterns: [
      '\\p{N}{1,3}',
      CJK,
      '[!"#$%&\'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\\r\\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+|' +
        ' ?[\\p{P}\\p{S}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+',
    ],
    ignoreMerges: false,
    addBos: false,
  },
  { names: ['tekken'], patterns: [`${cased('')}|\\p{N}|${REST_SLASH}`], ignoreMerges: true, addBos: true },
  {
    names: ['gpt-4o', 'llama4'],
    patterns: [`${cased(`${CONTRACTION}?`)}|\\p{N}{1,3}|${REST_SLASH}`],
    ignoreMerges: false,
    addBos: false,
  },
  {
    names: ['falcon'],
    patterns: ['[\\p{P}\\$\\+<=>\\^~\\|`]+', GPT2, '[0-9][0-9][0-9]'],
    ignoreMerges: false,
    addBos: false,
  },
];

/** What llama.cpp takes for files without a name; the best guess for a name that is not known here. */
const DEFAULT: PreTokenizer = {
  patterns: ['[\\p{P}\\$\\+<=>\\^~\\|]+', GPT2, '\\p{N}+', '[0-9][0-9][0-9]'],
  ignoreMerges: false,
  addBos: false,
};

/** The cuts of `name`. A missing or unknown name gives the default ones and a warning that says so. */
export function preTokenizerFor(name: string | undefined): { pre: PreTokenizer; warning?: string } {
  if (name === 'default') return { pre: DEFAULT };
  const family = FAMILIES.find((candidate) => name !== undefined && candidate.names.includes(name));
  if (family) return { pre: family };
  const what =
    name === undefined || name === ''
      ? 'The model does not name its pre-tokenizer (tokenizer.ggml.pre)'
      : `The model's pre-tokenizer "${name}" (tokenizer.ggml.pre) is not known`;
  return { pre: DEFAULT, warning: `${what}; the default one is used, and answers may be worse than they should be.` };
}
