/** Imports and checks of models: long jobs of the engine, told to every window and cancelled by any. */
import { basename } from 'node:path';
import type { AppEvent } from '../../contract/channels.ts';
import type { Checked, ModelInfo, Progress, WeightFlavour } from '../../contract/engine.ts';
import { AppError } from '../../contract/errors.ts';
import type { ModelJob } from '../../contract/models.ts';
import { phrase } from '../../contract/phrase.ts';

/** What the engine process offers. Its jobs reject with kind 'cancelled' where they were cancelled. */
export interface JobEngine {
  importModel(body: { model: string; weights: WeightFlavour }, progress: (progress: Progress) => void): Job<string>;
  verifyModel(body: { model: string; sha256?: string }, progress: (progress: Progress) => void): Job<Checked>;
}

export interface Job<T> {
  readonly done: Promise<T>;
  cancel(): void;
}

type FileJob = Exclude<ModelJob, { kind: 'download' }>;
/** What is added to a job when it has ended. */
type Ending = { modelId?: string; checked?: Checked };

export interface ModelJobsOptions {
  readonly engine: JobEngine;
  readonly models: () => Promise<readonly ModelInfo[]>;
  readonly emit: (event: AppEvent) => void;
  /** The checksum that the catalogue knows of a model's file. */
  readonly knownSum: (model: ModelInfo) => string | undefined;
}

/** A bar needs no more than this. */
const PROGRESS_EVERY_MS = 100;

export class ModelJobs {
  readonly #options: ModelJobsOptions;
  readonly #running = new Map<string, { job: FileJob; cancel: () => void }>();
  #count = 0;

  constructor(options: ModelJobsOptions) {
    this.#options = options;
  }

  list(): FileJob[] {
    return [...this.#running.values()].map(({ job }) => job);
  }

  /** Imports a file or folder and resolves with the model. Rejects with AppError, kind 'cancelled' where it was cancelled. */
  async import(path: string, weights: WeightFlavour): Promise<ModelInfo> {
    const { engine, emit, models } = this.#options;
    const start = { kind: 'import' as const, jobId: this.#id(), name: basename(path), state: 'running' as const };
    const id = await this.#run(
      start,
      (progress) => engine.importModel({ model: path, weights }, progress),
      (modelId) => ({ modelId }),
    ).finally(() => emit({ type: 'models' }));
    const model = (await models()).find((known) => known.id === id);
    if (model === undefined)
      throw new AppError('internal', phrase`"${id}" was imported, but is not in the list of models.`);
    return model;
  }

  /** Checks a model's files. Rejects with AppError: what is damaged, or that there is no such model. */
  async verify(modelId: string): Promise<Checked> {
    const { engine, models, knownSum } = this.#options;
    const model = (await models()).find(({ id }) => id === modelId);
    if (model === undefined)
      throw new AppError('model-missing', phrase`There is no model "${modelId}" on this computer.`);
    const sha256 = knownSum(model);
    const body = { model: modelId, ...(sha256 === undefined ? {} : { sha256 }) };
    return this.#run(
      { kind: 'verify', jobId: this.#id(), modelId, name: model.name, state: 'running' },
      (progress) => engine.verifyModel(body, progress),
      (checked) => ({ checked }),
    );
  }

  cancel(jobId: string): void {
    this.#running.get(jobId)?.cancel();
  }

  async #run<T>(
    start: FileJob,
    begin: (progress: (progress: Progress) => void) => Job<T>,
    ending: (result: T) => Ending,
  ): Promise<T> {
    let toldAt = Number.NEGATIVE_INFINITY;
    const { done, cancel } = begin((progress) => {
      const entry = this.#running.get(start.jobId);
      if (entry === undefined) return;
      entry.job = { ...start, progress };
      if (performance.now() - toldAt < PROGRESS_EVERY_MS) return;
      toldAt = performance.now();
      this.#tell(entry.job);
    });
    this.#running.set(start.jobId, { job: start, cancel });
    this.#tell(start);
    try {
      const result = await done;
      this.#tell({ ...start, ...ending(result), state: 'done' });
      return result;
    } catch (thrown) {
      const { detail: _, ...error } = AppError.from(thrown).toInfo();
      this.#tell(error.kind === 'cancelled' ? { ...start, state: 'cancelled' } : { ...start, state: 'failed', error });
      throw thrown;
    } finally {
      this.#running.delete(start.jobId);
    }
  }

  #tell(job: FileJob): void {
    this.#options.emit({ type: 'model-job', job });
  }

  #id(): string {
    this.#count += 1;
    return `job-${this.#count}`;
  }
}
