import type { ModelFit, modelChannels } from '../../contract/models.ts';
import type { ModelKeeper } from '../chat/model-keeper.ts';
import type { SerialQueue } from '../chat/serial-queue.ts';
import type { Downloads } from '../library/downloads.ts';
import { type FreeMemory, fitOf } from '../library/fit.ts';
import type { ModelJobs } from '../library/model-jobs.ts';
import type { Handlers } from './router.ts';

export interface ModelParts {
  readonly keeper: ModelKeeper;
  readonly jobs: ModelJobs;
  readonly downloads: Downloads;
  /** Answers are made in it, one at a time: no model is taken away from one. */
  readonly queue: SerialQueue;
  /** Asks the user; undefined where nothing was chosen. */
  readonly choose: (what: 'file' | 'folder') => Promise<string | undefined>;
  readonly weights: () => 'exact' | 'fast';
  readonly freeMemory: () => Promise<FreeMemory>;
  /** Told when the list of models has changed. */
  readonly changed: () => void;
}

/** Models of this machine and the long jobs about them. */
export function modelHandlers(parts: ModelParts): Handlers<keyof typeof modelChannels> {
  const { keeper, jobs, downloads, queue, choose, weights, freeMemory, changed } = parts;
  const importFrom = async (path: string, flavour = weights()) => {
    const model = await jobs.import(path, flavour);
    keeper.lookAgain();
    return model;
  };
  return {
    'models.list': () => keeper.models(),
    'models.jobs': () => [...jobs.list(), ...downloads.list().map((status) => ({ kind: 'download' as const, status }))],
    'models.import': async ({ what, weights: flavour }) => {
      const path = await choose(what);
      return path === undefined ? null : importFrom(path, flavour);
    },
    'models.drop': ({ path, weights: flavour }) => importFrom(path, flavour),
    'models.verify': ({ modelId }) => jobs.verify(modelId),
    'models.cancel': ({ jobId }) => jobs.cancel(jobId),
    'models.remove': async ({ modelId }) => {
      await queue.run(() => keeper.remove(modelId));
      changed();
    },
    'models.unload': () => queue.run(() => keeper.unload()),
    'models.fit': async ({ modelId, weights: flavour, contextSize }): Promise<ModelFit | null> => {
      const body = { model: modelId, weights: flavour, ...(contextSize === undefined ? {} : { contextSize }) };
      const memory = await keeper.estimate(body).catch(() => null);
      return memory && fitOf(memory, await freeMemory());
    },
  };
}
