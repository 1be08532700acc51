/** Lets messages in between pieces of computing: how a cancel reaches a busy engine thread. */
import { AppError } from '../../../contract/errors.ts';

/** Longest time the engine thread computes without looking at its messages, in milliseconds. */
const INTERVAL_MS = 8;

export class Breath {
  private last = performance.now();
  private readonly signal: AbortSignal | undefined;

  constructor(signal?: AbortSignal) {
    this.signal = signal;
  }

  /** Handles waiting messages if it is time. Throws AppError 'cancelled' when the signal has fired. */
  async take(): Promise<void> {
    if (performance.now() - this.last >= INTERVAL_MS) {
      await new Promise((resolve) => setImmediate(resolve));
      this.last = performance.now();
    }
    if (this.signal?.aborted) throw new AppError('cancelled', 'Stopped.');
  }
}
