/** Starts the engine as a process of its own: a fault in it takes neither the window nor its data along. */
import path from 'node:path';
import type { SpawnEngine } from '../engine-process.ts';
import { forkUtility } from './fork-utility.ts';

export interface EngineFolders {
  modelsDir: string;
  bundlesDir: string;
  profilesDir: string;
  selfTestsDir: string;
  /** Prompts about documents that were read. */
  prefixesDir: string;
  /** Whether models of other programs are shown. */
  foreignModels: boolean;
  /** The user's own execution provider libraries. */
  libraryFolder?: string;
}

/** Its name in `app.getAppMetrics()`, and that of the one that imports and checks models beside it. */
export const ENGINE_SERVICE = 'ShadowNPU engine';
export const IMPORT_SERVICE = 'ShadowNPU model import';

/** `dist` is the folder of the bundles, where engine.cjs lies; `folders` is asked at every start. */
export function spawnEngine(dist: string, folders: () => EngineFolders, serviceName = ENGINE_SERVICE): SpawnEngine {
  return (listener) =>
    forkUtility(path.join(dist, 'engine.cjs'), [`--options=${JSON.stringify(folders())}`], serviceName, listener);
}
