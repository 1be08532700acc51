/** How tokenizer.json prepares a text: its normalizer and pre-tokenizer, as far as the engine does the same. */

import type { AppError } from '../../../contract/errors.ts';
import { phrase } from '../../../contract/phrase.ts';
import { GPT2 } from '../tokenizer/pre-tokenizers.ts';
import { quote, unsupportedModel } from './gguf-errors.ts';
import type { JsonFields } from './json-fields.ts';
import type { TokenizerSource } from './manifest.ts';

type Step = { type?: unknown } & Record<string, unknown>;

const SPACE = '\u2581'; // how SentencePiece writes a space

/** For vocabularies made of bytes: expressions that cut the text before merging. Throws AppError 'model-unsupported'. */
export function hfCuts(
  file: JsonFields,
  model: JsonFields,
): Pick<Required<TokenizerSource>, 'cuts'> & { normalizer: 'NFC' | undefined } {
  const normalizers = steps(file.raw('normalizer'), 'normalizers');
  const odd = normalizers.find(({ type }) => type !== 'NFC');
  if (odd !== undefined) throw unknown(file, 'normalizer', odd);
  const patterns = steps(file.raw('pre_tokenizer'), 'pretokenizers').flatMap((step) => {
    const found = patternsOf(step);
    if (found === undefined) throw unknown(file, 'pre_tokenizer', step);
    return found;
  });
  return {
    cuts: { patterns, ignoreMerges: model.optionalBoolean('ignore_merges') ?? false },
    normalizer: normalizers.length > 0 ? 'NFC' : undefined,
  };
}

/** Expressions that do what a step does; undefined where none is known. */
function patternsOf(step: Step): string[] | undefined {
  switch (step.type) {
    case 'ByteLevel':
      if (step.add_prefix_space === true) return undefined;
      return step.use_regex === false ? [] : [GPT2];
    case 'Digits':
      return [step.individual_digits === true ? '\\p{N}' : '\\p{N}+'];
    case 'Split': {
      const { Regex, String: text } = (step.pattern ?? {}) as { Regex?: unknown; String?: unknown };
      // The expressions in use leave nothing between their matches, so that keeping only these is the same.
      const kept =
        step.behavior === 'Isolated' ? step.invert !== true : step.behavior === 'Removed' && step.invert === true;
      if (!kept) return undefined;
      if (typeof Regex === 'string') return [Regex];
      return typeof text === 'string' ? [text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')] : undefined;
    }
    default:
      return undefined;
  }
}

/** For SentencePiece's vocabularies: the space before a text. Throws AppError 'model-unsupported' for what is not known. */
export function spacePrefixOf(file: JsonFields): Pick<TokenizerSource, 'addSpacePrefix' | 'metaspace'> {
  let prefix: Pick<TokenizerSource, 'addSpacePrefix' | 'metaspace'> = { addSpacePrefix: false };
  for (const step of steps(file.raw('normalizer'), 'normalizers')) {
    const writesSpaces = step.type === 'Replace' && text(step.pattern) === ' ' && step.content === SPACE;
    if (step.type === 'Prepend' && step.prepend === SPACE) prefix = { addSpacePrefix: true };
    else if (!writesSpaces) throw unknown(file, 'normalizer', step);
  }
  for (const step of steps(file.raw('pre_tokenizer'), 'pretokenizers')) {
    if (step.type === 'Metaspace' && step.replacement === SPACE && step.split === false) {
      const scheme = step.prepend_scheme ?? (step.add_prefix_space === false ? 'never' : 'always');
      if (scheme !== 'never') prefix = { addSpacePrefix: true, metaspace: scheme === 'first' ? 'first' : 'always' };
    } else if (!(step.type === 'Split' && text(step.pattern) === ' ')) {
      // A cut at spaces finds none: they have been replaced.
      throw unknown(file, 'pre_tokenizer', step);
    }
  }
  return prefix;
}

function text(pattern: unknown): unknown {
  return (pattern as { String?: unknown } | undefined)?.String;
}

/** A step, or those of a sequence; none where there is nothing. */
function steps(value: unknown, list: string): Step[] {
  if (typeof value !== 'object' || value === null) return [];
  const step = value as Step;
  const inner = step[list];
  return step.type === 'Sequence' && Array.isArray(inner) ? inner.flatMap((item) => steps(item, list)) : [step];
}

function unknown(file: JsonFields, key: string, step: Step): AppError {
  return unsupportedModel(
    file.path,
    phrase`its ${key} works by ${quote(JSON.stringify(step))}, which is not supported`,
    'Get a GGUF version of this model.',
  );
}
