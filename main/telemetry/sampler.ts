/**
 * The sampler: a thread of main's process that reads the machine's sensors. A thread because a process of its own costs 27 MB;
 * none of its code is native, so what goes wrong in it ends the thread only. Knows nothing of Electron.
 */
import { Worker } from 'node:worker_threads';
import type { MachineReadings } from '../../contract/resources.ts';

/** What the thread is to do from now on. */
export interface SamplerCommand {
  everyMs: number;
  /** Readings are told together, this long after the first of them. */
  tellMs: number;
  /** Of the app's processes. */
  pids: readonly number[];
}

export interface SamplerReport {
  /** Milliseconds since 1970. */
  at: number;
  readings: MachineReadings;
}

export interface SamplerHandle {
  post(command: SamplerCommand): void;
  kill(): void;
}

/** `exited` comes once, last, with what went wrong where something did. */
export interface SamplerListener {
  /** Oldest first. */
  reported(reports: readonly SamplerReport[]): void;
  exited(reason: string): void;
}

export type SpawnSampler = (listener: SamplerListener) => SamplerHandle;

/** Far more than it needs: a leak ends the thread, not the app. */
const MEMORY = { maxOldGenerationSizeMb: 24, maxYoungGenerationSizeMb: 2 };

/** `file`: the thread's bundle. */
export function samplerThread(file: string): SpawnSampler {
  return (listener) => {
    const worker = new Worker(file, { resourceLimits: MEMORY });
    let reason = '';
    worker.on('message', (reports: SamplerReport[]) => listener.reported(reports));
    worker.on('error', (error) => {
      reason = String(error);
    });
    worker.once('exit', (code) => listener.exited(reason === '' ? `exit code ${code}` : reason));
    return { post: (command) => worker.postMessage(command), kill: () => void worker.terminate() };
  };
}
