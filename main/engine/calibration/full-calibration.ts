/**
 * The full calibration of a model: statistics of attention over more text than an import runs, and the importance of every
 * head and layer. Takes minutes; each finished window or layer is kept on disk, so a stop costs little.
 */
import { createHash } from 'node:crypto';
import type { Progress } from '../../../contract/engine.ts';
import type { NativeAddon } from '../../../native/js/index.ts';
import { at } from '../attention/layer-views.ts';
import { DENSE } from '../attention/rules.ts';
import type { AttentionCalibration } from '../model/attention-calibration.ts';
import { writeAttentionCalibration } from '../model/attention-calibration-file.ts';
import type { ModelConfig } from '../model/config.ts';
import { Breath } from '../session/breath.ts';
import type { LoadedModel } from '../session/loaded-model.ts';
import { AttentionObserver, combine, type WindowStatistics } from './attention-statistics.ts';
import { type LayerImportance, WindowImportance } from './importance.ts';
import { keepUnfinished, readUnfinished, removeUnfinished, type Unfinished } from './unfinished.ts';
import { windowsOf } from './windows.ts';

/** Context that a model needs to be calibrated: a window of the statistics. */
export const CALIBRATION_CONTEXT = 1024;
/** Tokens of a window for importance, which runs a part of the model for every head (golden/README.md uses as many). */
const IMPORTANCE_TOKENS = 384;
/** Of how many rows one has its lost mass measured. */
const MASS_EVERY_NTH = 4;

export interface FullCalibrationRun {
  native: NativeAddon;
  /** Used by nobody else meanwhile, its cache empty. */
  model: LoadedModel;
  text: string;
  onProgress?: (progress: Progress) => void;
  signal?: AbortSignal;
}

/**
 * Calibrates and writes attention.json; goes on where an earlier run with the same text stopped. Where a full calibration
 * over this text is there already, it is returned. Throws AppError 'cancelled', 'bad-input' for too short a text.
 */
export async function calibrateFully(run: FullCalibrationRun): Promise<AttentionCalibration> {
  const { model, text } = run;
  const { dir, manifest } = model.bundle;
  const origin = {
    sourceSha256: manifest.source.sha256,
    textSha256: createHash('sha256').update(text).digest('hex'),
  };
  if (model.attentionCalibration && isDone(model.attentionCalibration, origin.textSha256)) {
    return model.attentionCalibration;
  }
  const ids = model.tokenizer.encode(text, { addSpecial: true });
  const statisticsWindows = windowsOf(ids, Math.min(CALIBRATION_CONTEXT, model.contextSize));
  const importanceWindows = windowsOf(ids, Math.min(IMPORTANCE_TOKENS, model.contextSize));
  const settings = JSON.stringify({ ...origin, weights: manifest.weights, IMPORTANCE_TOKENS, MASS_EVERY_NTH });
  const unfinished = readUnfinished(dir, settings);
  const work = new Work(run, statisticsWindows, importanceWindows);
  const breath = new Breath(run.signal);

  for (const [w, window] of statisticsWindows.entries()) {
    if (unfinished.statistics[w] === undefined) {
      unfinished.statistics.push(await windowStatistics(run, window, breath, () => work.forwardDone()));
      await keepUnfinished(dir, unfinished);
    } else {
      work.skipStatistics(window);
    }
  }
  for (const [w, window] of importanceWindows.entries()) {
    await windowImportance(model, window, resultsOf(unfinished, w), breath, work, () =>
      keepUnfinished(dir, unfinished),
    );
  }
  const calibration = {
    ...combine(unfinished.statistics, origin),
    importance: meanImportance(unfinished.importance, importanceWindows),
  };
  await writeAttentionCalibration(dir, calibration);
  await removeUnfinished(dir);
  return calibration;
}

function isDone(calibration: AttentionCalibration, textSha256: string): boolean {
  return calibration.importance !== undefined && calibration.textSha256 === textSha256;
}

/** The finished layers of a window, a list that grows. */
function resultsOf(unfinished: Unfinished, window: number): LayerImportance[] {
  unfinished.importance[window] ??= [];
  return at(unfinished.importance, window);
}

async function windowStatistics(
  { native, model }: FullCalibrationRun,
  window: readonly number[],
  breath: Breath,
  step: () => void,
): Promise<WindowStatistics> {
  const observer = new AttentionObserver(native, model.shared, MASS_EVERY_NTH);
  for (let nPast = 0; nPast < window.length; nPast += model.shared.chunkSize) {
    const chunk = window.slice(nPast, nPast + model.shared.chunkSize);
    await model.forward.pass(chunk, nPast, DENSE, breath, (layer) => observer.observe(layer, chunk.length, nPast));
    step();
  }
  return observer.take();
}

