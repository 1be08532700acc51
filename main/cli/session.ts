/** The engine as commands use it: data folders, choice of the model, loading with progress. */
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { LoadedModel, ModelInfo, Placement, SamplingOptions } from '../../contract/engine.ts';
import { AppError } from '../../contract/errors.ts';
import { english } from '../../contract/phrase.ts';
import { dataDir } from '../data-dir.mjs';
import { Engine } from '../engine/engine.ts';
import { openBundle } from '../engine/model/bundle.ts';
import { foreignFolders } from '../engine/model/found-models.ts';
import { modelName } from '../engine/model/import-files.ts';
import { slug } from '../engine/model/library.ts';
import { readModelFile } from '../engine/model/model-file.ts';
import { resourceFile } from '../engine/paths.ts';
import { createTokenizer } from '../engine/tokenizer/create-tokenizer.ts';
import type { Tokenizer } from '../engine/tokenizer/tokenizer.ts';
import type { OptionValues } from './options.ts';
import { note, ProgressLine } from './output.ts';

const FOLDERS = {
  modelsDir: join(dataDir(), 'models'),
  bundlesDir: join(dataDir(), 'bundles'),
  profilesDir: join(dataDir(), 'profiles'),
  selfTestsDir: join(dataDir(), 'devices'),
  prefixesDir: join(dataDir(), 'prefixes', 'cli'),
  foreign: foreignFolders(process.env, homedir(), process.platform),
};

/** Runs `work` with an engine and closes it whatever happens. */
export async function withEngine<T>(work: (engine: Engine) => Promise<T>, values: OptionValues = {}): Promise<T> {
  const folder = values['ep-folder'];
  const engine = new Engine({ ...FOLDERS, ...(folder === undefined ? {} : { libraryFolder: resolve(folder) }) });
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}

/**
 * Loads the model that the options ask for, importing it first where needed; devices that `auto` may choose are measured first.
 * A stop throws AppError 'cancelled'.
 */
export async function loadModel(engine: Engine, values: OptionValues, signal: AbortSignal): Promise<void> {
  const progress = new ProgressLine();
  const hooks = { onProgress: progress.show, signal };
  const placement = placementOf(values);
  const request = {
    model: await modelReference(engine, values.model),
    weights: values.weights ?? 'fast',
    ...(values.ctx === undefined ? {} : { contextSize: values.ctx }),
    ...(values.threads === undefined ? {} : { threads: values.threads }),
    ...(placement === undefined ? {} : { placement }),
  };
  try {
    let loaded = await engine.load(request, hooks);
    if (loaded.unmeasured) {
      const { places, changed } = await engine.measureDevices(hooks);
      loaded = changed ? await engine.load(request, hooks) : { ...loaded, places };
    }
    progress.clear();
    notePlaces(loaded);
  } finally {
    progress.clear();
  }
  for (const warning of [...engine.model.tokenizer.warnings, ...engine.model.bundle.manifest.notes]) {
    note(`Note: ${warning}`);
  }
}

/** What the options say of devices; undefined where they say nothing: then all is done on the processor. */
function placementOf(values: OptionValues): Placement | undefined {
  const { 'device-linear': linear, 'device-pilot': pilot, 'device-decode': decode } = values;
  const avoidGpu = values['avoid-gpu'] ?? false;
  const saveBattery = values['save-battery'] ?? false;
  if (!(linear || pilot || decode || avoidGpu || saveBattery)) return undefined;
  const rest = linear || pilot || decode ? 'cpu' : 'auto';
  return { linear: linear ?? rest, pilot: pilot ?? rest, decode: decode ?? rest, avoidGpu, saveBattery };
}

const PART_NAMES = { linear: 'Layers of the prompt', pilot: 'Scores of attention', decode: 'Layers of new tokens' };

function notePlaces({ places = [], deviceProblems = [] }: LoadedModel): void {
  for (const { part, device, reason } of places) note(`${PART_NAMES[part]}: ${device}. ${reason}`);
  for (const { device, reason } of deviceProblems)
    note(`Note: ${device} failed and is not used any more: ${english(reason)}`);
}

/** The tokenizer of a model, read from its file or its bundle: nothing is imported or loaded for it. */
export async function readTokenizer(engine: Engine, reference: string | undefined): Promise<Tokenizer> {
  const models = await engine.models();
  const info =
    reference === undefined ? await defaultModel(engine, models) : models.find((model) => model.id === reference);
  const [weights] = info?.weights ?? [];
  if (info && weights) {
    const bundle = openBundle(join(FOLDERS.bundlesDir, info.id, weights));
    try {
      return createTokenizer(bundle.tokenizerSource());
    } finally {
      bundle.close();
    }
  }
  const path = info?.sourcePath ?? reference;
  if (path === undefined || (!info && !/\.gguf$|[\\/]/i.test(path))) {
    throw new AppError('model-missing', `There is no model "${reference}".`, {
      action: 'Give the id of a model in "models list", or the path of a .gguf file.',
    });
  }
  return createTokenizer((await readModelFile(path)).tokenizer);
}

/** What the engine loads for an option or argument; without one the default model. Throws AppError 'model-missing'. */
export async function modelReference(engine: Engine, given: string | undefined): Promise<string> {
  return given ?? (await defaultModel(engine)).id;
}

/** The default model where it is there, else the first that can be used. Throws AppError 'model-missing'. */
async function defaultModel(engine: Engine, models?: readonly ModelInfo[]): Promise<ModelInfo> {
  const usable = (models ?? (await engine.models())).filter(
    // What other programs keep is imported only where it is asked for.
    ({ problem, weights, origin }) => problem === undefined && (weights.length > 0 || origin === 'folder'),
  );
  const pinned: { file: string } = JSON.parse(readFileSync(resourceFile('default-model.json'), 'utf8'));
  const chosen = usable.find((model) => model.id === slug(modelName(pinned.file))) ?? usable[0];
  if (chosen) return chosen;
  throw new AppError('model-missing', `There is no model in ${FOLDERS.modelsDir}.`, {
    action: 'Give the path of a .gguf file with --model.',
  });
}

export function samplingOf(values: OptionValues): SamplingOptions {
  return {
    temperature: values.temperature ?? 0.7,
    topK: values['top-k'] ?? 40,
    topP: values['top-p'] ?? 0.95,
    minP: values['min-p'] ?? 0.05,
    repetitionPenalty: values['repeat-penalty'] ?? 1,
    repetitionWindow: 64,
    stop: values.stop ?? [],
    maxTokens: values['max-tokens'] ?? 1024,
    ...(values.seed === undefined ? {} : { seed: values.seed }),
  };
}
