/** Builds the tokenizer of a model from what its files say of it. */
import type { ChatTurn } from '../../../contract/engine.ts';
import type { TokenizerSource } from '../model/manifest.ts';
import { createBpe, type TextEncoding } from './bpe.ts';
import { decodeByteLevel } from './byte-level.ts';
import { ChatTemplate, templateMissing } from './chat-template.ts';
import { MarkerScanner, type Segment } from './markers.ts';
import { preTokenizerFor } from './pre-tokenizers.ts';
import { scaffoldOf } from './scaffold.ts';
import { createSentencePiece, scoreOfMerge, scoreOfToken } from './sentencepiece.ts';
import type { Tokenizer } from './tokenizer.ts';
import { readVocabulary, TokenType, type Vocabulary } from './vocabulary.ts';

const NO_BYTES = new Uint8Array(0);
const utf8 = new TextEncoder();

/**
 * Throws AppError 'model-invalid' (a key is missing or contradicts the others) or 'model-unsupported' (tokenizer kind).
 * A chat template that cannot be read only matters once it is used.
 */
export function createTokenizer(source: TokenizerSource): Tokenizer {
  return new ModelTokenizer(source);
}

class ModelTokenizer implements Tokenizer {
  readonly endIds: ReadonlySet<number>;
  readonly size: number;
  readonly warnings: readonly string[];
  readonly #source: TokenizerSource;
  readonly #vocabulary: Vocabulary;
  readonly #encoding: TextEncoding;
  readonly #addBos: boolean;
  /** Finds user-defined tokens, and in raw text control tokens too. */
  readonly #userDefined: MarkerScanner;
  readonly #allMarkers: MarkerScanner;
  readonly #bytes = new Map<number, Uint8Array>();
  #template: ChatTemplate | undefined;

  constructor(source: TokenizerSource) {
    const vocabulary = readVocabulary(source);
    this.#source = source;
    this.#vocabulary = vocabulary;
    this.endIds = vocabulary.endIds;
    this.size = source.tokens.length;
    const warnings: string[] = [];
    if (source.model === 'llama') {
      this.#encoding = createSentencePiece(
        vocabulary,
        source.scores ? scoreOfToken(vocabulary, source.scores) : scoreOfMerge(vocabulary, source.merges ?? []),
        {
          addSpacePrefix: source.addSpacePrefix ?? true,
          unknownId: source.unknownId,
        },
      );
      this.#addBos = source.addBos ?? true;
    } else {
      const named = source.cuts ? { pre: { ...source.cuts, addBos: false } } : preTokenizerFor(source.pre);
      const { pre, warning } = { warning: undefined, ...named };
      if (warning !== undefined) warnings.push(warning);
      this.#encoding = createBpe(vocabulary, source.merges ?? [], pre);
      this.#addBos = source.addBos ?? pre.addBos;
    }
    this.warnings = [...warnings, ...this.#encoding.warnings];
    this.#userDefined = new MarkerScanner(vocabulary.userDefined);
    this.#allMarkers = new MarkerScanner([...vocabulary.userDefined, ...vocabulary.control]);
  }

  encode(text: string, options: { addSpecial: boolean }): number[] {
    const ids = this.#encodeSegments(this.#userDefined.split(text));
    return options.addSpecial ? this.#withSpecial(ids) : ids;
  }

  encodeWithControl(text: string, options: { addSpecial: boolean }): number[] {
    const ids = this.#encodeSegments(this.#allMarkers.split(text));
    return options.addSpecial ? this.#withSpecial(ids) : ids;
  }

  render(turns: readonly ChatTurn[]): string {
    return this.#chatTemplate().render(turns);
  }

  encodeChat(turns: readonly ChatTurn[], begun = ''): number[] {
    const segments = withText(scaffoldOf(this.#chatTemplate(), turns, this.#vocabulary.control), begun);
    const ids = this.#encodeSegments(
      segments.flatMap((segment) => (segment.kind === 'text' ? this.#userDefined.split(segment.text) : [segment])),
    );
    return this.#withBos(ids);
  }

  bytes(id: number): Uint8Array {
    let bytes = this.#bytes.get(id);
    if (!bytes) {
      bytes = this.#computeBytes(id);
      this.#bytes.set(id, bytes);
    }
    return bytes;
  }

  decode(ids: readonly number[]): string {
    const parts = ids.map((id) => this.bytes(id));
    const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
      all.set(part, at);
      at += part.length;
    }
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(all);
    // The space that SentencePiece encoding puts before a text is not part of it.
    const prefixed = this.#source.model === 'llama' && (this.#source.addSpacePrefix ?? true);
    return prefixed && text.startsWith(' ') ? text.slice(1) : text;
  }

  #computeBytes(id: number): Uint8Array {
    const text = this.#vocabulary.tokens[id];
    const type = this.#vocabulary.types[id];
    if (text === undefined || type === TokenType.control || type === TokenType.unknown) return NO_BYTES;
    if (type === TokenType.userDefined) return utf8.encode(text);
    if (this.#source.model === 'gpt2') return decodeByteLevel(text);
    const byte = type === TokenType.byte ? /^<0x([0-9A-Fa-f]{2})>$/.exec(text)?.[1] : undefined;
    return byte === undefined ? utf8.encode(text.replaceAll('\u2581', ' ')) : Uint8Array.of(Number.parseInt(byte, 16));
  }

  #encodeSegments(segments: readonly Segment[]): number[] {
    const ids: number[] = [];
    let afterToken = true;
    const { normalizer, metaspace } = this.#source;
    for (const segment of segments) {
      if (segment.kind === 'token') {
        ids.push(segment.id);
      } else {
        const text = normalizer === undefined ? segment.text : segment.text.normalize(normalizer);
        const spaced = metaspace !== undefined && text.startsWith(' ');
        for (const id of this.#encoding.encode(text, afterToken && !spaced)) ids.push(id);
      }
      afterToken = segment.kind === 'token' && metaspace !== 'first';
    }
    return ids;
  }

  /** BOS in front where the model wants one and the text does not begin with it already. */
  #withBos(ids: number[]): number[] {
    const { bosId } = this.#source;
    return this.#addBos && bosId !== undefined && ids[0] !== bosId ? [bosId, ...ids] : ids;
  }

  #withSpecial(ids: number[]): number[] {
    const { eosId } = this.#source;
    const result = this.#withBos(ids);
    const addEos = this.#source.addEos === true && eosId !== undefined && result[result.length - 1] !== eosId;
    return addEos ? [...result, eosId] : result;
  }

  #chatTemplate(): ChatTemplate {
    if (this.#template) return this.#template;
    const { chatTemplate, bosId, eosId, unknownId, paddingId, tokens } = this.#source;
    if (chatTemplate === undefined || chatTemplate.trim() === '') throw templateMissing();
    const text = (id: number | undefined) => (id === undefined ? '' : (tokens[id] ?? ''));
    this.#template = new ChatTemplate(chatTemplate, {
      bos: text(bosId),
      eos: text(eosId),
      unknown: text(unknownId),
      padding: text(paddingId),
    });
    return this.#template;
  }
}

/** Text after the last segment, joined with it where that is text too: tokens may reach over the seam. */
function withText(segments: readonly Segment[], text: string): Segment[] {
  const last = segments[segments.length - 1];
  if (last?.kind !== 'text') return text === '' ? [...segments] : [...segments, { kind: 'text', text }];
  return [...segments.slice(0, -1), { kind: 'text', text: last.text + text }];
}
