/** Text to ids for byte-level BPE vocabularies (tokenizer.ggml.model = gpt2), by @huggingface/tokenizers. */
import { Tokenizer as LibraryTokenizer } from '@huggingface/tokenizers';
import { byteAlphabet } from './byte-level.ts';
import type { PreTokenizer } from './pre-tokenizers.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Turns ordinary text into ids: the part that differs between vocabulary kinds. */
export interface TextEncoding {
  /** `afterToken`: the text follows a whole token, or nothing; SentencePiece puts a space before it then. */
  encode(text: string, afterToken: boolean): number[];
  readonly warnings: readonly string[];
}

/**
 * `merges` in order of rank, each "left right". Control tokens are not in the vocabulary that text is matched against,
 * nor reachable by a merge, so no text can become one.
 */
export function createBpe(vocabulary: Vocabulary, merges: readonly string[], pre: PreTokenizer): TextEncoding {
  const { ordinary } = vocabulary;
  // No prototype: "__proto__" is a possible token.
  const vocab: Record<string, number> = Object.create(null);
  for (const [text, id] of ordinary) vocab[text] = id;

  const pairs: [string, string][] = [];
  for (const merge of merges) {
    const cut = merge.indexOf(' ', 1);
    const left = merge.slice(0, cut);
    const right = merge.slice(cut + 1);
    // A merge into a token that text may not become would swallow the text.
    if (ordinary.has(left + right)) pairs.push([left, right]);
  }

  const library = new LibraryTokenizer(
    {
      version: '1.0',
      added_tokens: [],
      normalizer: null,
      pre_tokenizer: {
        type: 'Sequence',
        pretokenizers: [
          // Split instead of the library's Digits step, which knows ASCII digits only, and of ByteLevel's own
          // expression, whose \s is JavaScript's.
          ...pre.patterns.map((Regex) => ({ type: 'Split', pattern: { Regex }, behavior: 'Isolated', invert: false })),
          { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: false },
        ],
      },
      post_processor: null,
      decoder: null,
      model: {
        type: 'BPE',
        dropout: null,
        unk_token: null,
        continuing_subword_prefix: null,
        end_of_word_suffix: null,
        fuse_unk: false,
        byte_fallback: false,
        ignore_merges: pre.ignoreMerges,
        vocab,
        merges: pairs,
      },
    },
    {},
  );

  const lost = byteAlphabet.filter((char, byte) => isOfText(byte) && !ordinary.has(char)).length;
  return {
    encode: (text) => (text === '' ? [] : library.encode(text, { add_special_tokens: false }).ids),
    warnings:
      lost === 0
        ? []
        : [`The vocabulary lacks ${lost} byte tokens that text is made of; characters with them are lost.`],
  };
}

/** Bytes that UTF-8 text holds. Real vocabularies leave out control characters and planes that Unicode has not assigned. */
function isOfText(byte: number): boolean {
  if (byte < 0x20) return byte === 0x09 || byte === 0x0a || byte === 0x0d;
  return byte !== 0x7f && byte !== 0xc0 && byte !== 0xc1 && (byte <= 0xf0 || byte === 0xf3);
}
