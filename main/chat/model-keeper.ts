/** Keeps the model that the settings want loaded, over crashes too, and says in one status where that stands. */

import type { DeviceInfo, LoadedModel, MemoryEstimate, ModelInfo, PartPlace, Progress } from '../../contract/engine.ts';
import { AppError } from '../../contract/errors.ts';
import type { EngineStatus } from '../../contract/model-status.ts';
import { phrase, type Reason } from '../../contract/phrase.ts';
import type { Settings } from '../../contract/settings.ts';
import type { EngineProcess, EngineState } from '../engine-process.ts';

/** Progress of an import comes often; a bar needs this much of it. */
const PROGRESS_EVERY_MS = 100;

export interface ModelKeeperOptions {
  engine: EngineProcess;
  /** Where people put .gguf files; named to them when there is none. */
  modelsDir: string;
  settings: () => Settings;
  changed: (status: EngineStatus) => void;
  log: (line: string) => void;
}

export class ModelKeeper {
  readonly #options: ModelKeeperOptions;
  #status: EngineStatus = { state: 'starting' };
  #up = false;
  #loaded: { key: string; model: LoadedModel } | undefined;
  #loading: { key: string; promise: Promise<LoadedModel> } | undefined;
  /** Devices that were at work when the engine process ended, and what it died of. */
  readonly #excluded = new Map<string, Reason>();
  #waiting: { resolve: () => void; reject: (error: AppError) => void }[] = [];

  constructor(options: ModelKeeperOptions) {
    this.#options = options;
  }

  get status(): EngineStatus {
    return this.#status;
  }

