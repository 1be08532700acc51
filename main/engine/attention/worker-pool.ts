/** The threads of a loaded model: the engine thread itself and threads - 1 workers. */
import { Worker } from 'node:worker_threads';
import { AppError } from '../../../contract/errors.ts';
import { phrase } from '../../../contract/phrase.ts';
import type { NativeAddon } from '../../../native/js/index.ts';
import { distFile } from '../paths.ts';
import type { SharedModel } from '../session/shared-model.ts';
import { ENGINE_LANE } from '../telemetry/trace-log.ts';
import { type Job, JobBoard } from './job-board.ts';
import type { PilotBuffers } from './pilot/pilot-memory.ts';
import { TaskRunner } from './task-runner.ts';

/** What a worker thread starts with. */
export interface WorkerData {
  model: SharedModel;
  board: SharedArrayBuffer;
  /** The thread's lane in the trace. */
  lane: number;
  pilot: PilotBuffers | undefined;
}

export class WorkerPool {
  readonly threads: number;
  private readonly board = new JobBoard();
  private readonly runner: TaskRunner;
  private readonly workers: Worker[];
  /** Settles when every worker has ended. */
  private readonly ended: Promise<unknown>;
  private failure: AppError | undefined;

  /** @param threads at least 1; 1 means that the engine thread does all work itself @param pilot see TaskRunner */
  constructor(native: NativeAddon, model: SharedModel, threads: number, pilot?: PilotBuffers) {
    this.threads = threads;
    this.runner = new TaskRunner(native, model, ENGINE_LANE, pilot);
    this.workers = Array.from({ length: threads - 1 }, (_, i) => {
      const workerData: WorkerData = { model, board: this.board.buffer, lane: ENGINE_LANE + 1 + i, pilot };
      const worker = new Worker(distFile('worker.cjs'), { workerData });
      worker.on('error', (error) => {
        this.failure = new AppError('internal', phrase`A worker thread of the engine failed: ${error.message}`, {
          cause: error,
        });
      });
      worker.unref();
      return worker;
    });
    this.ended = Promise.all(this.workers.map((worker) => new Promise((resolve) => worker.once('exit', resolve))));
  }

  /** Runs a job to its end, on the calling thread alone where it has only one task. Throws what a task threw. */
  run(job: Job): void {
    if (this.failure) throw this.failure;
    const { tasks } = job;
    if (tasks === 1 || this.threads === 1) {
      for (let task = 0; task < tasks; task++) this.runner.run(job, task);
      return;
    }
    this.board.post(job);
    this.board.work((posted, task) => this.runner.run(posted, task));
    this.board.finish(tasks);
  }

  async close(): Promise<void> {
    // Idle workers do not keep the process alive, but who closes waits for their end.
    for (const worker of this.workers) worker.ref();
    this.board.close();
    await this.ended;
    this.runner.close();
  }
}
