/**
 * Has the engine try and measure devices that nobody has measured yet, while it has nothing else to do, and loads the model
 * anew where that changes which device does what.
 */

import { AppError } from '../../contract/errors.ts';
import type { EngineStatus } from '../../contract/model-status.ts';
import type { EngineProcess } from '../engine-process.ts';
import type { ModelKeeper } from './model-keeper.ts';
import type { SerialQueue } from './serial-queue.ts';

/** From a model that is ready to the start: the first question often comes at once. */
const FIRST_MS = 5_000;
/** From an interruption, mostly by a question, to the next try. */
const AGAIN_MS = 60_000;

export interface DeviceMeasurerOptions {
  engine: EngineProcess;
  keeper: ModelKeeper;
  /** That of answers: no load comes in the middle of one. */
  queue: SerialQueue;
  log: (line: string) => void;
  firstMs?: number;
}

export class DeviceMeasurer {
  readonly #options: DeviceMeasurerOptions;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: DeviceMeasurerOptions) {
    this.#options = options;
  }

  /** To be told of every status of the engine. */
  engineChanged(status: EngineStatus): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = undefined;
    if (status.state === 'ready' && status.model.unmeasured) this.#later(this.#options.firstMs ?? FIRST_MS);
  }

  #later(ms: number): void {
    this.#timer = setTimeout(() => void this.#measure(), ms);
    this.#timer.unref();
  }

  async #measure(): Promise<void> {
    const { engine, keeper, queue, log } = this.#options;
    this.#timer = undefined;
    try {
      const { places, changed } = await engine.measureDevices();
      log(`devices measured; ${changed ? 'the model is loaded anew' : 'nothing changes'}`);
      if (changed) await queue.run(() => keeper.reload());
      else keeper.measured(places);
    } catch (thrown) {
      const error = AppError.from(thrown);
      log(`devices not measured: ${error.kind}: ${error.message}`);
      if (error.kind === 'cancelled' || error.kind === 'engine-busy') this.#later(AGAIN_MS);
    }
  }
}