async function windowImportance(
  model: LoadedModel,
  window: readonly number[],
  results: LayerImportance[],
  breath: Breath,
  work: Work,
  keep: () => Promise<void>,
): Promise<void> {
  const { nLayer } = model.shared.shape;
  for (let layer = 0; layer < results.length; layer++) work.skipLayer(window, layer);
  if (results.length === nLayer) {
    work.skipBase(window);
    return;
  }
  const importance = await WindowImportance.run(model, window, breath, () => work.baseDone());
  for (let layer = results.length; layer < nLayer; layer++) {
    results.push(await importance.layer(layer, breath, () => work.variantDone(layer)));
    await keep();
  }
}

function meanImportance(
  windows: readonly LayerImportance[][],
  ids: readonly (readonly number[])[],
): NonNullable<AttentionCalibration['importance']> {
  const mean = (of: (layers: LayerImportance[]) => number) =>
    windows.reduce((sum, layers) => sum + of(layers), 0) / windows.length;
  const [first = []] = windows;
  return {
    tokens: ids.reduce((sum, window) => sum + window.length, 0),
    head: first.map(({ head }, l) => head.map((_, h) => mean((layers) => at(at(layers, l).head, h)))),
    layer: first.map((_, l) => mean((layers) => at(layers, l).layer)),
  };
}

/**
 * Counts work for progress and time left. Its unit is one chunk of rows through one layer; the output matrix counts by its
 * size.
 */
class Work {
  private readonly run: FullCalibrationRun;
  private readonly config: ModelConfig;
  private readonly chunkSize: number;
  private readonly total: number;
  private done = 0;
  private skipped = 0;
  private readonly start = performance.now();

  constructor(run: FullCalibrationRun, statistics: readonly number[][], importance: readonly number[][]) {
    this.run = run;
    this.config = run.model.bundle.manifest.config;
    this.chunkSize = run.model.shared.chunkSize;
    const { nLayer } = this.config;
    const layers = Array.from({ length: nLayer }, (_, layer) => layer);
    this.total =
      statistics.reduce((sum, window) => sum + this.chunks(window) * nLayer, 0) +
      importance.reduce(
        (sum, window) =>
          sum + this.baseUnits(window) + layers.reduce((all, layer) => all + this.layerUnits(window, layer), 0),
        0,
      );
  }

  /** One chunk through all layers. */
  forwardDone(): void {
    this.add(this.config.nLayer);
  }

  /** One chunk through the whole model, output matrix included. */
  baseDone(): void {
    this.add(this.variantUnits(-1));
  }

  /** One chunk of one variant of a layer. */
  variantDone(layer: number): void {
    this.add(this.variantUnits(layer));
  }

  skipStatistics(window: readonly number[]): void {
    this.skip(this.chunks(window) * this.config.nLayer);
  }

  skipBase(window: readonly number[]): void {
    this.skip(this.baseUnits(window));
  }

  skipLayer(window: readonly number[], layer: number): void {
    this.skip(this.layerUnits(window, layer));
  }

  private skip(units: number): void {
    this.skipped += units;
    this.add(units);
  }

  private add(units: number): void {
    this.done += units;
    const worked = this.done - this.skipped;
    const secondsLeft = (((performance.now() - this.start) / 1000) * (this.total - this.done)) / worked;
    this.run.onProgress?.({
      stage: 'calibrate',
      done: Math.round(this.done),
      total: Math.round(this.total),
      ...(worked > 0 ? { secondsLeft: Math.max(0, Math.round(secondsLeft)) } : {}),
    });
  }

  private chunks(window: readonly number[]): number {
    return Math.ceil(window.length / this.chunkSize);
  }

  private baseUnits(window: readonly number[]): number {
    return this.chunks(window) * this.variantUnits(-1);
  }

  private layerUnits(window: readonly number[], layer: number): number {
    return this.chunks(window) * (this.config.nHead + 1) * this.variantUnits(layer);
  }

  /** What follows the attention of a layer; of layer -1, everything. */
  private variantUnits(layer: number): number {
    const { nLayer, nVocab, nEmbd, nHead, nHeadKv, headDim, nFf } = this.config;
    const layerWeights = nEmbd * (2 * (nHead + nHeadKv) * headDim + 3 * nFf);
    return nLayer - layer - 1 + (nVocab * nEmbd) / layerWeights;
  }
}
