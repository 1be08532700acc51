/** Entry of a worker thread: does tasks of the engine thread's jobs until it is told to end. Computes, never decides. */
import { workerData } from 'node:worker_threads';
import { loadNative } from '../../../native/js/load.ts';
import type { SharedModel } from '../session/shared-model.ts';
import { JobBoard } from './job-board.ts';
import { TaskRunner } from './task-runner.ts';

const { model, board: buffer } = workerData as { model: SharedModel; board: SharedArrayBuffer };
const runner = new TaskRunner(loadNative(), model);
const board = new JobBoard(buffer);
for (let seen = board.next(0); seen !== undefined; seen = board.next(seen)) {
  board.work((job, task) => runner.run(job, task));
}
runner.close();
