/** The last prompt read again with plans and without, in its turn among questions, told to the windows as it goes. */
import type { AppEvent } from '../../contract/channels.ts';
import type { Replay } from '../../contract/engine.ts';
import { AppError } from '../../contract/errors.ts';
import { rate, untilStopped } from '../chat/generate.ts';
import type { SerialQueue } from '../chat/serial-queue.ts';
import type { EngineProcess } from '../engine-process.ts';

export interface PlanReplayOptions {
  engine: EngineProcess;
  /** That of answers. */
  queue: SerialQueue;
  emit: (event: AppEvent) => void;
}

export class PlanReplay {
  readonly #options: PlanReplayOptions;
  #running: AbortController | undefined;

  constructor(options: PlanReplayOptions) {
    this.#options = options;
  }

  /**
   * undefined where it was stopped, nothing has been answered, or that attention chooses no keys. Throws AppError, 'engine-busy'
   * while another one runs.
   */
  async run(pilot: string): Promise<Replay | undefined> {
    if (this.#running) {
      throw new AppError('engine-busy', 'A prompt is being run again already.', { action: 'Stop it first, or wait.' });
    }
    const running = new AbortController();
    this.#running = running;
    const { queue, emit } = this.#options;
    emit({ type: 'replay', progress: { done: 0, total: 0, tokensPerSecond: 0 } });
    try {
      return await queue.run(() => this.#replay(pilot, running.signal), running.signal);
    } catch (error) {
      if (AppError.from(error).kind === 'cancelled') return undefined;
      throw error;
    } finally {
      this.#running = undefined;
      emit({ type: 'replay', progress: null });
    }
  }

  stop(): void {
    this.#running?.abort();
  }

  async #replay(pilot: string, signal: AbortSignal): Promise<Replay | undefined> {
    const { engine, emit } = this.#options;
    let from: number | undefined;
    const work = engine.replay({ pilot }, ({ done, total }) => {
      from ??= Date.now();
      emit({ type: 'replay', progress: { done, total, tokensPerSecond: rate(done, Date.now() - from) } });
    });
    const replay = await untilStopped(engine, work, signal);
    const problems = [replay?.planned, replay?.unplanned].flatMap((run) => run?.figures.deviceProblems ?? []);
    if (problems.some(({ hung }) => hung)) engine.renew();
    return replay;
  }
}
