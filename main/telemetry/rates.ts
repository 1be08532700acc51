/** Rates from counters that only grow. */

/** A longer gap than this many intervals means that the machine slept: what counters say across it is no rate. */
const GAP = 5;
/** Steps of the wall clock against the steady clock beyond this are sleep or a clock that was set. */
const CLOCK_JUMP_MS = 2000;

/** When readings are taken, and whether the time since the last ones can be trusted. */
export class Ticks {
  private last: { steady: number; wall: number } | undefined;

  /** @returns seconds since the last tick; undefined for the first, and after a sleep or a jump of the clock */
  tick(everyMs: number, steady = performance.now(), wall = Date.now()): number | undefined {
    const { last } = this;
    this.last = { steady, wall };
    if (last === undefined) return undefined;
    const ms = steady - last.steady;
    const jumped = Math.abs(wall - last.wall - ms) > CLOCK_JUMP_MS;
    return ms <= 0 || jumped || ms > GAP * Math.max(everyMs, 1000) ? undefined : ms / 1000;
  }
}

/** Counters by name, and how much each has grown since it was last seen. */
export class Counters {
  private values = new Map<string, number>();

  /**
   * @param range where the counter starts again from 0, if it does
   * @returns null for a counter that was not there before, or that has gone back without a range: it was reset
   */
  growth(name: string, value: number | null, range: number | null = null): number | null {
    const before = this.values.get(name);
    if (value === null) this.values.delete(name);
    else this.values.set(name, value);
    if (value === null || before === undefined) return null;
    if (value >= before) return value - before;
    return range === null ? null : value + range - before;
  }
}

/** A part of a whole, held within 0 and 1; null where there is no whole. */
export function share(part: number | null, whole: number | null): number | null {
  if (part === null || whole === null || !(whole > 0)) return null;
  return Math.min(1, Math.max(0, part / whole));
}

/** Amount a second; null where either is not known. */
export function perSecond(amount: number | null, seconds: number | undefined): number | null {
  return amount === null || seconds === undefined ? null : amount / seconds;
}
