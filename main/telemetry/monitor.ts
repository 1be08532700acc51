/**
 * Main's side of the figures: asks the sampler process for the machine's, the engine for its own, and puts them together into
 * samples. Keeps ten minutes of them. Knows nothing of Electron: what starts the sampler and reads the app's processes is
 * handed in.
 */
import * as v from 'valibot';
import type { AppEvent } from '../../contract/channels.ts';
import type { Energy, EngineUsage } from '../../contract/engine.ts';
import {
  type AppProcess,
  HISTORY_MS,
  type Sample,
  type SamplerCommand,
  SamplerReport,
} from '../../contract/resources.ts';

const EVERY_MS = 1000;
const CLOSELY_MS = 250;
/** While no answer is being made and nobody looks closely: an app at rest must cost next to nothing. */
const AT_REST_MS = 15_000;
/** The sampler is started again this long after it ended by itself. */
const RESTART_MS = 30_000;

export interface SamplerHandle {
  post(command: SamplerCommand): void;
  kill(): void;
}

export type SpawnSampler = (listener: { reported(message: unknown): void; exited(): void }) => SamplerHandle;

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
  private closely = false;
  private samples: Sample[] = [];
  private last: Sample | undefined;
  private lastUsage: { at: number; usage: EngineUsage } | undefined;
  private asking = false;
  private speed: Sample['tokensPerSecond'] = { prefill: null, decode: null };

  constructor(options: ResourceMonitorOptions) {
    this.options = options;
  }

  start(): void {
    this.restart = undefined;
    this.handle = this.options.spawn({
      reported: (message) => void this.reported(message),
      exited: () => {
        if (this.handle === undefined) return;
        this.handle = undefined;
        this.options.log('the sampler process ended');
        this.restart = setTimeout(() => this.start(), RESTART_MS);
      },
    });
    this.command();
  }

  stop(): void {
    if (this.restart) clearTimeout(this.restart);
    const { handle } = this;
    this.handle = undefined;
    handle?.kill();
  }

  /** Samples come four times a second while somebody looks at them closely, once while an answer is made, else seldom. */
  watch(closely: boolean): void {
    this.closely = closely;
    this.command();
  }

  /** Samples of the last ten minutes, about a second apart, oldest first. */
  history(): Sample[] {
    return this.samples;
  }

  /** The latest sample, if there has been one. */
  get latest(): Sample | undefined {
    return this.last;
  }

  /** What main tells its windows: the speed of the running answer is among it. */
  observe(event: AppEvent): void {
    const resting = this.resting;
    if (event.type === 'prefill') this.speed = { prefill: event.tokensPerSecond, decode: null };
    else if (event.type === 'delta') this.speed = { prefill: null, decode: event.tokensPerSecond };
    else if (event.type === 'message' && event.message.state !== 'streaming')
      this.speed = { prefill: null, decode: null };
    if (this.resting !== resting) this.command();
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
    const seconds = Math.min(Math.max(0, Date.now() - at), 2 * AT_REST_MS) / 1000;
    return power.joules + (power.watts ?? 0) * seconds;
  }

  private command(): void {
    const pids = this.options.processes().map(({ pid }) => pid);
    this.handle?.post({ everyMs: this.closely ? CLOSELY_MS : this.resting ? AT_REST_MS : EVERY_MS, pids });
  }

  private async reported(message: unknown): Promise<void> {
    const parsed = v.safeParse(SamplerReport, message);
    if (!parsed.success) {
      this.options.log(`malformed report from the sampler: ${v.summarize(parsed.issues).slice(0, 300)}`);
      return;
    }
    // The engine answers between layers; a sample that comes meanwhile is left out.
    if (this.asking) return;
    this.asking = true;
    const engine = await this.engine();
    this.asking = false;
    const { at, readings } = parsed.output;
    const processes = this.options.processes().map(({ pid: _, ...process }) => process);
    const sample: Sample = { at, ...readings, processes, engine, tokensPerSecond: this.speed };
    this.keep(sample);
    this.options.emit({ type: 'sample', sample });
    // The engine or a window may have come or gone.
    this.command();
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
