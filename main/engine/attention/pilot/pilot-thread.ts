/** Entry of the pilot thread: launches what the engine thread orders, one launch after the other, until it is told to end. */
import { parentPort, workerData } from 'node:worker_threads';
import type { NativeAddon } from '../../../../native/js/index.ts';
import { loadNative } from '../../../../native/js/load.ts';
import { stageClock } from '../../telemetry/trace-log.ts';
import { PAPER_PHONE } from '../planner/costs.ts';
import type { PilotBackend } from './backend.ts';
import { LaunchBoard, type LaunchOrder } from './launch-board.ts';
import { OrtPilot } from './ort-pilot.ts';
import type { PilotThreadData } from './pilot-host.ts';
import { PilotMemory } from './pilot-memory.ts';
import { SimulatedPilot } from './simulated-pilot.ts';

const { model, buffers, device } = workerData as PilotThreadData;
const memory = new PilotMemory(model, buffers);
const board = new LaunchBoard(buffers.board);

function openBackend(native: NativeAddon): PilotBackend {
  if (device.kind === 'simulated') return new SimulatedPilot(native, memory, PAPER_PHONE);
  return new OrtPilot(native, memory, device.folder, device);
}

function launchAll(backend: PilotBackend, { layer, keys, paddedKeys, place, launches }: LaunchOrder): void {
  let next = place;
  for (const launch of launches) {
    if (board.stopped) return;
    const one = { ...launch, layer, keys, paddedKeys, place: next };
    const start = stageClock();
    backend.load(one);
    const loaded = stageClock();
    backend.run(one);
    const times = [start, loaded, stageClock()];
    for (let i = 0; i < launch.heads.length; i++) memory.launchTimesOf(next + i).set(times);
    next += launch.heads.length;
    board.ready(launch.heads.length);
  }
}

let backend: PilotBackend | undefined;
try {
  backend = openBackend(loadNative());
  parentPort?.postMessage('ready');
  for (let order = board.next(0); order !== undefined; order = board.next(order)) {
    launchAll(backend, board.order());
    board.settled(order);
  }
} catch (error) {
  board.fail(error);
} finally {
  backend?.close();
  parentPort?.close();
}
