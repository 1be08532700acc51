/** Busy shares of cores from the times that the system counts for them. */
import { Counters, share } from './rates.ts';

export interface CoreTimes {
  /** Any unit, since boot. */
  busy: number;
  idle: number;
}

export class Cores {
  private readonly counters = new Counters();

  /** @param times by core; a core that is offline has none @returns null for that, and for one that has just come */
  shares(times: readonly (CoreTimes | undefined)[]): (number | null)[] {
    return times.map((core, index) => {
      const busy = this.counters.growth(`busy ${index}`, core?.busy ?? null);
      const idle = this.counters.growth(`idle ${index}`, core?.idle ?? null);
      return busy === null || idle === null ? null : share(busy, busy + idle);
    });
  }
}
