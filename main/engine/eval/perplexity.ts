/**
 * Perplexity of a text under several kinds of attention: each runs the text from its beginning in chunks, as a prompt is
 * read, and the logits of every row are compared with the token that follows.
 */
import { at } from '../attention/layer-views.ts';
import { type AttentionRule, NEVER, ruleFor } from '../attention/rules.ts';
import { Breath } from '../session/breath.ts';
import type { LoadedModel } from '../session/loaded-model.ts';
import { type Configuration, checkConfigurations, FULL } from './configurations.ts';
import { logitRows, logSumExp } from './logit-rows.ts';
import { type EvalText, firstTokens } from './texts.ts';

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
      const rule = ruleFor(await model.prepareAttention(options), NEVER);
      const nll = await meanNll(model, ids, rule, {
        onToken: (done) => run.onProgress?.(`${name}, ${config}`, before + done, total),
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
 * Mean negative log likelihood, in nats, of ids[1 ..] under a rule for which the model has been prepared. No row is dense
 * that a row in the middle of a prompt would not be. The cache is empty afterwards.
 */
export async function meanNll(
  model: LoadedModel,
  ids: readonly number[],
  rule: AttentionRule,
  hooks: { onToken?: (done: number) => void; signal?: AbortSignal } = {},
): Promise<number> {
  let sum = 0;
  let done = 0;
  for await (const logits of logitRows(model, ids, rule, new Breath(hooks.signal))) {
    done++;
    // Nothing follows the last token.
    if (done < ids.length) sum += logSumExp(logits) - (logits[at(ids, done)] ?? Number.NaN);
    hooks.onToken?.(done);
  }
  return sum / (ids.length - 1);
}
