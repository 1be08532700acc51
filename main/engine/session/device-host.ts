/** Drives the linear parts of a model on one device, through a thread of its own. Engine thread. */
import { Worker } from 'node:worker_threads';
import { AppError } from '../../../contract/errors.ts';
import { english, phrase, type Reason, said } from '../../../contract/phrase.ts';
import type { NativeAddon, SessionOptions, Tensor } from '../../../native/js/index.ts';
import { at } from '../attention/layer-views.ts';
import { distFile } from '../paths.ts';
import type { Breath } from './breath.ts';
import { type BlockKind, DEVICE_BOARD_BYTES, DeviceBoard } from './device-board.ts';
import { endWithoutThreads } from './device-exit.ts';
import { allocateDevice, type DeviceBuffers, DeviceMemory } from './device-memory.ts';
import { Watchdog } from './device-watchdog.ts';
import type { AttentionShape } from './shared-model.ts';

/** What the thread starts with. */
export interface DeviceThreadData {
  shape: AttentionShape;
  /** Rows of the prefill graphs. */
  chunk: number;
  graphs: { block: number; kind: BlockKind; path: string }[];
  /** How the graphs open on the device. */
  session: SessionOptions;
  buffers: DeviceBuffers;
  board: SharedArrayBuffer;
}

export interface DeviceStart extends Omit<DeviceThreadData, 'buffers' | 'board'> {
  native: NativeAddon;
  /** Limit of the first runs and of opening a graph, in milliseconds; absent: what fits compilers. */
  patienceMs?: number | undefined;
  onProgress?: ((done: number, total: number) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/** Inputs and outputs of a block for some rows, in the model's memory. */
export interface BlockTensors {
  inputs: Tensor[];
  outputs: Tensor[];
}

/** A device failed; `hung`: its thread may never end. */
export class DeviceFault extends Error {
  readonly reason: Reason;
  readonly hung: boolean;

  constructor(reason: Reason, hung: boolean) {
    super(english(reason));
    this.reason = reason;
    this.hung = hung;
  }
}

/** Longest wait for one graph: it may have to be compiled. */
const OPEN_MS = 180_000;
/** Longest time in which the engine thread does not look at its messages while a device computes. */
const SLICE_MS = 10;
/** Longest wait for the end of the thread. */
const END_MS = 5_000;

export class DeviceHost {
  readonly chunk: number;
  private readonly native: NativeAddon;
  private readonly worker: Worker;
  private readonly board: DeviceBoard;
  private readonly memory: DeviceMemory;
  private readonly ended: Promise<void>;
  private readonly watchdogs: Record<BlockKind, Watchdog>;
  private hung = false;

  private constructor(start: DeviceStart) {
    const { native, patienceMs, onProgress: _, signal: __, ...data } = start;
    const buffers = allocateDevice(data.shape, data.chunk);
    const board = new SharedArrayBuffer(DEVICE_BOARD_BYTES);
    this.native = native;
    this.chunk = data.chunk;
    this.board = new DeviceBoard(board);
    this.memory = new DeviceMemory(data.shape, buffers);
    this.watchdogs = { prefill: new Watchdog(patienceMs), decode: new Watchdog(patienceMs) };
    const workerData: DeviceThreadData = { ...data, buffers, board };
    this.worker = new Worker(distFile('device.cjs'), { workerData });
    this.ended = new Promise((resolve) => this.worker.once('exit', () => resolve()));
    // What is thrown outside of the thread's own care, such as by a broken bundle.
    this.worker.on('error', (error) => this.board.fail(error));
    this.worker.once('exit', () => this.board.fail(said('Its thread ended.')));
  }

  /** Opens the graphs. Throws DeviceFault, and AppError 'cancelled'. */
  static async start(start: DeviceStart): Promise<DeviceHost> {
    const host = new DeviceHost(start);
    const total = start.graphs.length;
    let opened = 0;
    let openedAt = performance.now();
    host.worker.on('message', (count: number) => {
      opened = count;
      openedAt = performance.now();
      start.onProgress?.(opened, total);
    });
    try {
      while (opened < total && host.board.failure === undefined) {
        await new Promise((resolve) => setTimeout(resolve, SLICE_MS));
        if (start.signal?.aborted) throw new AppError('cancelled', 'Loading was stopped.');
        const waited = performance.now() - openedAt;
        if (waited > (start.patienceMs ?? OPEN_MS))
          host.giveUp(phrase`It did not open a graph in ${seconds(waited)} seconds.`);
      }
      const { failure } = host.board;
      if (failure !== undefined) throw new DeviceFault(failure, host.hung);
      host.worker.unref();
      return host;
    } catch (error) {
      await host.close();
      throw error;
    }
  }

  /**
   * Runs a block on rows [0, rows) and takes the outputs of rows [from, rows); those before are another's. Rows up to the
   * graph's are filled with zeros. @returns milliseconds that the device took. Throws DeviceFault, after which this host is of
   * no more use, and AppError 'cancelled' while the device may still be computing.
   */
  async run(
    block: number,
    kind: BlockKind,
    { inputs, outputs }: BlockTensors,
    from: number,
    breath: Breath,
  ): Promise<number> {
    const watchdog = this.watchdogs[kind];
    // A cancelled request may have left the device at work.
    await this.settled(watchdog.limitMs, breath);
    const mine = this.memory.tensors(block, kind === 'decode' ? 1 : this.chunk);
    inputs.forEach(({ data }, i) => {
      const target = at(mine.inputs, i).data as Float32Array;
      target.set(data as Float32Array);
      target.fill(0, data.length);
    });
    this.board.post(block, kind);
    await this.settled(watchdog.limitMs, breath);
    outputs.forEach(({ data, dims: [rows = 0, width = 0] }, i) => {
      const result = (at(mine.outputs, i).data as Float32Array).subarray(from * width, rows * width);
      if (!Number.isFinite(this.native.maxAbs(result))) {
        throw new DeviceFault(said('It returned values that are not numbers.'), false);
      }
      (data as Float32Array).set(result, from * width);
    });
    const ms = this.board.lastMs;
    watchdog.add(ms);
    return ms;
  }

  /** Ends the thread and closes its sessions; a thread that hangs is left behind. */
  async close(): Promise<void> {
    this.worker.ref();
    this.board.close();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, this.hung ? 0 : END_MS);
    });
    await Promise.race([this.ended, late]);
    clearTimeout(timer);
    this.worker.unref();
  }

  private async settled(limitMs: number, breath: Breath): Promise<void> {
    const start = performance.now();
    while (!this.board.await(SLICE_MS)) {
      await breath.take();
      const waited = performance.now() - start;
      if (waited > limitMs) this.giveUp(phrase`It did not answer for ${seconds(waited)} seconds.`);
    }
    const { failure } = this.board;
    if (failure !== undefined) throw new DeviceFault(failure, this.hung);
  }

  private giveUp(reason: Reason): void {
    this.hung = true;
    endWithoutThreads(this.native);
    this.board.fail(reason);
  }
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(ms < 10_000 ? 1 : 0);
}
