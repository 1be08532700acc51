/**
 * Perplexity of a text under several kinds of attention: each runs the text from its beginning in chunks, as a prompt is
 * read, and the logits of every row are compared with the token that follows.
 */
import { at } from '../attention/layer-views.ts';
import { NEVER, ruleFor } from '../attention/rules.ts';
import { Breath } from '../session/breath.ts';
import type { LoadedModel } from '../session/loaded-model.ts';
import { type Configuration, checkConfigurations, FULL } from './configurations.ts';
import { type EvalText, firstTokens } from './texts.ts';

/** Rows whose logits are in memory at a time. */
const LOGIT_ROWS = 32;

export interface PerplexityRow {
  text: string;
  config: string;
  tokens: number;
  /** Mean negative log likelihood of a token, in nats. */
  nll: number;
  perplexity: number;
  /** Perplexity over that of `full` on the same text. */
  ratio: number;
}

export interface PerplexityRun {
  texts: readonly EvalText[];
  /** Compared with `full`, which is always measured and must not be among them. */
  configurations: readonly Configuration[];
  /** Tokens of each text, 2 to the model's context. */
  tokens: number;
  onProgress?: (label: string, done: number, total: number) => void;
  /** After each text and configuration. */
  onRow?: (row: PerplexityRow) => void;
  signal?: AbortSignal;
}

/** Rows by text, `full` first. Throws AppError as firstTokens and Forward.pass do. */
export async function measurePerplexity(model: LoadedModel, run: PerplexityRun): Promise<PerplexityRow[]> {
  const texts = run.texts.map((text) => ({ name: text.name, ids: firstTokens(model, text, run.tokens) }));
  await checkConfigurations(model, run.configurations, at(at(texts, 0).ids, 0));
  const total = texts.length * (run.configurations.length + 1) * run.tokens;
  const rows: PerplexityRow[] = [];
  for (const { name, ids } of texts) {
    let full: number | undefined;
    for (const { name: config, options } of [FULL, ...run.configurations]) {
      const before = rows.length * run.tokens;
      const nll = await meanNll(model, ids, options, {
        onChunk: (done) => run.onProgress?.(`${name}, ${config}`, before + done, total),
        ...(run.signal ? { signal: run.signal } : {}),
      });
      full ??= nll;
      const row = {
        text: name,
        config,
        tokens: ids.length,
        nll,
        perplexity: Math.exp(nll),
        ratio: Math.exp(nll - full),
      };
      rows.push(row);
      run.onRow?.(row);
    }
  }
  return rows;
}

/** `perplexity_CONFIG_vs_full`: mean over the texts of the ratio of perplexities. */
export function perplexityFigures(rows: readonly PerplexityRow[]): Record<string, number> {
  const configs = new Set(rows.map(({ config }) => config));
  configs.delete(FULL.name);
  return Object.fromEntries(
    [...configs].map((config) => {
      const ratios = rows.filter((row) => row.config === config).map(({ ratio }) => ratio);
      return [`perplexity_${config}_vs_full`, ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length];
    }),
  );
}

/**
 * Mean negative log likelihood, in nats, of ids[1 ..]. No row is dense that a row in the middle of a prompt would not be.
 * The cache is empty afterwards.
 */
export async function meanNll(
  model: LoadedModel,
  ids: readonly number[],
  options: Configuration['options'],
  hooks: { onChunk?: (done: number) => void; signal?: AbortSignal } = {},
): Promise<number> {
  const { forward, cache } = model;
  const rule = ruleFor(await model.prepareAttention(options), NEVER);
  const breath = new Breath(hooks.signal);
  cache.truncate(0);
  try {
    let sum = 0;
    for (let start = 0; start < ids.length; start += forward.chunkSize) {
      const chunk = ids.slice(start, start + forward.chunkSize);
      await forward.pass(chunk, start, rule, breath);
      cache.append(chunk);
      for (let first = 0; first < chunk.length; first += LOGIT_ROWS) {
        await breath.take();
        const rows = Math.min(LOGIT_ROWS, chunk.length - first);
        const next = start + first + 1;
        sum += nllOfRows(model, first, rows, ids.slice(next, next + rows));
      }
      hooks.onChunk?.(start + chunk.length);
    }
    return sum / (ids.length - 1);
  } finally {
    cache.truncate(0);
  }
}

/** Sum over `count` rows of the last pass from `first` on; the last row of a text has no target. */
function nllOfRows(model: LoadedModel, first: number, count: number, targets: readonly number[]): number {
  const logits = model.forward.logits(first, count);
  const vocab = logits.length / count;
  let sum = 0;
  for (let row = 0; row < count; row++) {
    const target = targets[row];
    if (target === undefined) break;
    const values = logits.subarray(row * vocab, (row + 1) * vocab);
    let most = Number.NEGATIVE_INFINITY;
    for (const value of values) if (value > most) most = value;
    let total = 0;
    for (const value of values) total += Math.exp(value - most);
    sum += most + Math.log(total) - (values[target] ?? Number.NaN);
  }
  return sum;
}
