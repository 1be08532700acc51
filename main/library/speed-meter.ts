/** Bytes per second over the last few seconds. */

const WINDOW_MS = 5000;

export class SpeedMeter {
  #samples: { at: number; bytes: number }[] = [];

  /** `bytes` are here at `now`, in milliseconds of any clock that only goes forward. */
  sample(bytes: number, now: number): void {
    const last = this.#samples.at(-1);
    // Began again: what was before says nothing.
    if (last !== undefined && bytes < last.bytes) this.#samples = [];
    this.#samples.push({ at: now, bytes });
    while ((this.#samples[1]?.at ?? now) < now - WINDOW_MS) this.#samples.shift();
  }

  bytesPerSecond(now: number): number {
    const [first] = this.#samples;
    const last = this.#samples.at(-1);
    if (first === undefined || last === undefined || now - first.at < 200) return 0;
    return ((last.bytes - first.bytes) * 1000) / (now - first.at);
  }

  forget(): void {
    this.#samples = [];
  }
}
