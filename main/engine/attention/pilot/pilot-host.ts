/** Starts and ends the pilot thread. Engine thread. */
import { Worker } from 'node:worker_threads';
import { AppError } from '../../../../contract/errors.ts';
import { phrase, type Reason } from '../../../../contract/phrase.ts';
import { deviceOfPilot, devicePilot } from '../../../../contract/pilot-name.ts';
import type { DeviceRegistry, OpenDevice } from '../../device/registry.ts';
import { distFile } from '../../paths.ts';
import type { SharedModel } from '../../session/shared-model.ts';
import { LaunchBoard } from './launch-board.ts';
import type { PilotBuffers } from './pilot-memory.ts';

/** A device by what its backend needs: the folder of its graphs, its id (device/registry.ts) and how graphs open on it. */
export type PilotDevice = { kind: 'simulated' } | ({ kind: 'ort'; folder: string; id: string } & OpenDevice);

export interface PilotThreadData {
  model: Pick<SharedModel, 'shape' | 'capacity' | 'chunkSize'>;
  buffers: PilotBuffers;
  device: PilotDevice;
}

/** Longest wait for the end of a thread that may hang in its device's driver. */
const END_MS = 5000;

/**
 * The device that a pilot's name asks for: `simulated`, or `ort:` with a device's id (device/registry.ts), type or execution
 * provider. Throws AppError 'bad-input' where there is none, 'device-unusable' where it cannot be used.
 */
export function pilotDevice(registry: DeviceRegistry, pilot: string, folder: string): PilotDevice {
  if (pilot === 'simulated') return { kind: 'simulated' };
  const asked = deviceOfPilot(pilot);
  const devices = registry.list();
  const device = devices.find(({ id, type, executionProvider }) => [id, type, executionProvider].includes(asked));
  if (device) return { kind: 'ort', folder, id: device.id, ...registry.open(device.id) };
  throw new AppError('bad-input', phrase`ONNX Runtime has no device "${asked}" on this machine.`, {
    action: phrase`Choose one of: ${devices.map(({ id }) => devicePilot(id)).join(', ')}.`,
  });
}

export class PilotHost {
  readonly board: LaunchBoard;
  private readonly worker: Worker;
  private readonly ended: Promise<void>;

  private constructor(worker: Worker, board: LaunchBoard) {
    this.worker = worker;
    this.board = board;
    this.ended = new Promise((resolve) => worker.once('exit', () => resolve()));
    // What is thrown outside of a launch, such as by a broken bundle.
    worker.on('error', (error) => board.fail(error));
    worker.unref();
  }

  /** Throws AppError 'device-unusable' where the backend cannot be opened. */
  static async start(data: PilotThreadData): Promise<PilotHost> {
    const board = new LaunchBoard(data.buffers.board);
    board.reset();
    const host = new PilotHost(new Worker(distFile('pilot.cjs'), { workerData: data }), board);
    host.worker.ref();
    await Promise.race([new Promise((resolve) => host.worker.once('message', resolve)), host.ended]);
    host.worker.unref();
    const { failure } = board;
    if (failure === undefined) return host;
    await host.close();
    throw pilotFailed(failure);
  }

  /** Ends the thread and closes its sessions. */
  async close(): Promise<void> {
    this.worker.ref();
    this.board.close();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, END_MS);
    });
    await Promise.race([this.ended, late]);
    clearTimeout(timer);
    this.worker.unref();
  }
}

export function pilotFailed(reason: Reason): AppError {
  return new AppError('device-unusable', phrase`The pilot device failed: ${reason}`, {
    action: 'Choose the native pilot, or another device.',
  });
}
