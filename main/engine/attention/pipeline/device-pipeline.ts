/**
 * Shadow attention of a layer with a pilot device: codes, plan, launches on the pilot thread, and the CPU's stages of each
 * head as soon as its scores are there, in the order of the plan. Engine thread.
 */
import type { DeviceProblem, Work } from '../../../../contract/engine.ts';
import type { AppError } from '../../../../contract/errors.ts';
import type { NativeAddon } from '../../../../native/js/index.ts';
import { costTable } from '../../calibration/profile.ts';
import { loadProfile, profileKey } from '../../calibration/profile-file.ts';
import { processor } from '../../device/device-info.ts';
import type { DeviceRegistry } from '../../device/registry.ts';
import { endWithoutThreads } from '../../session/device-exit.ts';
import { Watchdog } from '../../session/device-watchdog.ts';
import type { SharedModel } from '../../session/shared-model.ts';
import { PILOT_LANE, TraceLog } from '../../telemetry/trace-log.ts';
import type { Job } from '../job-board.ts';
import { at } from '../layer-views.ts';
import { type AttentionPass, TILE_ROWS } from '../pass.ts';
import { forgetKeys } from '../pilot/key-codes.ts';
import { type PilotDevice, PilotHost, pilotDevice, pilotFailed } from '../pilot/pilot-host.ts';
import { keyLength, type PilotBuffers, PilotMemory } from '../pilot/pilot-memory.ts';
import { graphScales } from '../pilot/scales.ts';
import { type CostTable, PAPER_PHONE } from '../planner/costs.ts';
import { type AttentionRule, ratioOf } from '../rules.ts';
import { planLayer } from './plan-layer.ts';

/** A device that runs. */
interface PilotDeviceHost {
  pilot: string;
  /** "simulated" or its id. */
  name: string;
  thread: PilotHost;
  costs: CostTable;
  watchdog: Watchdog;
  /** Graphs that have been launched, and so are compiled. */
  graphs: Set<string>;
}

export class DevicePipeline {
  /** Why the device of the running request is no longer asked, where that is so. */
  problem: AppError | undefined;
  private readonly native: NativeAddon;
  private readonly registry: DeviceRegistry;
  private readonly jobs: { run(job: Job): void };
  private readonly model: SharedModel;
  private readonly buffers: PilotBuffers;
  private readonly graphFolder: string;
  private readonly profilesDir: string | undefined;
  private readonly memory: PilotMemory;
  private readonly keyInts: Int32Array;
  private readonly headRatios: Float32Array;
  private readonly log: TraceLog;
  private readonly failed: (problem: DeviceProblem) => void;
  /** What the device has done in the running request. */
  private done = { launches: 0, ms: 0 };
  private host: PilotDeviceHost | undefined;

  constructor(parts: {
    native: NativeAddon;
    registry: DeviceRegistry;
    jobs: { run(job: Job): void };
    model: SharedModel;
    buffers: PilotBuffers;
    graphFolder: string;
    /** Folder with cost profiles, where there is one. */
    profilesDir: string | undefined;
    /** Told once of a device that failed. */
    failed: (problem: DeviceProblem) => void;
  }) {
    const { model, buffers } = parts;
    this.native = parts.native;
    this.registry = parts.registry;
    this.jobs = parts.jobs;
    this.model = model;
    this.buffers = buffers;
    this.graphFolder = parts.graphFolder;
    this.profilesDir = parts.profilesDir;
    this.failed = parts.failed;
    this.memory = new PilotMemory(model, buffers);
    this.keyInts = new Int32Array(buffers.keyInts);
    this.headRatios = new Float32Array(model.headRatios);
    this.log = new TraceLog(model.trace);
  }

  /**
   * Before the first pass of a request: starts the device that its rule asks for, unless it runs already. Throws AppError
   * 'bad-input' where there is no such device and 'device-unusable' where it does not start.
   */
  async open({ mode, pilot }: AttentionRule): Promise<void> {
    this.problem = undefined;
    this.done = { launches: 0, ms: 0 };
    if (mode !== 'shadow' || pilot === 'native') return;
    if (this.host?.pilot === pilot && this.host.thread.board.failure === undefined) return;
    await this.close();
    const { model, buffers } = this;
    const { shape, capacity, chunkSize } = model;
    const device = pilotDevice(this.registry, pilot, this.graphFolder);
    const thread = await PilotHost.start({ model: { shape, capacity, chunkSize }, buffers, device });
    const name = device.kind === 'simulated' ? 'simulated' : device.id;
    this.host = { pilot, name, thread, costs: this.costsOf(device), watchdog: new Watchdog(), graphs: new Set() };
  }

