/** Runs contestants in turn (A, B, C, A, B, C, ...), so that they all meet the same moods of the machine. */
import { AppError } from '../../contract/errors.ts';

export interface Contestant {
  name: string;
  /** One run. May return milliseconds of its own, where a part of the run does not count; else the whole is timed. */
  // biome-ignore lint/suspicious/noConfusingVoidType: most runs return nothing
  run(): number | void | Promise<number | void>;
}

export interface RoundOptions {
  /** Measured rounds; one more goes before them, which warms caches, pages and clocks. */
  rounds: number;
  signal?: AbortSignal;
  onRound?: (done: number, of: number) => void;
}

/**
 * Milliseconds of each contestant by name, one value a measured round.
 * Throws AppError 'cancelled' between two runs once the signal has fired.
 */
export async function interleave(
  contestants: readonly Contestant[],
  { rounds, signal, onRound }: RoundOptions,
): Promise<Map<string, number[]>> {
  const times = new Map<string, number[]>(contestants.map(({ name }) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const { name, run } of contestants) {
      // A turn of the event loop, so that Ctrl+C is heard between synchronous runs.
      await new Promise((resolve) => setImmediate(resolve));
      if (signal?.aborted) throw new AppError('cancelled', 'Stopped.');
      const start = performance.now();
      const own = await run();
      const ms = own ?? performance.now() - start;
      if (round > 0) times.get(name)?.push(ms);
    }
    onRound?.(round, rounds);
  }
  return times;
}
