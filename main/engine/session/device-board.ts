/**
 * How the engine thread orders runs of block graphs from the thread that drives a device, and how it learns of their end: one
 * order at a time on shared memory. Waiting comes in short pieces, so that a device that hangs never blocks the engine thread.
 */

/** Which graph of a block: `prefill` takes a chunk of rows, `decode` one. */
export type BlockKind = 'prefill' | 'decode';

const ORDER = 0; // counts orders; what the idle device thread waits on; -1 asks it to end
const SETTLED = 1; // the last order that the device thread is done with
const FAILED = 2; // bytes of the error text, 0 while all is well
const BLOCK = 3;
const DECODE = 4; // 1 where the order is of a decode graph
const MICROSECONDS = 5; // that the last run took
const FLAGS = 6;
const ERROR_BYTES = 1024;
/** Checks of a flag before a thread goes to sleep; about as long as a wake-up costs. */
const SPINS = 2000;

export const DEVICE_BOARD_BYTES = FLAGS * 4 + ERROR_BYTES;

export class DeviceBoard {
  private readonly flags: Int32Array;
  private readonly errorText: Uint8Array;

  constructor(buffer: SharedArrayBuffer) {
    this.flags = new Int32Array(buffer, 0, FLAGS);
    this.errorText = new Uint8Array(buffer, FLAGS * 4, ERROR_BYTES);
  }

  /** Engine thread: hands out an order. The one before must have settled. */
  post(block: number, kind: BlockKind): void {
    this.flags[BLOCK] = block;
    this.flags[DECODE] = kind === 'decode' ? 1 : 0;
    Atomics.add(this.flags, ORDER, 1);
    Atomics.notify(this.flags, ORDER);
  }

  /** Engine thread: waits at most `ms` milliseconds for the last order. @returns whether it has settled or failed */
  await(ms: number): boolean {
    const order = Atomics.load(this.flags, ORDER);
    for (let spins = 0; ; spins++) {
      const settled = Atomics.load(this.flags, SETTLED);
      if (settled >= order || Atomics.load(this.flags, FAILED) > 0) return true;
      if (spins > SPINS && Atomics.wait(this.flags, SETTLED, settled, ms) === 'timed-out') return false;
    }
  }

  /** Milliseconds of the last run on the device. */
  get lastMs(): number {
    return Atomics.load(this.flags, MICROSECONDS) / 1000;
  }

  /** Device thread: waits for an order newer than `seen`. @returns its number, or undefined when the thread shall end */
  next(seen: number): number | undefined {
    Atomics.wait(this.flags, ORDER, seen);
    const order = Atomics.load(this.flags, ORDER);
    return order < 0 ? undefined : order;
  }

  /** Device thread: what is to be run. */
  order(): { block: number; kind: BlockKind } {
    return { block: this.flags[BLOCK] ?? 0, kind: this.flags[DECODE] === 1 ? 'decode' : 'prefill' };
  }

  /** Device thread: done with an order, after `ms` milliseconds. */
  settle(order: number, ms: number): void {
    Atomics.store(this.flags, MICROSECONDS, Math.round(ms * 1000));
    Atomics.store(this.flags, SETTLED, order);
    Atomics.notify(this.flags, SETTLED);
  }

  /** Any thread: nothing more will be computed. Only the first reason is kept. */
  fail(error: unknown): void {
    const bytes = Buffer.from(error instanceof Error ? error.message : String(error)).subarray(0, ERROR_BYTES);
    if (Atomics.load(this.flags, FAILED) > 0) return;
    this.errorText.set(bytes);
    Atomics.store(this.flags, FAILED, Math.max(bytes.length, 1));
    Atomics.notify(this.flags, SETTLED);
  }

  /** Why nothing more will be computed, where that is so. */
  get failure(): string | undefined {
    const length = Atomics.load(this.flags, FAILED);
    return length === 0 ? undefined : Buffer.from(this.errorText.slice(0, length)).toString();
  }

  /** Engine thread: asks the device thread to end. */
  close(): void {
    Atomics.store(this.flags, ORDER, -1);
    Atomics.notify(this.flags, ORDER);
  }
}
