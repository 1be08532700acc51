/**
 * Imports and checks models in an engine process of its own, one at a time: answers go on meanwhile, and what an import took of
 * memory goes with its process.
 */
import type { Checked, Progress, WeightFlavour } from '../../contract/engine.ts';
import { AppError } from '../../contract/errors.ts';
import { SerialQueue } from '../chat/serial-queue.ts';
import { EngineProcess, type SpawnEngine } from '../engine-process.ts';
import type { Job, JobEngine } from './model-jobs.ts';

export interface ModelWorkerOptions {
  readonly spawn: SpawnEngine;
  readonly log: (line: string) => void;
}

export class ModelWorker implements JobEngine {
  readonly #options: ModelWorkerOptions;
  readonly #queue = new SerialQueue();
  #process: EngineProcess | undefined;

  constructor(options: ModelWorkerOptions) {
    this.#options = options;
  }

  importModel(body: { model: string; weights: WeightFlavour }, progress: (progress: Progress) => void): Job<string> {
    return this.#run((engine) => engine.importModel(body, progress));
  }

  verifyModel(body: { model: string; sha256?: string }, progress: (progress: Progress) => void): Job<Checked> {
    return this.#run((engine) => engine.verifyModel(body, progress));
  }

  /** Ends the job that runs; what it wrote is removed by the next one. Resolves when its process is gone. */
  async stop(): Promise<void> {
    await this.#process?.stop();
  }

  #run<T>(begin: (engine: EngineProcess) => Job<T>): Job<T> {
    const abort = new AbortController();
    const cancelled = new AppError('cancelled', 'The job was cancelled.');
    const done = this.#queue.run(async () => {
      const { spawn, log } = this.#options;
      // It is not started again after a crash: the job fails, and the next one has a process of its own.
      const engine = new EngineProcess({ spawn, log, changed: () => undefined, backOffMs: [] });
      this.#process = engine;
      engine.start();
      try {
        const job = begin(engine);
        abort.signal.addEventListener('abort', () => job.cancel());
        return await job.done;
      } finally {
        this.#process = undefined;
        await engine.stop();
      }
    }, abort.signal);
    return {
      done: done.then((result) => {
        if (result === undefined) throw cancelled; // before its turn came
        return result;
      }),
      cancel: () => abort.abort(),
    };
  }
}
