/** Models on this machine and in the catalogue: downloads, imports, what fits. */
import { choosePaths } from '../app/file-dialogs.ts';
import { netGet } from '../app/net-get.ts';
import { IMPORT_SERVICE, spawnEngine } from '../app/spawn-engine.ts';
import { catalogHandlers } from '../ipc/catalog.ts';
import { broadcast } from '../ipc/electron.ts';
import { modelHandlers } from '../ipc/models.ts';
import { CATALOG } from '../library/catalog.ts';
import { Downloads } from '../library/downloads.ts';
import { availableMemory, type FreeMemory } from '../library/fit.ts';
import { ModelJobs } from '../library/model-jobs.ts';
import { ModelWorker } from '../library/model-worker.ts';
import { entryOf } from '../library/offers.ts';
import type { Base } from './base.ts';
import type { EngineParts } from './engine-parts.ts';

export function modelParts(base: Base, { engineFolders, keeper, devicesSoon }: EngineParts) {
  const { storage, queue, log, words, dist, folders } = base;
  const freeMemory = async (): Promise<FreeMemory> => ({
    availableBytes: (await availableMemory()) + (await keeper.loadedBytes()),
    // Without an engine no device is known.
    devices: (await devicesSoon()) ?? [],
  });
  const downloads = new Downloads({
    folder: folders.models,
    entries: CATALOG,
    get: netGet,
    mirror: () => storage.settings.get().downloadServer ?? process.env.HF_ENDPOINT,
    changed: (status) => broadcast({ type: 'model-job', job: { kind: 'download', status } }),
    arrived: () => {
      broadcast({ type: 'models' });
      keeper.lookAgain();
    },
    log,
  });
  const worker = new ModelWorker({ spawn: spawnEngine(dist, engineFolders, IMPORT_SERVICE), log });
  const jobs = new ModelJobs({
    engine: worker,
    models: () => keeper.models(),
    emit: broadcast,
    knownSum: (model) => entryOf(model, CATALOG)?.sha256,
  });
  const chooseModel = async (what: 'file' | 'folder') => {
    const { chooseModelFile, chooseModelFolder, modelFiles } = words().dialogs;
    const [chosen] = await choosePaths(
      what === 'file'
        ? { title: chooseModelFile, properties: ['openFile'], filters: [{ name: modelFiles, extensions: ['gguf'] }] }
        : { title: chooseModelFolder, properties: ['openDirectory'] },
    );
    return chosen;
  };
  const weights = () => storage.settings.get().weights;
  return {
    downloads,
    handlers: {
      ...catalogHandlers({ downloads, models: () => keeper.models(), weights, freeMemory }),
      ...modelHandlers({
        keeper,
        jobs,
        downloads,
        queue,
        choose: chooseModel,
        weights,
        freeMemory,
        changed: () => broadcast({ type: 'models' }),
      }),
    },
    async stop() {
      await Promise.all([worker.stop(), downloads.stop()]);
    },
  };
}
