/**
 * How far one set of weights is from another: both run the same text with full attention, and their predictions of every
 * next token are compared.
 */
import { DENSE } from '../attention/rules.ts';
import { Breath } from '../session/breath.ts';
import type { LoadedModel } from '../session/loaded-model.ts';
import { logitRows, logSumExp } from './logit-rows.ts';
import { type EvalText, firstTokens } from './texts.ts';

export interface Divergence {
  tokens: number;
  /** Mean Kullback-Leibler divergence of the model's next token from the reference's, in nats. */
  kl: number;
  /** Share of the tokens after which both find the same next token likeliest. */
  top1: number;
}

export interface DivergenceRow extends Divergence {
  text: string;
}

export interface DivergenceRun {
  texts: readonly EvalText[];
  /** Tokens of each text, 1 to the context of both models. */
  tokens: number;
  onProgress?: (label: string, done: number, total: number) => void;
  /** After each text. */
  onRow?: (row: DivergenceRow) => void;
  signal?: AbortSignal;
}

/** A row for each text. Both models have the same tokenizer. Throws AppError as firstTokens and Forward.pass do. */
export async function measureDivergence(
  reference: LoadedModel,
  model: LoadedModel,
  run: DivergenceRun,
): Promise<DivergenceRow[]> {
  const texts = run.texts.map((text) => ({ name: text.name, ids: firstTokens(model, text, run.tokens) }));
  const rows: DivergenceRow[] = [];
  for (const { name, ids } of texts) {
    const before = rows.length * run.tokens;
    const divergence = await divergenceOver(reference, model, ids, {
      onToken: (done) => run.onProgress?.(name, before + done, texts.length * run.tokens),
      ...(run.signal ? { signal: run.signal } : {}),
    });
    const row = { text: name, ...divergence };
    rows.push(row);
    run.onRow?.(row);
  }
  return rows;
}

/** Means over the texts: `linear_kl`, `linear_top1`. */
export function divergenceFigures(rows: readonly DivergenceRow[]): Record<string, number> {
  const mean = (of: (row: DivergenceRow) => number) => rows.reduce((sum, row) => sum + of(row), 0) / rows.length;
  return { linear_kl: mean(({ kl }) => kl), linear_top1: mean(({ top1 }) => top1) };
}

/** Over the predictions after each of `ids`. The caches are empty afterwards. */
export async function divergenceOver(
  reference: LoadedModel,
  model: LoadedModel,
  ids: readonly number[],
  hooks: { onToken?: (done: number) => void; signal?: AbortSignal } = {},
): Promise<Divergence> {
  const breath = new Breath(hooks.signal);
  const wanted = logitRows(reference, ids, DENSE, breath);
  let kl = 0;
  let same = 0;
  let tokens = 0;
  try {
    for await (const logits of logitRows(model, ids, DENSE, breath)) {
      const { value } = await wanted.next();
      if (!value) break;
      kl += divergence(value, logits);
      if (likeliest(value) === likeliest(logits)) same++;
      tokens++;
      hooks.onToken?.(tokens);
    }
  } finally {
    await wanted.return();
  }
  return { tokens, kl: kl / tokens, top1: same / tokens };
}

/** sum p ln(p / q) in nats, with p and q the softmax of the logits. */
export function divergence(reference: Float32Array, logits: Float32Array): number {
  const shift = logSumExp(reference);
  let sum = logSumExp(logits) - shift;
  for (let i = 0; i < reference.length; i++) {
    const value = reference[i] ?? Number.NaN;
    sum += Math.exp(value - shift) * (value - (logits[i] ?? Number.NaN));
  }
  return sum;
}

/** Id of the greatest, the first of equal ones. */
export function likeliest(logits: Float32Array): number {
  let best = 0;
  for (let i = 1; i < logits.length; i++) if ((logits[i] ?? 0) > (logits[best] ?? 0)) best = i;
  return best;
}
