/**
 * Main's side of the figures: asks the sampler for the machine's, the engine for its own, and puts them together into samples.
 * Keeps ten minutes of them. Knows nothing of Electron: what starts the sampler and reads the app's processes is handed in.
 */
import type { AppEvent } from '../../contract/channels.ts';
import type { Energy, EngineUsage } from '../../contract/engine.ts';
import { type AppProcess, HISTORY_MS, type Sample, WATCH_MS } from '../../contract/resources.ts';
import { glanceOf } from './glance.ts';
import type { SamplerCommand, SamplerHandle, SamplerReport, SpawnSampler } from './sampler.ts';

const EVERY_MS = 1000;
const CLOSELY_MS = 250;
/** While nothing is answered and nobody looks readings are told so many milliseconds' worth at once: waking costs main most. */
const TOLD_AT_REST_MS = 5000;
/**
 * How often the app's own figures are read and the glance is told: counting processes takes main 2 ms, a line that changes
 * takes a window and its compositor 10 ms. An app at rest must cost next to nothing.
 */
const OWN_MS = 1000;
const OWN_AT_REST_MS = 15_000;
/** Samples are due a little early or late. */
const SLACK_MS = 100;
/** The sampler is started again this long after it ended by itself. */
const RESTART_MS = 30_000;
/** Energy is carried on from the last sample for at most this long. */
const CARRY_MS = 2 * TOLD_AT_REST_MS;

export interface ResourceMonitorOptions {
  spawn: SpawnSampler;
  /** What the engine takes; rejects or is undefined where nothing is loaded. */
  usage: () => Promise<EngineUsage | undefined>;
  /** The app's processes and what each takes, with their ids. */
  processes: () => (AppProcess & { pid: number })[];
  emit: (event: AppEvent) => void;
  log: (line: string) => void;
}

export class ResourceMonitor {
  private readonly options: ResourceMonitorOptions;
  private handle: SamplerHandle | undefined;
  private restart: NodeJS.Timeout | undefined;
  private closely: NodeJS.Timeout | undefined;
  private commanded: SamplerCommand | undefined;
  private samples: Sample[] = [];
  private last: Sample | undefined;
  private lastUsage: { at: number; usage: EngineUsage } | undefined;
  private asking = false;
  /** When the app's own figures were read, by performance.now(). */
  private ownAt = Number.NEGATIVE_INFINITY;
  private own: Pick<Sample, 'processes' | 'engine'> = { processes: [], engine: null };
  private pids: readonly number[] = [];
  private speed: Sample['tokensPerSecond'] = { prefill: null, decode: null };

  constructor(options: ResourceMonitorOptions) {
    this.options = options;
  }

  start(): void {
    this.restart = undefined;
    this.handle = this.options.spawn({
      reported: (report) => void this.reported(report),
      exited: (reason) => {
        if (this.handle === undefined) return;
        this.handle = undefined;
        this.options.log(`the sampler ended: ${reason}`);
        this.restart = setTimeout(() => this.start(), RESTART_MS);
      },
    });
    this.commanded = undefined;
    this.command();
  }

  stop(): void {
    clearTimeout(this.restart);
    clearTimeout(this.closely);
    const { handle } = this;
    this.handle = undefined;
    handle?.kill();
  }

  /**
   * Samples come four times a second, and are told, while somebody has looked closely within WATCH_MS; else once a second.
   */
  watch(closely: boolean): void {
    clearTimeout(this.closely);
    this.closely = closely ? setTimeout(() => this.watch(false), WATCH_MS) : undefined;
    this.command();
  }

  /** Samples of the last ten minutes, a second or more apart, oldest first. */
  history(): Sample[] {
    return this.samples;
  }

  /** The latest sample, if there has been one. */
  get latest(): Sample | undefined {
    return this.last;
  }

  /** What main tells its windows: the speed of the running answer is among it. */
  observe(event: AppEvent): void {
    const before = this.resting;
    if (event.type === 'prefill') this.speed = { prefill: event.tokensPerSecond, decode: null };
    else if (event.type === 'delta') this.speed = { prefill: null, decode: event.tokensPerSecond };
    else if (event.type === 'comparison-progress') {
      const { prefill, tokensPerSecond } = event;
      this.speed = prefill ? { prefill: tokensPerSecond, decode: null } : { prefill: null, decode: tokensPerSecond };
    } else if (event.type === 'replay' && event.progress !== null) {
      this.speed = { prefill: event.progress.tokensPerSecond, decode: null };
    } else if (ends(event)) this.speed = { prefill: null, decode: null };
    // That an answer has begun or ended is told with the next sample.
    if (this.resting !== before) {
      this.lookSoon();
      this.command();
    }
  }

