/** Starts the engine as a utility process of Electron: plain Node, a life of its own, its own name in task managers. */
import path from 'node:path';
import { utilityProcess } from 'electron';
import type { SpawnEngine } from '../engine-process.ts';

export interface EngineFolders {
  modelsDir: string;
  bundlesDir: string;
  profilesDir: string;
  selfTestsDir: string;
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
  return (listener) => {
    const child = utilityProcess.fork(path.join(dist, 'engine.cjs'), [`--options=${JSON.stringify(folders())}`], {
      serviceName,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child.stderr?.setEncoding('utf8');
    child.stderr?.on('data', (text: string) => listener.wrote(text));
    child.on('message', (message: unknown) => listener.reported(message));
    child.once('exit', (code) => listener.exited(code));
    return {
      post: (command) => child.postMessage(command),
      kill: () => {
        child.kill();
      },
    };
  };
}
