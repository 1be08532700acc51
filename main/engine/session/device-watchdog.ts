/** How long a run on a device may take before the device is taken for hung: long at first, later by what runs have taken. */

/** Runs that count as first. */
const FIRST_RUNS = 3;
const TIMES_MEDIAN = 20;
/** Never shorter, however fast the device: other programs may take it, or the processor, for a moment. */
const LEAST_MS = 2_000;
const REMEMBERED = 31;

export class Watchdog {
  /** A first run may compile, load weights and wake the device up. */
  static readonly FIRST_MS = 30_000;
  private readonly firstMs: number;
  private readonly times: number[] = [];
  private runs = 0;

  /** @param firstMs limit of the first runs, and of all */
  constructor(firstMs = Watchdog.FIRST_MS) {
    this.firstMs = firstMs;
  }

  get limitMs(): number {
    if (this.runs < FIRST_RUNS) return this.firstMs;
    const sorted = [...this.times].sort((a, b) => a - b);
    const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
    return Math.min(this.firstMs, Math.max(LEAST_MS, TIMES_MEDIAN * median));
  }

  /** A run has ended after `ms` milliseconds. */
  add(ms: number): void {
    this.times[this.runs % REMEMBERED] = ms;
    this.runs += 1;
  }
}
