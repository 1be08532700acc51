/**
 * Recall of the pilot: which share of a row's top keys by exact float scores is among its top keys by INT8 scores. Q and K
 * come from a dense run, so that all scorers see the same.
 */
import type { NativeAddon } from '../../../native/js/index.ts';
import { DENSE } from '../attention/rules.ts';
import { Breath } from '../session/breath.ts';
import type { LoadedModel } from '../session/loaded-model.ts';
import { RecallMeter } from './recall-meter.ts';
import { scorers } from './recall-scorers.ts';
import { type EvalText, firstTokens } from './texts.ts';

/** The scorer that `shadow` as shipped has. */
const SHIPPED = 'native';

export interface RecallRow {
  text: string;
  scorer: string;
  ratio: number;
  /** Mean over layers, heads and rows of |kept keys and float top-k| / k. */
  recall: number;
  /** Mean of kept keys / k: above 1 where whole histogram bins are kept. */
  kept: number;
}

export interface RecallRun {
  native: NativeAddon;
  texts: readonly EvalText[];
  /** Tokens of each text; 65 are the least that have a row to measure. */
  tokens: number;
  /** Share of the visible keys that counts as the top, 0 < ratio <= 1. */
  ratio: number;
  onProgress?: (label: string, done: number, total: number) => void;
  onRow?: (row: RecallRow) => void;
  signal?: AbortSignal;
}

/** Rows by text and scorer. Throws AppError as firstTokens and Forward.pass do. */
export async function measureRecall(model: LoadedModel, run: RecallRun): Promise<RecallRow[]> {
  const meter = new RecallMeter(run.native, model.shared, run.ratio, scorers(run.native, model.shared));
  const texts = run.texts.map((text) => ({ name: text.name, ids: firstTokens(model, text, run.tokens) }));
  const breath = new Breath(run.signal);
  const { forward, cache } = model;
  const rows: RecallRow[] = [];
  try {
    for (const [index, { name, ids }] of texts.entries()) {
      cache.truncate(0);
      for (let nPast = 0; nPast < ids.length; nPast += forward.chunkSize) {
        const chunk = ids.slice(nPast, nPast + forward.chunkSize);
        await forward.pass(chunk, nPast, DENSE, breath, (layer) => meter.observe(layer, chunk.length, nPast));
        cache.append(chunk);
        run.onProgress?.(name, index * run.tokens + cache.length, texts.length * run.tokens);
      }
      for (const means of meter.take()) {
        const row = { text: name, ratio: run.ratio, ...means };
        rows.push(row);
        run.onRow?.(row);
      }
    }
  } finally {
    cache.truncate(0);
  }
  return rows;
}

/** `recallR_SCORER`, R in percent: mean over the texts; `recallR` is that of the pilot as shipped. */
export function recallFigures(rows: readonly RecallRow[]): Record<string, number> {
  const figures: Record<string, number> = {};
  for (const { scorer, ratio } of rows) {
    const same = rows.filter((row) => row.scorer === scorer).map(({ recall }) => recall);
    const mean = same.reduce((sum, recall) => sum + recall, 0) / same.length;
    const name = `recall${Number((ratio * 100).toPrecision(3))}`;
    figures[`${name}_${scorer}`] = mean;
    if (scorer === SHIPPED) figures[name] = mean;
  }
  return figures;
}
