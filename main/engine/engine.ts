/**
 * The engine's face: load a model, generate, cancel, list what there is. No Electron, no DOM: the CLI, the tests and the
 * app's engine process run this same code. One request at a time; asking again meanwhile throws 'engine-busy'.
 */
import { readFile } from 'node:fs/promises';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import type {
  Agreement,
  AttentionOptions,
  Countable,
  DeviceInfo,
  DeviceUse,
  EngineUsage,
  GenerateResult,
  KeptPrompt,
  LoadedModel as LoadedModelInfo,
  MemoryEstimate,
  ModelInfo,
  Placement,
  Progress,
  Prompt,
  Replay,
  SamplingOptions,
  TracedAnswer,
  Trial,
  WeightFlavour,
} from '../../contract/engine.ts';
import { AppError } from '../../contract/errors.ts';
import { phrase, type Reason } from '../../contract/phrase.ts';
import type { HeadSelection, KeptTokens } from '../../contract/trace.ts';
import type { WhatIf, WhatIfRequest } from '../../contract/what-if.ts';
import type { NativeAddon } from '../../native/js/index.ts';
import { loadNative } from '../../native/js/load.ts';
import { defaultRatio, ruleFor } from './attention/rules.ts';
import { BackgroundJob } from './background-job.ts';
import { calibrate } from './calibration/calibrate.ts';
import { CALIBRATION_CONTEXT, calibrateFully } from './calibration/full-calibration.ts';
import { machineProfile } from './calibration/machine-profile.ts';
import { crossoverLength } from './calibration/profile.ts';
import { loadProfile, profileKey } from './calibration/profile-file.ts';
import { mixtureOf } from './calibration/windows.ts';
import { processor } from './device/device-info.ts';
import { ownLibraryFolder } from './device/libraries.ts';
import { DeviceRegistry } from './device/registry.ts';
import { windowsMlFolders } from './device/windows-ml.ts';
import { FULL } from './eval/configurations.ts';
import { type AnswerLogits, agreementWith, answerLogits, runTrial, type Trialled } from './eval/trial.ts';
import type { AttentionCalibration } from './model/attention-calibration.ts';
import { modelFolder } from './model/attention-calibration-file.ts';
import type { Bundle } from './model/bundle.ts';
import { parametersOf } from './model/config.ts';
import type { ModelFolder } from './model/found-models.ts';
import { ModelLibrary } from './model/library.ts';
import type { CalibrationStats } from './model/manifest.ts';
import { resourceFile } from './paths.ts';
import { releaseMemory } from './release-memory.ts';
import { Breath } from './session/breath.ts';
import { type Measured, type Placed, Placer } from './session/device-place.ts';
import { type GenerationHooks, generate } from './session/generation.ts';
import { LoadedModel } from './session/loaded-model.ts';
import { prefill } from './session/prefill.ts';
import { PrefixStore } from './session/prefix-store.ts';
import { keptTokensOf } from './telemetry/kept-tokens.ts';
import { type ReplayHooks, replayPlans } from './telemetry/replay.ts';
import { tracedAnswer } from './telemetry/trace.ts';
import { usageOf } from './telemetry/usage.ts';
import { whatIfOf } from './telemetry/what-if.ts';
import { createTokenizer } from './tokenizer/create-tokenizer.ts';
import type { Tokenizer } from './tokenizer/tokenizer.ts';

/** Tokens of the calibration text that an import runs, in pieces from all over the text. */
const CALIBRATION_TOKENS = 1024;
const CALIBRATION_PIECE = 256;
/** Context where none is asked for: what KV memory a laptop can spare without thinking. */
const DEFAULT_CONTEXT = 8192;
const MOST_DEFAULT_THREADS = 4;

export interface EngineOptions {
  /** Folder with .gguf files and folders of safetensors. */
  modelsDir: string;
  /** Folder with imported models. */
  bundlesDir: string;
  /** Folders that other programs keep models in; never written. */
  foreign?: readonly ModelFolder[];
  /** Folder with cost profiles (`cli profile`), for the plans of pilot devices and where `shadow` begins. */
  profilesDir?: string;
  /** A folder with the user's own execution provider libraries; they go before those that came with the app. */
  libraryFolder?: string;
  /** Folder with what was learnt of devices: self-tests, faults, libraries that were tried. */
  selfTestsDir?: string;
  /** Folder with prompts that were read; without it none are kept. */
  prefixesDir?: string;
  /** Milliseconds in which a device must answer at first; default: what fits compilers. */
  devicePatienceMs?: number;
}

