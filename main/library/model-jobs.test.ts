import { beforeEach, describe, expect, it } from 'vitest';
import type { AppEvent } from '../../contract/channels.ts';
import type { Checked, ModelInfo, Progress } from '../../contract/engine.ts';
import { AppError } from '../../contract/errors.ts';
import { type JobEngine, ModelJobs } from './model-jobs.ts';

const MODEL: ModelInfo = {
  id: 'm',
  name: 'M',
  architecture: 'llama',
  weights: ['fast'],
  bytes: 1,
  contextTrained: 1,
  origin: 'folder',
};

/** An engine whose jobs a test ends itself. */
class HeldEngine implements JobEngine {
  asked: unknown[] = [];
  progress: (progress: Progress) => void = () => undefined;
  resolve: (value: never) => void = () => undefined;
  reject: (error: Error) => void = () => undefined;

  importModel(body: object, progress: (progress: Progress) => void) {
    return this.#begin<string>(body, progress);
  }
  verifyModel(body: object, progress: (progress: Progress) => void) {
    return this.#begin<Checked>(body, progress);
  }
  #begin<T>(body: object, progress: (progress: Progress) => void) {
    this.asked.push(body);
    this.progress = progress;
    const done = new Promise<T>((resolve, reject) => {
      this.resolve = resolve as (value: never) => void;
      this.reject = reject;
    });
    return { done, cancel: () => this.reject(new AppError('cancelled', 'Stopped.')) };
  }
}

let engine: HeldEngine;
let told: AppEvent[];
let jobs: ModelJobs;
beforeEach(() => {
  engine = new HeldEngine();
  told = [];
  jobs = new ModelJobs({
    engine,
    models: async () => [MODEL],
    emit: (event) => told.push(event),
    knownSum: ({ id }) => (id === 'm' ? 'a'.repeat(64) : undefined),
  });
});
const ofJob = () => told.flatMap((event) => (event.type === 'model-job' ? [event.job] : []));

describe('an import', () => {
  it('tells how far it is, and of the new model', async () => {
    const done = jobs.import('/some/where/m.gguf', 'fast');
    expect(jobs.list()).toMatchObject([{ kind: 'import', name: 'm.gguf', state: 'running' }]);
    engine.progress({ stage: 'import', done: 1, total: 2 });
    expect(ofJob().at(-1)).toMatchObject({ state: 'running', progress: { done: 1, total: 2 } });
    // Another one right after it is kept for who asks, but not told.
    engine.progress({ stage: 'import', done: 2, total: 2 });
    expect(ofJob()).toHaveLength(2);
    expect(jobs.list()).toMatchObject([{ progress: { done: 2 } }]);
    engine.resolve('m' as never);
    expect(await done).toEqual(MODEL);
    expect(engine.asked).toEqual([{ model: '/some/where/m.gguf', weights: 'fast' }]);
    expect(ofJob().at(-1)).toMatchObject({ state: 'done', modelId: 'm' });
    expect(told.at(-1)).toEqual({ type: 'models' });
    expect(jobs.list()).toEqual([]);
  });

  it('is cancelled by its id', async () => {
    const done = jobs.import('/m.gguf', 'fast');
    jobs.cancel('no such job');
    const [job] = jobs.list();
    jobs.cancel(job?.jobId ?? '');
    await expect(done).rejects.toMatchObject({ kind: 'cancelled' });
    expect(ofJob().at(-1)).toMatchObject({ state: 'cancelled' });
    expect(ofJob().at(-1)).not.toHaveProperty('error');
  });

  it('that failed says why, without what is for the log', async () => {
    const done = jobs.import('/m.gguf', 'fast');
    engine.reject(new AppError('model-invalid', 'It is cut off.', { detail: 'offset 7' }));
    await expect(done).rejects.toMatchObject({ kind: 'model-invalid' });
    expect(ofJob().at(-1)).toMatchObject({
      state: 'failed',
      error: { kind: 'model-invalid', message: 'It is cut off.' },
    });
    expect(JSON.stringify(told)).not.toContain('offset 7');
  });
});

describe('a check', () => {
  it('compares with what the catalogue knows, and says what could be checked', async () => {
    const done = jobs.verify('m');
    await Promise.resolve();
    await Promise.resolve();
    expect(engine.asked).toEqual([{ model: 'm', sha256: 'a'.repeat(64) }]);
    engine.resolve('checksum' as never);
    expect(await done).toBe('checksum');
    expect(ofJob().at(-1)).toMatchObject({ kind: 'verify', modelId: 'm', state: 'done', checked: 'checksum' });
  });

  it('of a model that is not there is refused', async () => {
    await expect(jobs.verify('other')).rejects.toMatchObject({ kind: 'model-missing' });
    expect(told).toEqual([]);
  });
});
