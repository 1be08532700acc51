/** Entry of the thread that checks the database beside the app (check-beside.ts). */
import { parentPort, workerData } from 'node:worker_threads';
import { checkWhole } from './database.ts';

parentPort?.postMessage(checkWhole(workerData as string));
