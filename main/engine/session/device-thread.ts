/**
 * Entry of the thread that drives a device for the linear parts: opens the block graphs, then runs what the engine thread
 * orders until it is told to end. It has the device to itself, so a driver that hangs holds up this thread only.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { Session } from '../../../native/js/index.ts';
import { loadNative } from '../../../native/js/load.ts';
import { type BlockKind, DeviceBoard } from './device-board.ts';
import type { DeviceThreadData } from './device-host.ts';
import { DeviceMemory } from './device-memory.ts';

const { shape, chunk, buffers, board: buffer, graphs, session: options } = workerData as DeviceThreadData;
const board = new DeviceBoard(buffer);
const memory = new DeviceMemory(shape, buffers);
const native = loadNative();

const sessions = new Map<string, Session>();
const keyOf = (block: number, kind: BlockKind) => `${kind} ${block}`;

try {
  for (const { block, kind, path } of graphs) {
    sessions.set(keyOf(block, kind), native.openSession(path, options));
    parentPort?.postMessage(sessions.size);
  }
  for (let order = board.next(0); order !== undefined; order = board.next(order)) {
    const { block, kind } = board.order();
    const { inputs, outputs } = memory.tensors(block, kind === 'decode' ? 1 : chunk);
    const start = performance.now();
    const session = sessions.get(keyOf(block, kind));
    if (session === undefined) throw new Error(`block ${block} has not been opened for ${kind}`);
    session.run(inputs, outputs);
    board.settle(order, performance.now() - start);
  }
} catch (error) {
  board.fail(error);
} finally {
  for (const session of sessions.values()) session.close();
  parentPort?.close();
}
