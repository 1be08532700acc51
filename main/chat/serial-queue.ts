/** Runs one piece of work after another, in the order in which they were given. */
export class SerialQueue {
  #tail: Promise<unknown> = Promise.resolve();

  /** Resolves or rejects as `work` does. Work whose signal was aborted while it waited is not begun. */
  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T | undefined> {
    const mine = this.#tail.then(() => (signal?.aborted ? undefined : work()));
    this.#tail = mine.catch(() => undefined);
    return mine;
  }
}
