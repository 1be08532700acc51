/**
 * How the engine thread gives work to the workers: one job at a time on shared memory. The engine thread writes the job's
 * fields, then opens its tasks by setting `open` to their number; every thread takes a task by decrementing it, so a late
 * thread finds nothing left (<= 0) and never sees a half-written job. The engine thread works too and then waits until
 * `done` equals the number of tasks.
 */
import type { AttentionPass } from './pass.ts';

export type Job =
  | { kind: 'linear'; block: number; rows: number; tasks: number }
  | { kind: 'prepare' | 'attend' | 'decode' | 'pilot-codes'; pass: AttentionPass; tasks: number }
  /** Heads from a place of the plan on, tile after tile. */
  | { kind: 'pilot-attend'; pass: AttentionPass; place: number; tasks: number };

const GENERATION = 0; // counts jobs; what idle workers wait on; -1 asks them to end
const OPEN = 1; // tasks not yet taken
const DONE = 2; // tasks finished
const FAILED = 3; // length of the error text, 0 while all is well
const SERIAL = 4; // counts job texts
const LENGTH = 5; // bytes of the job's text
const FLAGS = 6;
const TEXT_BYTES = 1024;
/** Checks of a flag before a thread goes to sleep; about as long as a wake-up costs. */
const SPINS = 4000;

export class JobBoard {
  readonly buffer: SharedArrayBuffer;
  private readonly flags: Int32Array;
  private readonly jobText: Uint8Array;
  private readonly errorText: Uint8Array;
  /** The job this thread read last, and its serial number. */
  private read: { serial: number; job: Job } | undefined;

  constructor(buffer = new SharedArrayBuffer(FLAGS * 4 + 2 * TEXT_BYTES)) {
    this.buffer = buffer;
    this.flags = new Int32Array(buffer, 0, FLAGS);
    this.jobText = new Uint8Array(buffer, FLAGS * 4, TEXT_BYTES);
    this.errorText = new Uint8Array(buffer, FLAGS * 4 + TEXT_BYTES, TEXT_BYTES);
  }

  /** Engine thread: opens a job and wakes the workers. */
  post(job: Job): void {
    const text = Buffer.from(JSON.stringify(job));
    this.jobText.set(text);
    this.flags[LENGTH] = text.length;
    Atomics.add(this.flags, SERIAL, 1);
    Atomics.store(this.flags, DONE, 0);
    Atomics.store(this.flags, OPEN, job.tasks);
    Atomics.add(this.flags, GENERATION, 1);
    Atomics.notify(this.flags, GENERATION);
  }

  /** Any thread: does tasks of the open job until none is left. */
  work(run: (job: Job, task: number) => void): void {
    for (;;) {
      const taken = Atomics.sub(this.flags, OPEN, 1);
      if (taken <= 0) return;
      const job = this.job();
      try {
        run(job, job.tasks - taken);
      } catch (error) {
        this.fail(error);
      }
      Atomics.add(this.flags, DONE, 1);
      Atomics.notify(this.flags, DONE);
    }
  }

  /** Engine thread: waits for the tasks that workers took. Throws the first error of any of them. */
  finish(tasks: number): void {
    for (let spins = 0; ; spins++) {
      const done = Atomics.load(this.flags, DONE);
      if (done === tasks) break;
      if (spins > SPINS) Atomics.wait(this.flags, DONE, done);
    }
    const length = Atomics.exchange(this.flags, FAILED, 0);
    if (length > 0) throw new Error(Buffer.from(this.errorText.slice(0, length)).toString());
  }

  /** Worker: waits for a job newer than `seen`. @returns its generation, or undefined when the worker shall end */
  next(seen: number): number | undefined {
    for (let spins = 0; ; spins++) {
      const generation = Atomics.load(this.flags, GENERATION);
      if (generation < 0) return undefined;
      if (generation !== seen) return generation;
      if (spins > SPINS) Atomics.wait(this.flags, GENERATION, seen);
    }
  }

  /** Engine thread: asks the workers to end. */
  close(): void {
    Atomics.store(this.flags, GENERATION, -1);
    Atomics.notify(this.flags, GENERATION);
  }

  /** The open job. It cannot change while one of its tasks is taken and not done. */
  private job(): Job {
    const serial = Atomics.load(this.flags, SERIAL);
    if (this.read?.serial !== serial) {
      const text = Buffer.from(this.jobText.slice(0, this.flags[LENGTH] ?? 0)).toString();
      this.read = { serial, job: JSON.parse(text) as Job };
    }
    return this.read.job;
  }

  private fail(error: unknown): void {
    const bytes = Buffer.from(error instanceof Error ? error.message : String(error)).subarray(0, TEXT_BYTES);
    // Only the first error is kept: the others mostly follow from it.
    if (Atomics.compareExchange(this.flags, FAILED, 0, Math.max(bytes.length, 1)) === 0) this.errorText.set(bytes);
  }
}
