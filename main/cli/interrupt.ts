/**
 * Ctrl+C and termination: the first one asks running work to stop, so that what was made so far can be printed; a second
 * one ends the program at once. Also ends quietly when the reader of standard output has gone.
 */
import { EXIT } from './exit.ts';

export class Interrupt {
  #controller = new AbortController();
  /** What takes a Ctrl+C in place of stopping the program's work, e.g. an answer of a conversation. */
  #handler: (() => void) | undefined;

  constructor() {
    process.on('SIGINT', () => this.trigger());
    process.on('SIGTERM', () => this.#stop());
    process.stdout.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      process.exit(EXIT.ok);
    });
  }

  /** Fires when the program's work is to stop. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Hands Ctrl+C to `handler`, or with undefined back to the program. */
  handle(handler: (() => void) | undefined): void {
    this.#handler = handler;
  }

  trigger(): void {
    if (this.#handler) this.#handler();
    else this.#stop();
  }

  #stop(): void {
    if (this.#controller.signal.aborted) process.exit(EXIT.interrupted);
    this.#controller.abort();
  }
}
