/** Needle in a haystack: a pass phrase in the middle of a long text, and the question for it at the end. */

import { AppError } from '../../../contract/errors.ts';
import { at } from '../attention/layer-views.ts';
import { generate } from '../session/generation.ts';
import type { LoadedModel } from '../session/loaded-model.ts';
import { GREEDY } from '../session/sampler.ts';
import type { Tokenizer } from '../tokenizer/tokenizer.ts';
import { type Configuration, checkConfigurations, FULL } from './configurations.ts';
import type { EvalText } from './texts.ts';

/** Depths take them in turn, so that an answer cannot be learnt from one phrase. */
const PHRASES = ['BLUE-42-HARBOR', 'GREEN-71-LANTERN', 'SILVER-38-MEADOW'];
const QUESTION = '\n\nQuestion: What is the pass phrase?\nAnswer: The pass phrase is';
const ANSWER_TOKENS = 9;
/** The first and last depth, as a share of the text's lines; the others lie evenly between. */
const FIRST_DEPTH = 0.05;
const LAST_DEPTH = 0.95;
export interface NeedlePrompt {
  text: string;
  depth: number;
  phrase: string;
  ids: number[];
}

export interface NeedleRow {
  text: string;
  config: string;
  depth: number;
  promptTokens: number;
  phrase: string;
  answer: string;
  right: boolean;
}

export interface NeedleRun {
  texts: readonly EvalText[];
  /** Compared with `full`, which is always measured and must not be among them. */
  configurations: readonly Configuration[];
  /** Length of a prompt; it may fall short by some tokens. */
  tokens: number;
  /** Prompts of each text. */
  depths: number;
  onProgress?: (label: string, done: number, total: number) => void;
  onRow?: (row: NeedleRow) => void;
  signal?: AbortSignal;
}

/**
 * Rows by prompt, `full` first. Every prompt is computed anew, and its last token attends densely as in a chat. Throws
 * AppError 'bad-input' for too short a text, 'context-overflow', 'cancelled', or as Forward.pass does.
 */
export async function measureNeedle(model: LoadedModel, run: NeedleRun): Promise<NeedleRow[]> {
  const prompts = run.texts.flatMap((text) => needlePrompts(model.tokenizer, text, run.tokens, run.depths));
  await checkConfigurations(model, run.configurations, at(at(prompts, 0).ids, 0));
  const configurations = [FULL, ...run.configurations];
  const total = prompts.length * configurations.length;
  const rows: NeedleRow[] = [];
  for (const { text, depth, phrase, ids } of prompts) {
    for (const { name: config, options } of configurations) {
      model.cache.truncate(0);
      const result = await generate(
        model,
        ids,
        { ...GREEDY, maxTokens: ANSWER_TOKENS },
        options,
        run.signal ? { signal: run.signal } : {},
      );
      if (result.finishReason === 'cancelled') throw new AppError('cancelled', 'Stopped.');
      const row = {
        text,
        config,
        depth,
        promptTokens: ids.length,
        phrase,
        answer: result.text,
        right: isRight(result.text, phrase),
      };
      rows.push(row);
      run.onRow?.(row);
      run.onProgress?.(`${text}, ${config}`, rows.length, total);
    }
  }
  return rows;
}

/** `needle_CONFIG_vs_full`: right ones among those that `full` has right; `needle_CONFIG`: right ones of all. */
export function needleFigures(rows: readonly NeedleRow[]): Record<string, number> {
  const key = (row: NeedleRow) => `${row.text} ${row.depth}`;
  const known = new Set(rows.filter((row) => row.config === FULL.name && row.right).map(key));
  const figures: Record<string, number> = {};
  for (const config of new Set(rows.map((row) => row.config))) {
    const own = rows.filter((row) => row.config === config);
    const right = own.filter((row) => row.right);
    figures[`needle_${config}`] = right.length / own.length;
    // Without one right answer of `full` there is nothing to compare with.
    if (config === FULL.name || known.size === 0) continue;
    figures[`needle_${config}_vs_full`] = right.filter((row) => known.has(key(row))).length / known.size;
  }
  return figures;
}

/** Prompts of about `tokens` tokens, never more, with the phrase at `depths` places of the text. */
export function needlePrompts(
  tokenizer: Tokenizer,
  { name, text }: EvalText,
  tokens: number,
  depths: number,
): NeedlePrompt[] {
  const encode = (prompt: string) => tokenizer.encode(prompt, { addSpecial: true });
  const filler = tokenizer.encode(text, { addSpecial: false });
  const longest = Math.max(...PHRASES.map((phrase) => encode(insert('\n', 0, phrase)).length));
  // The pieces' seams may cost a token or two more than the pieces.
  const room = tokens - longest - 4;
  if (room < 1) throw new AppError('bad-input', `${tokens} tokens are too few for a question.`);
  if (filler.length < room) {
    throw new AppError('bad-input', `The text "${name}" has ${filler.length} tokens, fewer than the ${room} needed.`, {
      action: 'Take a longer text, or fewer --tokens.',
    });
  }
  const haystack = tokenizer.decode(filler.slice(0, room));
  return Array.from({ length: depths }, (_, i) => {
    const depth = depths === 1 ? 0.5 : FIRST_DEPTH + (i * (LAST_DEPTH - FIRST_DEPTH)) / (depths - 1);
    const phrase = at(PHRASES, i % PHRASES.length);
    return { text: name, depth, phrase, ids: encode(insert(haystack, depth, phrase)) };
  });
}

/** The phrase on a line of its own, between lines of the text. */
function insert(haystack: string, depth: number, phrase: string): string {
  const lines = haystack.split('\n');
  const line = Math.max(1, Math.min(lines.length - 1, Math.round(depth * (lines.length - 1))));
  const needle = ['', `The pass phrase is ${phrase}.`, ''];
  return [...lines.slice(0, line), ...needle, ...lines.slice(line)].join('\n') + QUESTION;
}

/** Whether an answer begins to say the phrase: its word and the first digit, since a model may spend more tokens than there are. */
export function isRight(answer: string, phrase: string): boolean {
  return answer.includes(phrase.slice(0, phrase.indexOf('-') + 2));
}
