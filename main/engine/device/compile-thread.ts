/** Entry of the compile thread: opens a graph for each 'next' that it is sent, so that the provider writes its compiled form. */
import { parentPort, workerData } from 'node:worker_threads';
import { loadNative } from '../../../native/js/load.ts';
import { compileGraph } from './compile-graph.ts';
import type { CompileAnswer, CompileOrders } from './compile-graphs.ts';

const { open, jobs } = workerData as CompileOrders;
let next = 0;

parentPort?.on('message', () => {
  const job = jobs[next++];
  const answer: CompileAnswer = { problem: null };
  try {
    if (job) compileGraph(loadNative(), open, job);
  } catch (error) {
    answer.problem = error instanceof Error ? error.message : String(error);
  }
  parentPort?.postMessage(answer);
});
