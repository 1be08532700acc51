/** Gives the memory of a model back that nobody has used for a while, where the user wants that. */
import type { Settings } from '../../contract/settings.ts';
import type { ModelKeeper } from './model-keeper.ts';
import type { SerialQueue } from './serial-queue.ts';

export interface IdleUnloaderOptions {
  keeper: Pick<ModelKeeper, 'unload'>;
  /** The one that answers wait in: nothing is unloaded under an answer. */
  queue: SerialQueue;
  settings: () => Pick<Settings, 'unloadAfterMinutes'>;
  log: (line: string) => void;
}

export class IdleUnloader {
  readonly #options: IdleUnloaderOptions;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: IdleUnloaderOptions) {
    this.#options = options;
  }

  /** To be told when the model was loaded or worked, and when the setting changed: the time counts from now. */
  used(): void {
    this.stop();
    const { unloadAfterMinutes } = this.#options.settings();
    if (unloadAfterMinutes === undefined) return;
    this.#timer = setTimeout(() => void this.#unload(), unloadAfterMinutes * 60_000);
    // Waiting for this alone keeps no process alive.
    this.#timer.unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  async #unload(): Promise<void> {
    const { queue, keeper, log } = this.#options;
    try {
      await queue.run(() => keeper.unload());
    } catch (error) {
      log(`model not unloaded: ${String(error)}`);
    }
  }
}
