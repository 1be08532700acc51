/** Models: what is here, what can be got, and getting, checking and removing them. */
import type { WindowChannel } from '../../../../contract/bridge.ts';
import type { WeightFlavour } from '../../../../contract/engine.ts';
import { AppError } from '../../../../contract/errors.ts';
import type { ModelFit } from '../../../../contract/models.ts';
import type { Talk } from './talk.ts';

export function createModelCommands({ store, api, guarded }: Talk) {
  /** The list as it is now; the catalogue says which of its entries are here. */
  async function readModels(): Promise<void> {
    await guarded(async () => {
      const [models, catalog] = await Promise.all([
        api.ask('models.list', undefined),
        api.ask('models.catalog', undefined),
      ]);
      store.dispatch({ type: 'models', models, catalog });
    });
  }

  /** Stopping a job is no failure. */
  async function unlessCancelled(work: () => Promise<unknown>): Promise<void> {
    await guarded(async () => {
      try {
        await work();
      } catch (error) {
        if (AppError.from(error).kind !== 'cancelled') throw error;
      }
    });
  }

  const forEntry =
    (channel: Extract<WindowChannel, 'models.download' | 'models.pause' | 'models.cancel-download'>) =>
    async (entryId: string): Promise<void> => {
      await guarded(() => api.ask(channel, { entryId }));
    };

  return {
    readModels,

    /** Jobs that were begun before this window was there. */
    async readModelJobs(): Promise<void> {
      await guarded(async () => {
        const jobs = await api.ask('models.jobs', undefined);
        store.dispatch({ type: 'events', events: jobs.map((job) => ({ type: 'model-job' as const, job })) });
      });
    },

    /** Null where the model cannot be read. */
    async fitOf(modelId: string, weights: WeightFlavour, contextSize: number | undefined): Promise<ModelFit | null> {
      const request = { modelId, weights, ...(contextSize === undefined ? {} : { contextSize }) };
      return api.ask('models.fit', request).catch(() => null);
    },

    /** Begins a download or goes on with it. */
    download: forEntry('models.download'),
    pauseDownload: forEntry('models.pause'),
    cancelDownload: forEntry('models.cancel-download'),

    /** Main asks which file or folder. */
    importModel: (what: 'file' | 'folder') => unlessCancelled(() => api.ask('models.import', { what })),
    importDropped: (file: File) => unlessCancelled(() => api.importDropped(file)),
    cancelJob: (jobId: string) => unlessCancelled(() => api.ask('models.cancel', { jobId })),

    /** What is wrong is told by the check's job, beside the model. */
    async verifyModel(modelId: string): Promise<void> {
      await api.ask('models.verify', { modelId }).catch(() => undefined);
    },

    async removeModel(modelId: string): Promise<void> {
      await guarded(() => api.ask('models.remove', { modelId }));
    },

    async unloadModel(): Promise<void> {
      await guarded(() => api.ask('models.unload', undefined));
    },
  };
}
