/** A model in memory: sessions, shared buffers, threads, cache. Owns their lifetime. */
import { dirname, join } from 'node:path';
import type { AttentionOptions, DeviceProblem, DeviceUse, GenerateResult, Work } from '../../../contract/engine.ts';
import { AppError } from '../../../contract/errors.ts';
import { phrase, type Reason } from '../../../contract/phrase.ts';
import { devicePilot } from '../../../contract/pilot-name.ts';
import type { NativeAddon, Session } from '../../../native/js/index.ts';
import { allocatePilot } from '../attention/pilot/pilot-memory.ts';
import { DevicePipeline } from '../attention/pipeline/device-pipeline.ts';
import { NEVER, ruleFor } from '../attention/rules.ts';
import { WorkerPool } from '../attention/worker-pool.ts';
import { headRatios } from '../calibration/head-ratios.ts';
import { openGraph } from '../device/open-graph.ts';
import { DeviceRegistry } from '../device/registry.ts';
import { reasonOf } from '../failure-note.ts';
import type { AttentionCalibration } from '../model/attention-calibration.ts';
import { readAttentionCalibration } from '../model/attention-calibration-file.ts';
import type { Bundle } from '../model/bundle.ts';
import { KeptCounts } from '../telemetry/kept-counts.ts';
import { TraceLog } from '../telemetry/trace-log.ts';
import { WorkMeter } from '../telemetry/work-meter.ts';
import type { Tokenizer } from '../tokenizer/tokenizer.ts';
import { DeviceParts, LINEAR_PARTS, type LinearPart, type PlacedLinear } from './device-parts.ts';
import { Forward } from './forward.ts';
import { KvCache } from './kv-cache.ts';
import { ropeTables } from './rope-table.ts';
import { allocateShared, type SharedModel } from './shared-model.ts';

/** Rows of one prefill pass. Larger ones gain little and make cancelling coarser; see docs/benchmarks.md. */
export const CHUNK_SIZE = 128;

/** ONNX Runtime's provider of the processor, which also serves as a device in tests. */
const PROCESSOR = 'CPUExecutionProvider';

export interface LoadOptions {
  /** Tokens, prompt and answer together; capped by what the model was trained for. */
  contextSize: number;
  threads: number;
  chunkSize?: number;
  /** Whether sparse attention reads bfloat16 copies of K and V; default: yes for fast, no for exact weights. */
  bf16?: boolean;
  /** Folder with cost profiles, for the plans of pilot devices. */
  profilesDir?: string;
  /** The devices for pilots; default: those of ONNX Runtime's own library. */
  registry?: DeviceRegistry;
  /** Keys up to which `shadow` attends densely, since that is faster here; default 0. */
  crossover?: number;
  onProgress?: (done: number, total: number) => void;
  signal?: AbortSignal;
}

/** A request that has been answered, as its trace needs it. */
export interface Answered {
  /** Counts the requests of this model. */
  request: number;
  ids: readonly number[];
  /** How it attended, with what `prepareAttention` made of it. */
  attention: AttentionOptions;
  result: GenerateResult;
}

export class LoadedModel {
  readonly bundle: Bundle;
  readonly tokenizer: Tokenizer;
  readonly shared: SharedModel;
  readonly forward: Forward;
  readonly cache: KvCache;
  readonly contextSize: number;
  readonly threads: number;
  /** What calibration knows of the heads, where the model has been calibrated. */
  attentionCalibration: AttentionCalibration | undefined;
  /** Launches of the pilot on a device; to be opened before a request's first pass. */
  readonly pilot: DevicePipeline;
  /** What the processor has done in the running request. */
  readonly meter: WorkMeter;
  /** What the running request leaves behind: the trace of an answer, only when its stages ran, or nothing. */
  record: 'answer' | 'times' | 'nothing' = 'answer';
  /** Whether the running request leaves the devices alone that the model is placed on. */
  onProcessor = false;
  /** What ran when in the running request, and which keys were kept. */
  readonly traceLog: TraceLog;
  readonly keptCounts: KeptCounts;
  /** Requests that have been answered, and the last of them, for its trace. */
  requests = 0;
  answered: Answered | undefined;
  /** Device for the pilot of requests that ask for none, by its id. */
  placedPilot: string | undefined;
  /** Devices that failed in the running request. */
  private problems: DeviceProblem[] = [];
  private readonly registry: DeviceRegistry;
  private readonly sessions: Session[];
  private readonly pool: WorkerPool;

