/** Has an execution provider compile graphs on a thread of its own, one after the other. */
import { rm } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { AppError } from '../../../contract/errors.ts';
import { phrase } from '../../../contract/phrase.ts';
import { distFile } from '../paths.ts';
import type { OpenDevice } from './registry.ts';

export interface CompileJob {
  /** Path of the graph. */
  graph: string;
  /** Path of the new graph with the compiled code inside. */
  output: string;
  /** What was compiled elsewhere, perhaps for such a device: the first that it opens is taken over. */
  prebuilt?: readonly string[];
}

export interface CompileOrders {
  open: OpenDevice;
  jobs: CompileJob[];
}

/** After each job: null, or what the provider says against it. No further jobs are done after that. */
export interface CompileAnswer {
  problem: string | null;
}

interface CompileRun<J extends CompileJob> {
  /** Name of the device, for messages. */
  device: string;
  open: OpenDevice;
  jobs: readonly J[];
  onCompiled: (job: J) => Promise<void>;
  signal?: AbortSignal;
}

/** Throws AppError 'device-unusable' with what the compiler says, 'cancelled' once the graph in work is done. */
export async function compileGraphs<J extends CompileJob>(run: CompileRun<J>): Promise<void> {
  const { jobs, open, device, signal } = run;
  if (jobs.length === 0) return;
  const orders: CompileOrders = {
    open,
    jobs: jobs.map(({ graph, output, prebuilt = [] }) => ({ graph, output, prebuilt })),
  };
  const worker = new Worker(distFile('compile.cjs'), { workerData: orders });
  const ended = new Promise<never>((_, reject) => {
    worker.once('error', (error) => reject(failed(device, error.message)));
    worker.once('exit', () => reject(failed(device, 'its compiler ended')));
  });
  ended.catch(() => {}); // It ends in any case; the race below looks while it matters.
  try {
    for (const job of jobs) {
      if (signal?.aborted) throw new AppError('cancelled', 'Compiling for the device was stopped.');
      const answer = new Promise<CompileAnswer>((resolve) => worker.once('message', resolve));
      worker.postMessage('next');
      const { problem } = await Promise.race([answer, ended]);
      if (problem !== null) throw failed(device, problem);
      await run.onCompiled(job);
    }
  } finally {
    await worker.terminate();
    await Promise.all(jobs.map(({ output }) => rm(output, { force: true })));
  }
}

function failed(device: string, reason: string): AppError {
  return new AppError('device-unusable', phrase`${device} cannot take this model's graphs: ${reason}`, {
    action: 'Choose another device for the linear parts, or the processor.',
    detail: reason,
  });
}
