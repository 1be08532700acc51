/** Entry of a worker thread: does tasks of the engine thread's jobs until it is told to end. Computes, never decides. */
import { workerData } from 'node:worker_threads';
import { loadNative } from '../../../native/js/load.ts';
import { JobBoard } from './job-board.ts';
import { TaskRunner } from './task-runner.ts';
import type { WorkerData } from './worker-pool.ts';

const { model, board: buffer, lane, pilot } = workerData as WorkerData;
const runner = new TaskRunner(loadNative(), model, lane, pilot);
const board = new JobBoard(buffer);
for (let seen = board.next(0); seen !== undefined; seen = board.next(seen)) {
  board.work((job, task) => runner.run(job, task));
}
runner.close();
