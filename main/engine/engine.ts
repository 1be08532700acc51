/**
 * The engine's face: load a model, generate, cancel, list what there is. No Electron, no DOM: the CLI, the tests and the
 * app's engine process run this same code. One request at a time; asking again meanwhile throws 'engine-busy'.
 */
import { readFile } from 'node:fs/promises';
import { availableParallelism, cpus } from 'node:os';
import type {
  AttentionOptions,
  DeviceInfo,
  GenerateResult,
  LoadedModel as LoadedModelInfo,
  ModelInfo,
  Progress,
  Prompt,
  SamplingOptions,
  WeightFlavour,
} from '../../contract/engine.ts';
import { AppError } from '../../contract/errors.ts';
import type { NativeAddon } from '../../native/js/index.ts';
import { loadNative } from '../../native/js/load.ts';
import { ruleFor } from './attention/rules.ts';
import { calibrate } from './calibration/calibrate.ts';
import { listDevices } from './device/devices.ts';
import type { Bundle } from './model/bundle.ts';
import { ModelLibrary } from './model/library.ts';
import type { CalibrationStats } from './model/manifest.ts';
import { resourceFile } from './paths.ts';
import { Breath } from './session/breath.ts';
import { type GenerationHooks, generate } from './session/generation.ts';
import { LoadedModel } from './session/loaded-model.ts';
import { prefill } from './session/prefill.ts';
import { createTokenizer } from './tokenizer/create-tokenizer.ts';

/** Tokens of the calibration text that an import runs. */
const CALIBRATION_TOKENS = 1024;
/** Context where none is asked for: what KV memory a laptop can spare without thinking. */
const DEFAULT_CONTEXT = 8192;
const MOST_DEFAULT_THREADS = 4;

export interface EngineOptions {
  /** Folder with .gguf files. */
  modelsDir: string;
  /** Folder with imported models. */
  bundlesDir: string;
}

export interface LoadRequest {
  /** An imported model's id, or the path of a .gguf. */
  model: string;
  weights: WeightFlavour;
  contextSize?: number;
  threads?: number;
}

export interface JobHooks {
  onProgress?: (progress: Progress) => void;
  signal?: AbortSignal;
}

export interface GenerateRequest {
  prompt: Prompt;
  sampling: SamplingOptions;
  attention: AttentionOptions;
}

export class Engine {
  readonly library: ModelLibrary;
  private nativeAddon: NativeAddon | undefined;
  private current: LoadedModel | undefined;
  private busy = false;

  constructor(options: EngineOptions) {
    this.library = new ModelLibrary(options);
  }

  /** The loaded model. Throws AppError 'model-missing' where none is. */
  get model(): LoadedModel {
    if (this.current) return this.current;
    throw new AppError('model-missing', 'No model is loaded.', { action: 'Choose a model first.' });
  }

  models(): Promise<ModelInfo[]> {
    return this.library.list();
  }

  devices(): DeviceInfo[] {
    return listDevices(this.native);
  }

  /** Imports the model in this flavour if that has not been done. Throws AppError; nothing half-made stays. */
  import(request: { model: string; weights: WeightFlavour }, hooks: JobHooks = {}): Promise<Bundle> {
    return this.exclusive(() => this.ensure(request, hooks));
  }

  /** Loads a model in place of the current one, importing it first where needed. */
  load(request: LoadRequest, hooks: JobHooks = {}): Promise<LoadedModelInfo> {
    return this.exclusive(async () => {
      const bundle = await this.ensure(request, hooks);
      await this.unload();
      const options = {
        contextSize: request.contextSize ?? DEFAULT_CONTEXT,
        threads: request.threads ?? defaultThreads(),
        onProgress: (done: number, total: number) => hooks.onProgress?.({ stage: 'load', done, total }),
        ...(hooks.signal ? { signal: hooks.signal } : {}),
      };
      this.current = await LoadedModel.load(this.native, bundle, createTokenizer(bundle.tokenizerSource()), options);
      return loadedInfo(this.current);
    });
  }

  /** Answers a prompt. Throws AppError; a fired signal is no error (finishReason 'cancelled'). */
  generate(request: GenerateRequest, hooks: GenerationHooks = {}): Promise<GenerateResult> {
    const { model } = this;
    return this.exclusive(() => {
      const { prompt } = request;
      const ids =
        prompt.kind === 'chat'
          ? model.tokenizer.encodeChat(prompt.turns)
          : model.tokenizer.encodeWithControl(prompt.text, { addSpecial: true });
      return generate(model, ids, request.sampling, request.attention, hooks);
    });
  }

  /** Logits [nVocab] after the last of `ids`, computed anew. */
  logits(
    ids: readonly number[],
    attention: AttentionOptions,
    hooks: { signal?: AbortSignal } = {},
  ): Promise<Float32Array> {
    const { model } = this;
    if (ids.length === 0 || ids.length > model.contextSize) {
      throw new AppError('bad-input', `${ids.length} token ids were given; 1 to ${model.contextSize} fit.`);
    }
    return this.exclusive(async () => {
      const usable = model.prepareAttention(attention);
      model.cache.truncate(0);
      const row = await prefill(model.forward, model.cache, ids, {
        rule: (last) => ruleFor(usable, last),
        breath: new Breath(hooks.signal),
      });
      return model.forward.logits(row, 1);
    });
  }

  /** Frees the loaded model's memory and threads. */
  async unload(): Promise<void> {
    const { current } = this;
    this.current = undefined;
    await current?.close();
  }

  /** Ends all threads; the engine can't be used afterwards. */
  close(): Promise<void> {
    return this.unload();
  }

  private get native(): NativeAddon {
    this.nativeAddon ??= loadNative();
    return this.nativeAddon;
  }

  private ensure(request: { model: string; weights: WeightFlavour }, hooks: JobHooks): Promise<Bundle> {
    return this.library.ensure(request.model, request.weights, {
      ...hooks,
      calibrate: (bundle, statsBlocks) => this.calibrate(bundle, statsBlocks, hooks),
    });
  }

  private async calibrate(bundle: Bundle, statsBlocks: readonly string[], hooks: JobHooks): Promise<CalibrationStats> {
    const text = await readFile(resourceFile('calibration.txt'), 'utf8');
    const tokens = createTokenizer(bundle.tokenizerSource()).encode(text, { addSpecial: true });
    const most = Math.min(CALIBRATION_TOKENS, bundle.manifest.config.contextTrained);
    return calibrate({
      native: this.native,
      bundle,
      statsBlocks,
      text,
      ids: tokens.slice(0, most),
      onProgress: (done, total) => hooks.onProgress?.({ stage: 'calibrate', done, total }),
      ...(hooks.signal ? { signal: hooks.signal } : {}),
    });
  }

  private async exclusive<T>(work: () => Promise<T>): Promise<T> {
    if (this.busy) {
      throw new AppError('engine-busy', 'The engine is working on another request.', {
        action: 'Wait for it, or stop it first.',
      });
    }
    this.busy = true;
    try {
      return await work();
    } finally {
      this.busy = false;
    }
  }
}

function loadedInfo(model: LoadedModel): LoadedModelInfo {
  const { id, name, weights } = model.bundle.manifest;
  return { id, name, weights, contextSize: model.contextSize, device: 'CPU', threads: model.threads };
}

/** Node 16 has no availableParallelism. */
function defaultThreads(): number {
  const cores = typeof availableParallelism === 'function' ? availableParallelism() : cpus().length;
  return Math.max(1, Math.min(MOST_DEFAULT_THREADS, cores));
}