export interface LoadRequest {
  /** An imported model's id, or the path of a .gguf. */
  model: string;
  weights: WeightFlavour;
  contextSize?: number;
  threads?: number;
  /** Absent: everything on the processor. */
  placement?: Placement;
  /** Devices that are not to be used any more, and why. */
  exclude?: readonly { device: string; reason: Reason }[];
}

export interface EstimateRequest {
  /** A model's id. */
  model: string;
  weights: WeightFlavour;
  contextSize?: number;
}

export interface CalibrateRequest {
  model: string;
  /** The flavour that is imported where the model is not yet. */
  weights: WeightFlavour;
  threads?: number;
  text?: string;
}

export interface JobHooks {
  onProgress?: (progress: Progress) => void;
  /** Told before devices begin to work for the job, and with none when they are done. */
  onUse?: (uses: readonly DeviceUse[]) => void;
  signal?: AbortSignal;
}

export interface GenerateRequest {
  prompt: Prompt;
  sampling: SamplingOptions;
  attention: AttentionOptions;
  /** Leaves the trace that of the answer before. */
  aside?: boolean | undefined;
  /** Keeps what was read of the prompt on disk, and takes it from there. */
  keep?: KeptPrompt | undefined;
}

/** A prompt that is run to be measured. */
interface TrialledPrompt {
  prompt: Prompt;
  /** Only so many of its first tokens count. */
  cutTo?: number | undefined;
  attention: AttentionOptions;
  /** Everything on the processor, whatever the model is placed on. */
  onProcessor?: boolean | undefined;
}

export class Engine {
  readonly library: ModelLibrary;
  private readonly options: EngineOptions;
  private libraryFolder: string | undefined;
  private devicesKnown: DeviceRegistry | undefined;
  private nativeAddon: NativeAddon | undefined;
  private current: LoadedModel | undefined;
  /** Of the loaded model, where a placement was asked for. */
  private placer: Placer | undefined;
  /** What full attention predicted in the comparison under way; given up when something else is asked. */
  private reference: AnswerLogits | undefined;
  private busy = false;
  private readonly prefixes: PrefixStore | undefined;
  /** Settles when the last prompt has been kept; never rejects. */
  private keeping: Promise<void> = Promise.resolve();
  /** The full calibration, which gives way to every other request. */
  private readonly background = new BackgroundJob();

  constructor(options: EngineOptions) {
    this.library = new ModelLibrary(options);
    this.prefixes = options.prefixesDir === undefined ? undefined : new PrefixStore(options.prefixesDir);
    this.options = options;
    this.libraryFolder = options.libraryFolder;
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
    return this.registry.list();
  }

  /** Tests a device, or all, each in a process of its own; works beside a request. Returns the list with the results. */
  selfTest(device: string | undefined, hooks: JobHooks = {}): Promise<DeviceInfo[]> {
    return this.registry.selfTest(device, hooks);
  }

  /** Takes another folder for the user's execution provider libraries; undefined for none. */
  setLibraryFolder(folder: string | undefined): void {
    if (folder === this.libraryFolder) return;
    this.libraryFolder = folder;
    this.registry.setFolders(libraryFolders(folder));
  }

  /** Imports the model in this flavour if that has not been done. Throws AppError; nothing half-made stays. */
  import(request: { model: string; weights: WeightFlavour }, hooks: JobHooks = {}): Promise<Bundle> {
    return this.exclusive(() => this.ensure(request, hooks));
  }

  /** Loads a model in place of the current one, importing it first where needed. */
  load(request: LoadRequest, hooks: JobHooks = {}): Promise<LoadedModelInfo> {
    return this.exclusive(async () => {
      const bundle = await this.ensure(request, hooks);
      await this.dropModel();
      const profile = this.options.profilesDir && (await machineProfile(this.native, this.options.profilesDir, hooks));
      const options = {
        contextSize: request.contextSize ?? DEFAULT_CONTEXT,
        threads: request.threads ?? defaultThreads(request.placement),
        onProgress: (done: number, total: number) => hooks.onProgress?.({ stage: 'load', done, total }),
        ...(hooks.signal ? { signal: hooks.signal } : {}),
        ...(this.options.profilesDir === undefined ? {} : { profilesDir: this.options.profilesDir }),
        registry: this.registry,
        ...(profile ? { crossover: crossoverLength(profile, defaultRatio('shadow')) } : {}),
      };
      const model = await LoadedModel.load(this.native, bundle, createTokenizer(bundle.tokenizerSource()), options);
      this.current = model;
      // What opening the graphs has copied and freed stays with the allocator otherwise.
      this.native.trimMemory();
      const { placement, exclude = [] } = request;
      for (const { device, reason } of exclude) model.markFaulty(device, reason);
      if (placement === undefined) return loadedInfo(model);
      this.placer = new Placer({
        native: this.native,
        registry: this.registry,
        model,
        wish: placement,
        excluded: exclude,
        ...(profile ? { profile } : {}),
        share: defaultRatio('shadow'),
        costsDir: this.options.profilesDir,
        graphsDir: join(modelFolder(bundle.dir), 'devices'),
        patienceMs: this.options.devicePatienceMs,
      });
      try {
        return loadedInfo(model, await this.placer.place(placeHooks(hooks)));
      } catch (error) {
        await this.unload();
        throw error;
      }
    });
  }