  private constructor(parts: {
    bundle: Bundle;
    tokenizer: Tokenizer;
    shared: SharedModel;
    forward: Forward;
    cache: KvCache;
    attentionCalibration: AttentionCalibration | undefined;
    sessions: Session[];
    pool: WorkerPool;
    pilot: DevicePipeline;
    registry: DeviceRegistry;
  }) {
    this.bundle = parts.bundle;
    this.tokenizer = parts.tokenizer;
    this.shared = parts.shared;
    this.forward = parts.forward;
    this.cache = parts.cache;
    this.contextSize = parts.cache.capacity;
    this.threads = parts.pool.threads;
    this.attentionCalibration = parts.attentionCalibration;
    this.sessions = parts.sessions;
    this.pool = parts.pool;
    this.pilot = parts.pilot;
    this.registry = parts.registry;
    this.meter = new WorkMeter(parts.shared.work);
    this.traceLog = new TraceLog(parts.shared.trace);
    this.keptCounts = new KeptCounts(parts.shared);
  }

  /** Opens every graph of the bundle. Throws AppError; nothing stays open when it does. */
  static async load(
    native: NativeAddon,
    bundle: Bundle,
    tokenizer: Tokenizer,
    options: LoadOptions,
  ): Promise<LoadedModel> {
    const { config, calibration, weights } = bundle.manifest;
    const sessions: Session[] = [];
    let loaded: LoadedModel | undefined;
    try {
      const paths = [...bundle.blockPaths, bundle.headPath];
      for (const graph of paths) {
        if (options.signal?.aborted) throw new AppError('cancelled', 'Loading was stopped.');
        // The output matrix runs alone, and only ever for a row or two; blocks run side by side on slices of rows.
        sessions.push(openGraph(native, bundle, graph, graph === bundle.headPath ? options.threads : 1));
        options.onProgress?.(sessions.length, paths.length);
        await new Promise((resolve) => setImmediate(resolve));
      }
      const head = sessions[paths.length - 1];
      if (head === undefined) throw new AppError('model-invalid', 'The imported model has no graphs.');
      const capacity = Math.min(options.contextSize, config.contextTrained);
      const chunkSize = options.chunkSize ?? CHUNK_SIZE;
      const bf16 = options.bf16 ?? weights === 'fast';
      const shape = config;
      const attentionCalibration = readAttentionCalibration(bundle.dir, bundle.manifest);
      const full = attentionCalibration?.importance ? attentionCalibration : undefined;
      const model: SharedModel = {
        shape,
        capacity,
        chunkSize,
        scale: 1 / Math.sqrt(config.headDim),
        bf16,
        // A full calibration has seen more text than an import.
        meanLambdaQ: (full ?? calibration).meanLambdaQ,
        meanLambdaK: (full ?? calibration).meanLambdaK,
        staticRanges: attentionCalibration?.staticRanges ?? [],
        crossover: options.crossover ?? 0,
        blockIds: sessions.slice(0, -1).map((session) => session.id),
        ...allocateShared(shape, { capacity, chunkSize, bf16 }),
      };
      const pilotBuffers = allocatePilot(shape, capacity, chunkSize);
      const pool = new WorkerPool(native, model, options.threads, pilotBuffers);
      const registry = options.registry ?? new DeviceRegistry(native, { libraryFolders: [] });
      const graphFolder = join(dirname(bundle.dir), 'pilot');
      const pilot = new DevicePipeline({
        native,
        registry,
        jobs: pool,
        model,
        buffers: pilotBuffers,
        graphFolder,
        profilesDir: options.profilesDir,
        failed: (problem) => loaded?.deviceFailed(problem),
      });
      const rope = ropeTables(config, capacity);
      const forward = new Forward({ native, model, bundle, head, jobs: pool, rope, pilot });
      const cache = new KvCache(model.kv, config.nLayer * config.nHeadKv, capacity);
      loaded = new LoadedModel({
        bundle,
        tokenizer,
        shared: model,
        forward,
        cache,
        attentionCalibration,
        sessions,
        pool,
        pilot,
        registry,
      });
      return loaded;
    } catch (error) {
      for (const session of sessions) session.close();
      throw error;
    }
  }

  /** Takes a newer calibration for ratios; scales and ranges stay those of the load. Forgets what the cache holds. */
  recalibrate(calibration: AttentionCalibration): void {
    this.attentionCalibration = calibration;
    this.cache.truncate(0);
  }

