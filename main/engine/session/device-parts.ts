/**
 * The parts of a loaded model that run on devices. A device that fails in one is left for good: the processor computes what
 * it did not, and the answer says so.
 */
import type { DeviceProblem, PlacedPart, Work } from '../../../contract/engine.ts';
import type { Breath } from './breath.ts';
import { type BlockTensors, DeviceFault, type DeviceHost } from './device-host.ts';

/** Linear parts: of a prompt, and of generated tokens. */
export type LinearPart = Exclude<PlacedPart, 'pilot'>;

export const LINEAR_PARTS: readonly LinearPart[] = ['linear', 'decode'];

export interface PlacedLinear {
  device: string;
  host: DeviceHost;
  /** Fewer rows than this are faster on the processor. */
  minRows: number;
  /** Tokens at the very beginning of a prompt that only the processor's graphs take. */
  cpuTokens: number;
}

export class DeviceParts {
  private readonly failed: (problem: DeviceProblem) => void;
  private readonly placed: Map<LinearPart, PlacedLinear>;
  private done: Work[] = [];
  private paused = false;

  /** @param failed told once of each device that failed */
  constructor(placed: ReadonlyMap<LinearPart, PlacedLinear>, failed: (problem: DeviceProblem) => void) {
    this.placed = new Map(placed);
    this.failed = failed;
  }

  /** Before a request. @param onProcessor whether it leaves everything to the processor */
  begin(onProcessor = false): void {
    this.done = [];
    this.paused = onProcessor;
  }

  /** Device of a part, where it has one that has not failed. */
  deviceOf(part: LinearPart): string | undefined {
    return this.paused ? undefined : this.placed.get(part)?.device;
  }

  /**
   * Runs a block of a pass of `rows` rows at positions nPast .. on the part's device. @param tensors of all these rows
   * @returns how many of the first rows are left to the processor: 0 to all. Throws AppError 'cancelled'.
   */
  async run(
    part: LinearPart,
    block: number,
    tensors: BlockTensors,
    { rows, nPast }: { rows: number; nPast: number },
    breath: Breath,
  ): Promise<number> {
    const placed = this.placed.get(part);
    if (this.paused || placed === undefined || rows < placed.minRows) return rows;
    const left = Math.min(rows, Math.max(0, placed.cpuTokens - nPast));
    if (left === rows) return rows;
    const { device, host } = placed;
    try {
      const kind = part === 'decode' ? 'decode' : 'prefill';
      const ms = await host.run(block, kind, tensors, left, breath);
      this.count(part, device, ms);
      return left;
    } catch (error) {
      if (!(error instanceof DeviceFault)) throw error;
      await this.leave(host);
      this.failed({ device, part, reason: error.reason, ...(error.hung ? { hung: true } : {}) });
      return rows;
    }
  }

  /** What devices did since `begin`. */
  work(): Work[] {
    return this.done.map((work) => ({ ...work }));
  }

  async close(): Promise<void> {
    for (const { host } of this.placed.values()) await host.close();
    this.placed.clear();
  }

  private count(part: LinearPart, device: string, ms: number): void {
    let work = this.done.find((known) => known.part === part && known.device === device);
    if (work === undefined) {
      work = { part, device, launches: 0, ms: 0 };
      this.done.push(work);
    }
    work.launches += 1;
    work.ms += ms;
  }

  private async leave(host: DeviceHost): Promise<void> {
    for (const [part, placed] of this.placed) if (placed.host === host) this.placed.delete(part);
    await host.close();
  }
}
