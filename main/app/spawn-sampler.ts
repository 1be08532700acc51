/** Starts the sampler as a process of its own, and counts the app's. */
import path from 'node:path';
import { app } from 'electron';
import type { AppProcess } from '../../contract/resources.ts';
import type { SpawnSampler } from '../telemetry/monitor.ts';
import { forkUtility } from './fork-utility.ts';
import { ENGINE_SERVICE } from './spawn-engine.ts';

/** `dist` is the folder of the bundles, where sampler.cjs lies. */
export function spawnSampler(dist: string): SpawnSampler {
  return (listener) => forkUtility(path.join(dist, 'sampler.cjs'), [], 'ShadowNPU sampler', listener);
}

/** The app's processes as Electron counts them; the share of a core since the last call. */
export function appProcesses(): (AppProcess & { pid: number })[] {
  return app.getAppMetrics().map(({ pid, name, cpu, memory }) => ({
    pid,
    kind: name === ENGINE_SERVICE ? 'engine' : 'app',
    cores: cpu.percentCPUUsage / 100,
    memoryBytes: memory.workingSetSize * 1024,
  }));
}