  /**
   * Makes heads and pilot device ready for a request and returns what it can have: ratios by a rule that is the engine's
   * default but has not been measured for this model become uniform. Throws AppError 'bad-input' where they were asked for
   * or there is no such device, and 'device-unusable' where the device does not start.
   */
  async prepareAttention(asked: AttentionOptions): Promise<AttentionOptions> {
    this.problems = [];
    this.meter.begin();
    this.traceLog.enabled = this.record !== 'nothing';
    this.keptCounts.enabled = this.record === 'answer';
    if (this.record !== 'nothing') this.traceLog.begin();
    if (this.record === 'answer') {
      this.answered = undefined;
      this.keptCounts.begin();
    }
    this.forward.devices?.begin(this.onProcessor);
    const attention = this.prepareHeads(asked);
    const placedPilot = this.onProcessor ? undefined : this.placedPilot;
    if (asked.mode !== 'shadow' || asked.pilot !== undefined || placedPilot === undefined) {
      await this.pilot.open(ruleFor(attention, NEVER));
      return attention;
    }
    const placed = { ...attention, pilot: devicePilot(placedPilot) };
    try {
      await this.pilot.open(ruleFor(placed, NEVER));
      return placed;
    } catch (error) {
      this.deviceFailed({ device: placedPilot, part: 'pilot', reason: reasonOf(error) });
      await this.pilot.open(ruleFor(attention, NEVER));
      return attention;
    }
  }

  /** Puts linear parts on devices, in place of those that are there. */
  async place(placed: ReadonlyMap<LinearPart, PlacedLinear>): Promise<void> {
    await this.forward.devices?.close();
    this.forward.devices = new DeviceParts(placed, (problem) => this.deviceFailed(problem));
  }

  /** Device of the linear parts of prompts; "CPU" where they have none, or it has failed. */
  get linearDevice(): string {
    return this.forward.devices?.deviceOf('linear') ?? 'CPU';
  }

  /** Devices that work for a request. @param attention as `prepareAttention` returned it */
  uses({ mode, pilot }: AttentionOptions): DeviceUse[] {
    const uses = LINEAR_PARTS.flatMap((part) => {
      const device = this.forward.devices?.deviceOf(part);
      return device === undefined ? [] : [{ device, part }];
    });
    const { device } = this.pilot;
    return mode === 'shadow' && pilot !== undefined && device !== undefined
      ? [...uses, { device, part: 'pilot' }]
      : uses;
  }

  /** Devices that failed in the last request. */
  get deviceProblems(): readonly DeviceProblem[] {
    return this.problems;
  }

  /** Who did what in the last request. */
  work(): Work[] {
    return [...this.meter.read(), ...this.pilot.work(), ...(this.forward.devices?.work() ?? [])];
  }

  private deviceFailed(problem: DeviceProblem): void {
    const { device, part, reason } = problem;
    this.problems.push(problem);
    if (part === 'pilot' && device === this.placedPilot) this.placedPilot = undefined;
    this.markFaulty(device, reason);
  }

  /** Takes a device out of use until its driver or execution provider changes. */
  markFaulty(device: string, reason: Reason): void {
    // What goes wrong on the processor, or a simulated device, is no fault of a device.
    const known = this.registry.list().find(({ id }) => id === device);
    if (known !== undefined && known.executionProvider !== PROCESSOR) this.registry.markFaulty(device, reason);
  }

  async close(): Promise<void> {
    await this.forward.devices?.close();
    await this.pilot.close();
    await this.pool.close();
    for (const session of this.sessions) session.close();
    this.bundle.close();
  }

  /** `prepareAttention` without the device. */
  prepareHeads(asked: AttentionOptions): AttentionOptions {
    const { ratios, ratio } = ruleFor(asked, NEVER);
    if (ratios === 'uniform') return asked;
    const found = this.attentionCalibration && headRatios(this.attentionCalibration, ratios, ratio);
    if (found !== undefined) {
      new Float32Array(this.shared.headRatios).set(found);
      return { ...asked, ratios };
    }
    if (asked.ratios === undefined) return { ...asked, ratios: 'uniform' };
    throw new AppError('bad-input', phrase`The heads of this model have not been measured for ratios by ${ratios}.`, {
      action: 'Calibrate the model first, or choose uniform ratios.',
    });
  }
}