  /**
   * Compiles the loaded model for devices that were left out for want of a measurement, and measures them. Another request
   * stops it ('cancelled'). @returns where its parts would be placed if it were loaded again, and whether that is a change
   */
  async measureDevices(hooks: JobHooks = {}): Promise<Measured> {
    if (this.busy || this.background.running) throw engineBusy();
    const { placer } = this;
    if (placer === undefined) return { places: [], changed: false };
    return this.background.run(hooks.signal, (signal) => placer.measure(placeHooks({ ...hooks, signal })));
  }

  /** Answers a prompt. Throws AppError; a fired signal is no error (finishReason 'cancelled'). */
  generate(request: GenerateRequest, hooks: GenerationHooks = {}): Promise<GenerateResult> {
    const { model } = this;
    const askedAt = performance.now();
    return this.exclusive(async () => {
      this.reference = undefined;
      const ids = encodePrompt(model.tokenizer, request.prompt);
      model.record = request.aside === true ? 'nothing' : 'answer';
      const { keep } = request;
      const { prefixes } = this;
      if (keep === undefined || prefixes === undefined) {
        return generate(model, ids, request.sampling, request.attention, hooks, askedAt);
      }
      let origin = '';
      const restore = (rule: string) => {
        origin = rule;
        return prefixes.restore(model, ids, rule, keep, hooks.signal);
      };
      const result = await generate(model, ids, request.sampling, request.attention, { ...hooks, restore }, askedAt);
      // The answer need not wait for the disk, but the next request may not change the cache meanwhile.
      this.keeping = prefixes.keep(model, ids, origin, keep);
      return result;
    });
  }

  /** Answers greedily with nothing cached, to be measured; leaves no trace. Throws AppError as `generate`. */
  trial(request: TrialledPrompt & { maxTokens: number }, hooks: GenerationHooks = {}): Promise<Trial> {
    return this.trialled(request, async (model, trialled, encodeMs) => {
      const trial = await runTrial(model, trialled, { maxTokens: request.maxTokens, encodeMs }, hooks);
      // What the comparison itself keeps is no part of the answer.
      return { ...trial, peakBytes: trial.peakBytes - (this.reference?.logits.byteLength ?? 0) };
    });
  }

  /**
   * How near the attention is to full attention over `answer`, what that answers to the same prompt. Right after a trial of
   * the same the prompt is still cached; full attention's predictions are kept for the next ones. Throws AppError as `generate`.
   * @returns undefined where it is full attention and its predictions were made just now
   */
  agreement(
    request: TrialledPrompt & { answer: readonly number[] },
    { signal }: { signal?: AbortSignal } = {},
  ): Promise<Agreement | undefined> {
    return this.trialled(request, async (model, trialled) => {
      const { ids } = trialled;
      const breath = new Breath(signal);
      if (!this.reference?.isOf(ids, request.answer)) {
        this.reference = await answerLogits(model, { ids, attention: FULL.options }, request.answer, breath);
        if (request.attention.mode === 'full') return undefined;
      }
      return agreementWith(this.reference, model, trialled, breath);
    });
  }

  /** Tokens of each item for the loaded model; may be asked while it answers. Throws AppError 'template-refused'. */
  async countTokens(items: readonly Countable[]): Promise<number[]> {
    const { tokenizer } = this.model;
    const counts: number[] = [];
    for (const item of items) {
      // An answer under way goes on in between.
      await new Promise((resolve) => setImmediate(resolve));
      const ids =
        item.kind === 'text' ? tokenizer.encode(item.text, { addSpecial: false }) : encodePrompt(tokenizer, item);
      counts.push(ids.length);
    }
    return counts;
  }

