/**
 * How the engine thread orders runs of block graphs from the thread that drives a device, and how it learns of their end: one
 * order at a time on shared memory. Waiting comes in short pieces, so that a device that hangs never blocks the engine thread.
 */

import type { Reason } from '../../../contract/phrase.ts';
import { FAILURE_NOTE_BYTES, FailureNote } from '../failure-note.ts';

/** Which graph of a block: `prefill` takes a chunk of rows, `decode` one. */
export type BlockKind = 'prefill' | 'decode';

const ORDER = 0; // counts orders; what the idle device thread waits on; -1 asks it to end
const SETTLED = 1; // the last order that the device thread is done with
const BLOCK = 2;
const DECODE = 3; // 1 where the order is of a decode graph
const MICROSECONDS = 4; // that the last run took
const FLAGS = 5;
/** Checks of a flag before a thread goes to sleep; about as long as a wake-up costs. */
const SPINS = 2000;

export const DEVICE_BOARD_BYTES = FLAGS * 4 + FAILURE_NOTE_BYTES;

export class DeviceBoard {
  private readonly flags: Int32Array;
  private readonly note: FailureNote;

  constructor(buffer: SharedArrayBuffer) {
    this.flags = new Int32Array(buffer, 0, FLAGS);
    this.note = new FailureNote(buffer, FLAGS * 4);
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
      if (settled >= order || this.note.written) return true;
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

  /** Any thread: nothing more will be computed. @param error as FailureNote.write */
  fail(error: unknown): void {
    this.note.write(error);
    Atomics.notify(this.flags, SETTLED);
  }

  /** Why nothing more will be computed, where that is so. */
  get failure(): Reason | undefined {
    return this.note.read();
  }

  /** Engine thread: asks the device thread to end. */
  close(): void {
    Atomics.store(this.flags, ORDER, -1);
    Atomics.notify(this.flags, ORDER);
  }
}