  /** Something has changed that is worth a look: the app's own figures are read and told with the next sample. */
  lookSoon(): void {
    this.ownAt = Number.NEGATIVE_INFINITY;
  }

  /** Starts to count energy; the returned function tells what was used since, where there is a sensor. */
  energyFromNow(): () => Energy | undefined {
    const from = this.joulesNow();
    return () => {
      const to = this.joulesNow();
      const sensor = this.last?.power.sensor ?? null;
      return from === undefined || to === undefined || sensor === null || to < from
        ? undefined
        : { joules: to - from, sensor };
    };
  }

  /** No answer is being made. */
  private get resting(): boolean {
    return this.speed.prefill === null && this.speed.decode === null;
  }

  /** The energy counter, carried on from the last sample at the power that it tells of. */
  private joulesNow(): number | undefined {
    const { at = 0, power } = this.last ?? {};
    if (power === undefined || power.joules === null) return undefined;
    const seconds = Math.min(Math.max(0, Date.now() - at), CARRY_MS) / 1000;
    return power.joules + (power.watts ?? 0) * seconds;
  }

  private command(): void {
    const everyMs = this.closely === undefined ? EVERY_MS : CLOSELY_MS;
    const tellMs = this.closely === undefined && this.resting ? TOLD_AT_REST_MS : everyMs;
    const next = { everyMs, tellMs, pids: this.pids };
    if (JSON.stringify(this.commanded) === JSON.stringify(next)) return;
    this.commanded = next;
    this.handle?.post(next);
  }

  private async reported(reports: readonly SamplerReport[]): Promise<void> {
    // The engine answers between layers; samples that come meanwhile are left out.
    if (this.asking) return;
    const due = this.ownAt + (this.resting && this.closely === undefined ? OWN_AT_REST_MS : OWN_MS) - SLACK_MS;
    const own = performance.now() >= due;
    if (own) await this.readOwn();
    for (const { at, readings } of reports) {
      const sample: Sample = { at, ...readings, ...this.own, tokensPerSecond: this.speed };
      this.keep(sample);
      if (this.closely !== undefined) this.options.emit({ type: 'sample', sample });
    }
    if (own && this.last !== undefined) this.options.emit({ type: 'glance', glance: glanceOf(this.last) });
    // A process may have come or gone.
    this.command();
  }

  /** Reads what the app takes of the machine. */
  private async readOwn(): Promise<void> {
    this.asking = true;
    this.ownAt = performance.now();
    const found = this.options.processes();
    this.pids = found.map(({ pid }) => pid);
    this.own = { processes: found.map(({ pid: _, ...process }) => process), engine: await this.engine() };
    this.asking = false;
  }

  private async engine(): Promise<Sample['engine']> {
    const usage = await this.options.usage().catch(() => undefined);
    const before = this.lastUsage;
    const at = performance.now();
    this.lastUsage = usage && { at, usage };
    if (usage === undefined) return null;
    const ms = before === undefined ? 0 : at - before.at;
    const threads = usage.threadsMs.map((worked, i) => {
      const grown = worked - (before?.usage.threadsMs[i] ?? worked);
      return ms > 0 ? Math.min(1, Math.max(0, grown / ms)) : 0;
    });
    return { threads, memory: usage.memory };
  }

  private keep(sample: Sample): void {
    this.last = sample;
    const newest = this.samples.at(-1);
    // A clock that was set back begins a new history; samples in between are for windows that look closely.
    if (newest !== undefined && sample.at < newest.at) this.samples = [];
    else if (newest !== undefined && sample.at - newest.at < EVERY_MS * 0.9) return;
    this.samples.push(sample);
    const oldest = sample.at - HISTORY_MS;
    while ((this.samples[0]?.at ?? oldest) < oldest) this.samples.shift();
  }
}

/** Whether the engine has nothing to do after it: an answer has ended, or one of a comparison, or a prompt run again. */
function ends(event: AppEvent): boolean {
  if (event.type === 'comparison' || event.type === 'replay') return true;
  return event.type === 'message' && event.message.state !== 'streaming';
}