  /** Logits [nVocab] after the last of `ids`, computed anew. */
  logits(
    ids: readonly number[],
    attention: AttentionOptions,
    hooks: { signal?: AbortSignal } = {},
  ): Promise<Float32Array> {
    const { model } = this;
    if (ids.length === 0 || ids.length > model.contextSize) {
      throw new AppError('bad-input', phrase`${ids.length} token ids were given; 1 to ${model.contextSize} fit.`);
    }
    return this.exclusive(async () => {
      const usable = await model.prepareAttention(attention);
      model.cache.truncate(0);
      const row = await prefill(model.forward, model.cache, ids, {
        rule: (last) => ruleFor(usable, last),
        breath: new Breath(hooks.signal),
      });
      return model.forward.logits(row, 1);
    });
  }

  /**
   * Calibrates a model in full (minutes), importing it first where needed, and keeps the result with the model. Runs on the
   * exact weights where they are imported. Another request stops it ('cancelled'); the next call with the same text goes on
   * from there. @param request.text instead of the text that comes with the program
   */
  async calibrate(request: CalibrateRequest, hooks: JobHooks = {}): Promise<AttentionCalibration> {
    if (this.busy || this.background.running) throw engineBusy();
    return this.background.run(hooks.signal, async (signal) => {
      const options = { ...hooks, signal };
      const bundle = await this.exactest(await this.ensure(request, options), options);
      const text = request.text ?? (await readFile(resourceFile('calibration.txt'), 'utf8'));
      const model = await LoadedModel.load(this.native, bundle, createTokenizer(bundle.tokenizerSource()), {
        contextSize: CALIBRATION_CONTEXT,
        threads: request.threads ?? defaultThreads(),
        signal,
      });
      try {
        const calibration = await calibrateFully({ native: this.native, model, text, ...options });
        if (this.current?.bundle.manifest.source.sha256 === calibration.sourceSha256) {
          this.current.recalibrate(calibration);
        }
        return calibration;
      } finally {
        await model.close();
      }
    });
  }

  /** What was measured of the last answer; undefined where there is none, or another request is running. */
  trace(): TracedAnswer | undefined {
    return this.current && tracedAnswer(this.current);
  }

  /** What the attention of the last prompt would take with other costs; undefined as `trace`, or where they are not known. */
  whatIf(request: WhatIfRequest): WhatIf | undefined {
    const { current, options } = this;
    const { profilesDir } = options;
    const profile =
      profilesDir === undefined ? undefined : loadProfile(profilesDir, profileKey(this.native, processor(this.native)));
    return current && whatIfOf(current, request, profile);
  }

  /**
   * Reads the last prompt again with a pilot device, with plans and without; what it returns tells the difference. The trace
   * stays that of the answer, the cache is emptied. @returns undefined as `trace`, or where that attention chooses no keys
   */
  async replay(pilot: string, hooks: ReplayHooks = {}): Promise<Replay | undefined> {
    const { current } = this;
    if (current === undefined) return undefined;
    return this.exclusive(() => {
      this.reference = undefined;
      return replayPlans(current, pilot, hooks);
    });
  }

  /** What the loaded model takes of the machine; undefined where none is loaded. */
  usage(): EngineUsage | undefined {
    return this.current && usageOf(this.current);
  }

  /** How often the heads kept each token of the last prompt; undefined as `trace`. */
  keptTokens(selection: HeadSelection): KeptTokens | undefined {
    return this.current && keptTokensOf(this.current, selection);
  }

  /** Ends the loaded model's threads and gives its memory back to the system. Does nothing where none is loaded. */
  unload(): Promise<void> {
    return this.exclusive(async () => {
      if (this.current === undefined) return;
      await this.dropModel();
      releaseMemory(this.native);
    });
  }

  /** Removes a model from this machine, after unloading it where it is loaded. Throws AppError 'model-missing'. */
  remove(id: string): Promise<void> {
    return this.exclusive(async () => {
      if (this.current?.bundle.manifest.id === id) await this.dropModel();
      await this.library.remove(id);
    });
  }

  /** Memory that a model would take, loaded or not. Throws AppError 'model-missing' or the reader's kinds. */
  estimate({ model, weights, contextSize = DEFAULT_CONTEXT }: EstimateRequest): Promise<MemoryEstimate> {
    return this.library.estimate(model, { weights, contextSize });
  }

  /** Ends all threads; the engine can't be used afterwards. */
  async close(): Promise<void> {
    await this.keeping;
    await this.background.giveWay();
    await this.dropModel();
  }

  private async dropModel(): Promise<void> {
    const { current } = this;
    this.current = undefined;
    this.reference = undefined;
    this.placer = undefined;
    await current?.close();
  }

  private trialled<T>(
    { prompt, cutTo, attention, onProcessor = false }: TrialledPrompt,
    work: (model: LoadedModel, trialled: Trialled, encodeMs: number) => Promise<T>,
  ): Promise<T> {
    const { model } = this;
    return this.exclusive(async () => {
      const start = performance.now();
      const ids = encodePrompt(model.tokenizer, prompt).slice(0, cutTo);
      model.record = 'nothing';
      model.onProcessor = onProcessor;
      try {
        return await work(model, { ids, attention }, performance.now() - start);
      } finally {
        model.onProcessor = false;
      }
    });
  }

