/**
 * The full calibration of the loaded model in the app: offered once nobody has used the app for a while and the machine is
 * on mains power, started by a person, and given up at once for a question (the engine sees to that; what is done is kept).
 */
import type { AppEvent } from '../../contract/channels.ts';
import type { LoadedModel } from '../../contract/engine.ts';
import { AppError } from '../../contract/errors.ts';
import type { CalibrationStatus, EngineStatus } from '../../contract/model-status.ts';
import type { Calibration, EngineProcess } from '../engine-process.ts';

const IDLE_MS = 5 * 60_000;
/** Steps are many; a bar needs this much of them. */
const PROGRESS_EVERY_MS = 500;

export interface CalibratorOptions {
  engine: EngineProcess;
  onMains: () => boolean;
  emit: (event: AppEvent) => void;
  log: (line: string) => void;
  idleMs?: number;
}

export class Calibrator {
  readonly #options: CalibratorOptions;
  #status: CalibrationStatus = { state: 'unavailable' };
  #model: LoadedModel | undefined;
  /** Models that were calibrated since the app was started: the engine tells of earlier ones when it loads. */
  readonly #done = new Set<string>();
  #running: Calibration | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(options: CalibratorOptions) {
    this.#options = options;
  }

  get status(): CalibrationStatus {
    return this.#status;
  }

  /** To be told of every change of the engine's status. */
  engineChanged(status: EngineStatus): void {
    this.#model = status.state === 'ready' ? status.model : undefined;
    // A running one ends by itself, since the engine gives way to every request, and settles where it stands.
    if (!this.#running) this.#rest();
  }

  /** Somebody is using the app: the offer waits. */
  used(): void {
    if (this.#status.state === 'possible') this.#rest();
  }

  /** Starts or goes on with the calibration of the loaded model; does nothing where there is none to do. */
  start(): void {
    const model = this.#model;
    if (this.#status.state !== 'possible' || model === undefined) return;
    clearTimeout(this.#idle);
    let toldAt = 0;
    const running = this.#options.engine.calibrate({ model: model.id, weights: model.weights }, (progress) => {
      if (Date.now() - toldAt < PROGRESS_EVERY_MS) return;
      toldAt = Date.now();
      this.#set({ state: 'running', progress });
    });
    this.#running = running;
    this.#set({ state: 'running' });
    running.done.then(
      () => {
        this.#done.add(model.id);
        this.#ended();
      },
      (thrown: unknown) => this.#ended(AppError.from(thrown)),
    );
  }

  stop(): void {
    this.#running?.cancel();
  }

  #ended(error?: AppError): void {
    this.#running = undefined;
    if (error === undefined || error.kind === 'cancelled') {
      this.#rest();
      return;
    }
    const { detail, ...info } = error.toInfo();
    this.#options.log(`calibration failed: ${error.kind}: ${detail ?? error.message}`);
    this.#rest(info);
  }

  /** Where things stand while nothing runs; the wait for the offer begins anew. */
  #rest(error?: Omit<ReturnType<AppError['toInfo']>, 'detail'>): void {
    clearTimeout(this.#idle);
    const model = this.#model;
    if (model === undefined || model.calibrated || this.#done.has(model.id)) {
      this.#set({ state: 'unavailable' });
      return;
    }
    this.#set({ state: 'possible', offered: false, ...(error ? { error } : {}) });
    this.#idle = setTimeout(() => this.#offer(), this.#options.idleMs ?? IDLE_MS);
    this.#idle.unref();
  }

  #offer(): void {
    if (this.#options.onMains()) this.#set({ state: 'possible', offered: true });
    else this.#rest();
  }

  #set(status: CalibrationStatus): void {
    const same = JSON.stringify(status) === JSON.stringify(this.#status);
    this.#status = status;
    if (!same) this.#options.emit({ type: 'calibration', status });
  }
}
