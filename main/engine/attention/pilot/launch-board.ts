/**
 * How the engine thread orders launches from the pilot thread, and how the CPU threads learn that scores are there: one
 * order at a time on shared memory. Launches happen in the order of the plan, so a count of ready places tells all.
 */

import { english, phrase, type Reason } from '../../../../contract/phrase.ts';
import { FAILURE_NOTE_BYTES, FailureNote } from '../../failure-note.ts';

/** Launches for one layer: the places of the plan from `place` on are the heads of `launches`, in their order. */
export interface LaunchOrder {
  layer: number;
  /** Keys that exist, and the key length of the graphs. */
  keys: number;
  paddedKeys: number;
  place: number;
  launches: { heads: number[]; lambdaQ: number; lambdaK: number }[];
}

const ORDER = 0; // counts orders; what the idle pilot thread waits on; -1 asks it to end
const SETTLED = 1; // the last order that the pilot thread is done with
const READY = 2; // places of the plan whose scores are there
const STOP = 3; // set: leave out the launches not yet begun
const LENGTH = 4; // bytes of the order's text
const HUNG = 5; // 1: it failed by not answering
const PATIENCE = 6; // milliseconds, see patienceMs
const FLAGS = 7;
const ORDER_BYTES = 16_384;

export const LAUNCH_BOARD_BYTES = FLAGS * 4 + ORDER_BYTES + FAILURE_NOTE_BYTES;

/** Longest wait for a launch, where nothing else is said. */
const PATIENCE_MS = 30_000;
/** Checks of a flag before a thread goes to sleep; about as long as a wake-up costs. */
const SPINS = 2000;

/** The pilot device failed or did not answer; `message` says how. */
export class PilotFault extends Error {}

export class LaunchBoard {
  private readonly flags: Int32Array;
  private readonly orderText: Uint8Array;
  private readonly note: FailureNote;

  constructor(buffer: SharedArrayBuffer) {
    this.flags = new Int32Array(buffer, 0, FLAGS);
    this.orderText = new Uint8Array(buffer, FLAGS * 4, ORDER_BYTES);
    this.note = new FailureNote(buffer, FLAGS * 4 + ORDER_BYTES);
  }

  /** Before a pilot thread starts. */
  reset(): void {
    this.flags.fill(0);
    this.note.clear();
  }

  /** Engine thread, before an order: longest wait for one of its launches; a device that takes longer is taken for hung. */
  set patienceMs(ms: number) {
    Atomics.store(this.flags, PATIENCE, Math.ceil(ms));
  }

  /** Whether the device failed by not answering. */
  get hung(): boolean {
    return Atomics.load(this.flags, HUNG) !== 0;
  }

  /** Engine thread: hands out an order. The one before must have settled. */
  post(order: LaunchOrder): void {
    const text = Buffer.from(JSON.stringify(order));
    this.orderText.set(text);
    this.flags[LENGTH] = text.length;
    Atomics.store(this.flags, STOP, 0);
    Atomics.store(this.flags, READY, order.place);
    Atomics.add(this.flags, ORDER, 1);
    Atomics.notify(this.flags, ORDER);
  }

  /** Engine thread: leaves out what has not begun, and waits until the pilot thread is idle. Throws PilotFault. */
  settle(): void {
    Atomics.store(this.flags, STOP, 1);
    this.waitFor(SETTLED, Atomics.load(this.flags, ORDER));
  }

  /** CPU threads: waits until the scores of a place are there. Throws PilotFault. */
  awaitScores(place: number): void {
    this.waitFor(READY, place + 1);
  }

  /** Pilot thread: waits for an order newer than `seen`. @returns its number, or undefined when the thread shall end */
  next(seen: number): number | undefined {
    Atomics.wait(this.flags, ORDER, seen);
    const order = Atomics.load(this.flags, ORDER);
    return order < 0 ? undefined : order;
  }

  order(): LaunchOrder {
    return JSON.parse(Buffer.from(this.orderText.slice(0, this.flags[LENGTH] ?? 0)).toString()) as LaunchOrder;
  }

  get stopped(): boolean {
    return Atomics.load(this.flags, STOP) !== 0;
  }

  /** Pilot thread: the scores of `count` more places are there. */
  ready(count: number): void {
    Atomics.add(this.flags, READY, count);
    Atomics.notify(this.flags, READY);
  }

  /** Pilot thread: done with an order. */
  settled(order: number): void {
    Atomics.store(this.flags, SETTLED, order);
    Atomics.notify(this.flags, SETTLED);
  }

  /** Any thread: no more scores will come. @param error as FailureNote.write */
  fail(error: unknown): void {
    this.note.write(error);
    for (const flag of [READY, SETTLED]) Atomics.notify(this.flags, flag);
  }

  /** Why no more scores will come, where that is so. */
  get failure(): Reason | undefined {
    return this.note.read();
  }

  /** Engine thread: asks the pilot thread to end. */
  close(): void {
    Atomics.store(this.flags, STOP, 1);
    Atomics.store(this.flags, ORDER, -1);
    Atomics.notify(this.flags, ORDER);
  }

  private waitFor(flag: typeof READY | typeof SETTLED, least: number): void {
    for (let spins = 0; ; spins++) {
      const value = Atomics.load(this.flags, flag);
      if (value >= least) return;
      const { failure } = this;
      if (failure !== undefined) throw new PilotFault(english(failure));
      const patience = Atomics.load(this.flags, PATIENCE) || PATIENCE_MS;
      if (spins > SPINS && Atomics.wait(this.flags, flag, value, patience) === 'timed-out') {
        Atomics.store(this.flags, HUNG, 1);
        this.fail(phrase`It did not answer for ${Math.round(patience / 100) / 10} seconds.`);
      }
    }
  }
}