  private get registry(): DeviceRegistry {
    this.devicesKnown ??= new DeviceRegistry(this.native, {
      libraryFolders: libraryFolders(this.libraryFolder),
      ...(this.options.selfTestsDir === undefined ? {} : { selfTestsDir: this.options.selfTestsDir }),
    });
    return this.devicesKnown;
  }

  private get native(): NativeAddon {
    this.nativeAddon ??= loadNative();
    return this.nativeAddon;
  }

  private ensure(request: { model: string; weights: WeightFlavour }, hooks: JobHooks): Promise<Bundle> {
    return this.library.ensure(request.model, request.weights, {
      ...hooks,
      calibrate: (bundle, statsBlocks) => this.measure(bundle, statsBlocks, hooks),
    });
  }

  /** The exact flavour of the bundle's model where it is imported, else the bundle itself. */
  private async exactest(bundle: Bundle, hooks: JobHooks): Promise<Bundle> {
    const { id, weights } = bundle.manifest;
    const known = (await this.models()).find((model) => model.id === id);
    if (weights === 'exact' || !known?.weights.includes('exact')) return bundle;
    bundle.close();
    return this.ensure({ model: id, weights: 'exact' }, hooks);
  }

  /** The quick calibration of an import. */
  private async measure(bundle: Bundle, statsBlocks: readonly string[], hooks: JobHooks): Promise<CalibrationStats> {
    const text = await readFile(resourceFile('calibration.txt'), 'utf8');
    const tokens = createTokenizer(bundle.tokenizerSource()).encode(text, { addSpecial: true });
    const most = Math.min(CALIBRATION_TOKENS, bundle.manifest.config.contextTrained);
    return calibrate({
      native: this.native,
      bundle,
      statsBlocks,
      text,
      ids: mixtureOf(tokens, most, CALIBRATION_PIECE),
      onProgress: (done, total) => hooks.onProgress?.({ stage: 'calibrate', done, total }),
      ...(hooks.signal ? { signal: hooks.signal } : {}),
    });
  }

  private async exclusive<T>(work: () => Promise<T>): Promise<T> {
    if (this.busy) throw engineBusy();
    this.busy = true;
    try {
      await this.keeping;
      await this.background.giveWay();
      return await work();
    } finally {
      this.busy = false;
    }
  }
}

function encodePrompt(tokenizer: Tokenizer, prompt: Prompt): number[] {
  switch (prompt.kind) {
    case 'chat':
      return tokenizer.encodeChat(prompt.turns);
    case 'continue':
      return tokenizer.encodeChat(prompt.turns, prompt.text);
    case 'raw':
      return tokenizer.encodeWithControl(prompt.text, { addSpecial: true });
  }
}

function libraryFolders(own: string | undefined): string[] {
  const shipped = ownLibraryFolder();
  return [...(own === undefined ? [] : [own]), ...(shipped === undefined ? [] : [shipped]), ...windowsMlFolders()];
}

function engineBusy(): AppError {
  return new AppError('engine-busy', 'The engine is working on another request.', {
    action: 'Wait for it, or stop it first.',
  });
}

function placeHooks({ onProgress, onUse, signal }: JobHooks) {
  return {
    onProgress: (stage: 'compile' | 'load', done: number, total: number) => onProgress?.({ stage, done, total }),
    onUse,
    signal,
  };
}

function loadedInfo(model: LoadedModel, placed?: Placed): LoadedModelInfo {
  const { id, name, weights } = model.bundle.manifest;
  const calibrated = model.attentionCalibration?.importance !== undefined;
  const { contextSize, threads, linearDevice } = model;
  const parameters = parametersOf(model.bundle.manifest.config);
  const info = { id, name, parameters, weights, contextSize, device: linearDevice, threads, calibrated };
  if (placed === undefined) return info;
  const { places, problems, unmeasured } = placed;
  return { ...info, places, unmeasured, ...(problems.length === 0 ? {} : { deviceProblems: problems }) };
}

/** Half as many to save battery. Node 16 has no availableParallelism. */
function defaultThreads(placement?: Placement): number {
  const cores = typeof availableParallelism === 'function' ? availableParallelism() : cpus().length;
  const most = Math.max(1, Math.min(MOST_DEFAULT_THREADS, cores));
  return placement?.saveBattery ? Math.ceil(most / 2) : most;
}
