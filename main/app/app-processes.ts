/** Counts the app's processes. */
import { app } from 'electron';
import type { AppProcess } from '../../contract/resources.ts';
import { ENGINE_SERVICE } from './spawn-engine.ts';

/** As Electron counts them; the share of a core since the last call. Takes about 2 ms. */
export function appProcesses(): (AppProcess & { pid: number })[] {
  return app.getAppMetrics().map(({ pid, name, cpu, memory }) => ({
    pid,
    kind: name === ENGINE_SERVICE ? 'engine' : 'app',
    cores: cpu.percentCPUUsage / 100,
    memoryBytes: memory.workingSetSize * 1024,
  }));
}
