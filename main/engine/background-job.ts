/** At most one job that gives way: whoever needs the machine stops it and waits until it has let go. */
export class BackgroundJob {
  private current: { stop: AbortController; ended: Promise<unknown> } | undefined;

  get running(): boolean {
    return this.current !== undefined;
  }

  /** Runs `work` with a signal that fires when `signal` does or when the job has to give way. */
  async run<T>(signal: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const stop = new AbortController();
    const abort = () => stop.abort();
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort);
    const result = work(stop.signal);
    // How it ends is told to its caller; here only that it has.
    this.current = { stop, ended: result.catch(() => undefined) };
    try {
      return await result;
    } finally {
      this.current = undefined;
      signal?.removeEventListener('abort', abort);
    }
  }

  /** Stops the job, if there is one, and resolves once it has ended. */
  async giveWay(): Promise<void> {
    this.current?.stop.abort();
    await this.current?.ended;
  }
}