  /** To be told of every change of the engine process. */
  engineChanged(state: EngineState): void {
    this.#loaded = undefined;
    this.#loading = undefined; // it is failing already; who asks from now on wants a new attempt
    this.#up = state.state === 'up';
    if (state.state === 'down') {
      for (const { device } of state.uses)
        this.#excluded.set(
          device,
          phrase`The engine ended while it worked: ${AppError.fromInfo(state.error).phrases.message}`,
        );
    }
    const waiting = this.#waiting;
    if (state.state === 'up') {
      this.#waiting = [];
      for (const { resolve } of waiting) resolve();
      // Loading at once, so that the first answer does not wait for it. A failure is in the status already.
      this.ensure().catch(() => undefined);
      return;
    }
    const { detail: _, ...error } = state.error.toInfo();
    this.#set({ state: 'failed', error, final: state.final });
    if (!state.final) return;
    this.#waiting = [];
    for (const { reject } of waiting) reject(state.error);
  }

  /** The wanted model, loaded. After a final failure this starts the engine again, since a person asked. */
  async ensure(): Promise<LoadedModel> {
    await this.#engineUp();
    const key = wantedModel(this.#options.settings());
    if (this.#loaded?.key === key) return this.#loaded.model;
    if (this.#loading?.key === key) return this.#loading.promise;
    const before = this.#loading?.promise.catch(() => undefined);
    const promise = Promise.resolve(before).then(() => this.#load(key));
    const loading = { key, promise };
    this.#loading = loading;
    try {
      return await promise;
    } finally {
      if (this.#loading === loading) this.#loading = undefined;
    }
  }

  /** Devices have been measured, and the loaded model stays where it is, for these reasons. */
  measured(places: PartPlace[]): void {
    if (this.#loaded === undefined || this.#status.state !== 'ready') return;
    const model = { ...this.#loaded.model, places, unmeasured: false };
    this.#loaded = { ...this.#loaded, model };
    this.#set({ state: 'ready', model });
  }

  /** Loads the wanted model although it is loaded: devices may now be placed otherwise. */
  async reload(): Promise<LoadedModel> {
    this.#loaded = undefined;
    return this.ensure();
  }

  /** Gives the loaded model's memory back until somebody asks again. To be run when no answer is being made. */
  async unload(): Promise<void> {
    const loaded = this.#loaded;
    if (loaded === undefined || this.#loading !== undefined) return;
    await this.#options.engine.unload();
    // The engine process may have ended meanwhile, and another one may be loading.
    if (this.#loaded !== loaded) return;
    this.#loaded = undefined;
    this.#set({ state: 'unloaded', modelName: loaded.model.name });
  }

  /** Removes a model from this machine; where it is the loaded one, another takes its place. Throws AppError. */
  async remove(modelId: string): Promise<void> {
    await this.#engineUp();
    await this.#options.engine.removeModel(modelId);
    if (this.#loaded?.model.id !== modelId) return;
    this.#loaded = undefined;
    this.ensure().catch(() => undefined); // how it goes is told by the status
  }

  /** Memory that a model would take. Throws AppError. */
  async estimate(body: Parameters<EngineProcess['estimate']>[0]): Promise<MemoryEstimate> {
    await this.#engineUp();
    return this.#options.engine.estimate(body);
  }

  /** Bytes that unloading would give back; 0 where no model is loaded. */
  async loadedBytes(): Promise<number> {
    if (this.#loaded === undefined) return 0;
    const { id, weights, contextSize } = this.#loaded.model;
    const memory = await this.estimate({ model: id, weights, contextSize }).catch(() => undefined);
    return memory === undefined ? 0 : memory.weightsBytes + memory.kvBytes + memory.scratchBytes;
  }

  /** A person who has just put a model into the folder comes back to the window: no restart needed. */
  lookAgain(): void {
    if (this.#status.state === 'no-model') this.ensure().catch(() => undefined);
  }

  async models(): Promise<ModelInfo[]> {
    await this.#engineUp();
    return this.#options.engine.models();
  }

  async devices(): Promise<DeviceInfo[]> {
    await this.#engineUp();
    const { libraryFolder } = this.#options.settings();
    return this.#options.engine.devices(libraryFolder === undefined ? {} : { libraryFolder });
  }

  #engineUp(): Promise<void> {
    if (this.#up) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      if (this.#status.state === 'failed' && this.#status.final) {
        this.#set({ state: 'starting' });
        this.#options.engine.startAfresh();
      }
    });
  }

  async #load(key: string): Promise<LoadedModel> {
    const settings = this.#options.settings();
    try {
      const info = choose(await this.#options.engine.models(), settings.modelId, this.#options.modelsDir);
      this.#set({ state: 'loading', modelName: info.name });
      const source = info.weights.includes(settings.weights) ? info.id : (info.sourcePath ?? info.id);
      const exclude = [...this.#excluded].map(([device, reason]) => ({ device, reason }));
      const { weights, placement } = settings;
      const contextSize = settings.contextSizes[info.id];
      const body = {
        model: source,
        weights,
        placement,
        ...(contextSize === undefined ? {} : { contextSize }),
        ...(exclude.length === 0 ? {} : { exclude }),
      };
      const model = await this.#options.engine.load(body, this.#progressOf(info.name));
      this.#loaded = { key, model };
      // The engine keeps what it was told; a self-test that passes may take it back.
      this.#excluded.clear();
      this.#set({ state: 'ready', model });
      // The device is known as faulty now: this happens once.
      if (model.deviceProblems?.some(({ hung }) => hung)) this.#options.engine.renew();
      return model;
    } catch (thrown) {
      const error = AppError.from(thrown);
      if (error.kind === 'cancelled') throw error; // the app is ending
      this.#options.log(`model not loaded: ${error.kind}: ${error.message} ${error.detail ?? ''}`);
      // The end of the process has its own status, with the restart in it.
      if (error.kind === 'model-missing') {
        const { action: phrase } = error.phrases;
        this.#set({ state: 'no-model', action: error.action ?? '', ...(phrase === undefined ? {} : { phrase }) });
      } else if (error.kind !== 'engine-crashed') {
        const { detail: _, ...info } = error.toInfo();
        this.#set({ state: 'failed', error: info, final: true });
      }
      throw error;
    }
  }

  #progressOf(modelName: string): (progress: Progress) => void {
    let told: { at: number; stage: Progress['stage'] } | undefined;
    return (progress) => {
      const now = Date.now();
      if (told?.stage === progress.stage && now - told.at < PROGRESS_EVERY_MS && progress.done < progress.total) return;
      told = { at: now, stage: progress.stage };
      this.#set({ state: 'loading', modelName, progress });
    };
  }

  #set(status: EngineStatus): void {
    this.#status = status;
    this.#options.changed(status);
  }
}

/** What a loaded model depends on, as one text. */
export function wantedModel({ modelId, weights, placement, contextSizes }: Settings): string {
  // Which one "the first" is, is not known here.
  const contexts = modelId === undefined ? contextSizes : contextSizes[modelId];
  return JSON.stringify([modelId, weights, placement, contexts]);
}

/** The wanted model, or without a wish the first that can be used. Throws AppError: none, or the wanted one cannot. */
function choose(models: readonly ModelInfo[], wanted: string | undefined, modelsDir: string): ModelInfo {
  // What other programs keep is imported only where somebody chooses it.
  const usable = models.filter((model) => !model.problem && (model.weights.length > 0 || model.origin === 'folder'));
  if (wanted !== undefined) {
    const found = models.find((model) => model.id === wanted);
    if (found?.problem) throw AppError.fromInfo(found.problem);
    if (found) return found;
  }
  const [first] = usable;
  if (first) return first;
  const broken = models.find((model) => model.problem && model.origin === 'folder');
  throw new AppError('model-missing', 'There is no model on this machine that can be used.', {
    action:
      broken?.problem === undefined
        ? phrase`Put a .gguf file into ${modelsDir} and come back to this window.`
        : phrase`"${broken.name}" cannot be used: ${AppError.fromInfo(broken.problem).phrases.message} Put a .gguf file into ${modelsDir} and come back to this window.`,
  });
}