  /**
   * Attends a pass of a layer. @returns false where the device has failed in this request (`problem` says how): the pass is
   * then to be attended another way. Throws what a task threw.
   */
  attend(pass: AttentionPass): boolean {
    const { host } = this;
    if (this.problem !== undefined) return false;
    if (host?.pilot !== pass.rule.pilot) throw new Error(`the pilot device ${pass.rule.pilot} has not been opened`);
    this.jobs.run({ kind: 'pilot-codes', pass, tasks: this.model.shape.nHeadKv });
    const launches = this.plan(pass, host.costs);
    this.memory.order.set(launches.flat());
    try {
      if (pass.rule.pipeline) this.launch(host, pass, launches, 0);
      else {
        let place = 0;
        for (const launch of launches) {
          this.launch(host, pass, [launch], place);
          place += launch.length;
        }
      }
      return true;
    } catch (error) {
      const { failure, hung } = host.thread.board;
      if (failure === undefined) throw error;
      this.problem = pilotFailed(failure);
      if (hung) endWithoutThreads(this.native);
      this.failed({ device: host.name, part: 'pilot', reason: failure, ...(hung ? { hung } : {}) });
      return false;
    }
  }

  /** Before a pass writes keys from position `length` on. */
  forget(length: number): void {
    forgetKeys(this.keyInts, length);
  }

  /** "simulated" or the id of the device that runs, where one does. */
  get deviceName(): string | undefined {
    return this.host?.name;
  }

  /** Id of the device that runs, where one does and it is real. */
  get device(): string | undefined {
    return this.host?.name === 'simulated' ? undefined : this.host?.name;
  }

  /** What plans for the device that runs reckon with. */
  get costs(): CostTable | undefined {
    return this.host?.costs;
  }

  /** What the device did in the last request; what the processor did beside it is counted elsewhere. */
  work(): Work[] {
    const { launches, ms } = this.done;
    return launches === 0 || this.host === undefined ? [] : [{ part: 'pilot', device: this.host.name, launches, ms }];
  }

  /** Ends the pilot thread and closes its sessions. */
  async close(): Promise<void> {
    const { host } = this;
    this.host = undefined;
    await host?.thread.close();
  }

  /** Costs of this machine where they have been measured, else the paper's: a plan needs their proportions only. */
  private costsOf(device: PilotDevice): CostTable {
    if (this.profilesDir === undefined) return PAPER_PHONE;
    const measured = device.kind === 'simulated' ? processor(this.native) : device;
    const profile = loadProfile(this.profilesDir, profileKey(this.native, measured));
    if (profile === undefined) return PAPER_PHONE;
    const here = costTable(profile);
    // Only the launches are simulated.
    return device.kind === 'simulated' ? { ...PAPER_PHONE, topk: here.topk, qkv: here.qkv } : here;
  }

  private plan({ layer, rows, nPast, rule }: AttentionPass, costs: CostTable): number[][] {
    const { nHead } = this.model.shape;
    const keys = nPast + rows;
    const heads = Array.from(this.memory.buckets, (bucket, head) => ({
      bucket,
      ratio: ratioOf(rule, this.headRatios, layer * nHead + head),
    }));
    return planLayer(heads, keys, costs, rule);
  }

  /** Launches in their order, and the CPU's stages of their heads; without overlap where the rule has no pipeline. */
  private launch(host: PilotDeviceHost, pass: AttentionPass, launches: readonly number[][], place: number): void {
    const { board } = host.thread;
    const keys = pass.nPast + pass.rows;
    const paddedKeys = keyLength(keys);
    const heads = launches.flat().length;
    const orders = launches.map((launch) => ({
      heads: launch,
      ...graphScales(pass.rule, this.memory.buckets[at(launch, 0)] ?? 0, this.model),
    }));
    const graphs = orders.map(({ heads: fused, lambdaQ, lambdaK }) =>
      [fused.length, paddedKeys, lambdaQ, lambdaK].join(' '),
    );
    // A graph's first launch opens it, and may compile it.
    const known = graphs.every((graph) => host.graphs.has(graph));
    board.patienceMs = known ? host.watchdog.limitMs : Watchdog.FIRST_MS;
    board.post({ layer: pass.layer, keys, paddedKeys, place, launches: orders });
    try {
      if (!pass.rule.pipeline) board.awaitScores(place + heads - 1);
      this.jobs.run({ kind: 'pilot-attend', pass, place, tasks: heads * Math.ceil(pass.rows / TILE_ROWS) });
    } finally {
      board.settle();
    }
    for (const graph of graphs) host.graphs.add(graph);
    this.count(host, pass, launches, place);
  }

  private count(
    { watchdog }: PilotDeviceHost,
    pass: AttentionPass,
    launches: readonly number[][],
    place: number,
  ): void {
    let next = place;
    for (const launch of launches) {
      const [start = 0, loaded = 0, end = 0] = this.memory.launchTimesOf(next);
      this.done.launches += 1;
      this.done.ms += end - start;
      watchdog.add(end - start);
      this.log.addBusy(PILOT_LANE, end - start, true);
      for (const head of launch) {
        const bucket = this.memory.buckets[head] ?? 0;
        const about = { layer: pass.layer, head, heads: 1, position: pass.nPast, rows: pass.rows, bucket };
        this.log.add(PILOT_LANE, 'launch', about, start, loaded);
        this.log.add(PILOT_LANE, 'pilot', about, loaded, end);
      }
      next += launch.length;
    }
  }
}
