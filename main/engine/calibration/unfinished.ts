/** What a calibration that was broken off has done so far, kept beside its future result so that the next one goes on. */
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { modelFolder, replaceFile } from '../model/attention-calibration-file.ts';
import { WindowStatistics } from './attention-statistics.ts';

const FILE = 'attention-unfinished.json';

const LayerImportance = v.object({ head: v.array(v.number()), layer: v.number() });

const Unfinished = v.object({
  /** What the results depend on: another model, text or way of measuring makes them worthless. */
  settings: v.string(),
  /** Finished windows. */
  statistics: v.array(WindowStatistics),
  /** [window][layer], finished ones, in order. */
  importance: v.array(v.array(LayerImportance)),
});
export type Unfinished = v.InferOutput<typeof Unfinished>;

/** What is there for these settings; an empty start where there is nothing, or of other settings, or damaged. */
export function readUnfinished(flavourDir: string, settings: string): Unfinished {
  const start: Unfinished = { settings, statistics: [], importance: [] };
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(pathOf(flavourDir), 'utf8'));
  } catch {
    return start;
  }
  const result = v.safeParse(Unfinished, json);
  return result.success && result.output.settings === settings ? result.output : start;
}

/** Throws AppError when it cannot be written. */
export async function keepUnfinished(flavourDir: string, unfinished: Unfinished): Promise<void> {
  await replaceFile(pathOf(flavourDir), JSON.stringify(unfinished));
}

export async function removeUnfinished(flavourDir: string): Promise<void> {
  await rm(pathOf(flavourDir), { force: true });
}

function pathOf(flavourDir: string): string {
  return join(modelFolder(flavourDir), FILE);
}
