/** Starts the sampler as a utility process of Electron. */
import path from 'node:path';
import { app, utilityProcess } from 'electron';
import type { AppProcess } from '../../contract/resources.ts';
import type { SpawnSampler } from '../telemetry/monitor.ts';
import { ENGINE_SERVICE } from './spawn-engine.ts';

/** `dist` is the folder of the bundles, where sampler.cjs lies. */
export function spawnSampler(dist: string): SpawnSampler {
  return (listener) => {
    const child = utilityProcess.fork(path.join(dist, 'sampler.cjs'), [], {
      serviceName: 'ShadowNPU sampler',
      stdio: 'ignore',
    });
    child.on('message', (message: unknown) => listener.reported(message));
    child.once('exit', () => listener.exited());
    return {
      post: (command) => child.postMessage(command),
      kill: () => {
        child.kill();
      },
    };
  };
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
