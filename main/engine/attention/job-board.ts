/**
 * How the engine thread gives work to the workers: one job at a time on shared memory. The engine thread writes the job's
 * fields, then opens its tasks by setting `open` to their number; every thread takes a task by decrementing it, so a late
 * thread finds nothing left (<= 0) and never sees a half-written job. The engine thread works too and then waits until
 * `done` equals the number of tasks.
 */
import type { AttentionPass } from './head-attention.ts';

export type Job =
  | { kind: 'linear'; block: number; rows: number; tasks: number }
  | { kind: 'prepare' | 'attend' | 'decode'; pass: AttentionPass; tasks: number };

const KINDS = ['linear', 'prepare', 'attend', 'decode'] as const;

const GENERATION = 0; // counts jobs; what idle workers wait on; -1 asks them to end
const OPEN = 1; // tasks not yet taken
const DONE = 2; // tasks finished
const FAILED = 3; // length of the error text, 0 while all is well
const FIELDS = 8;
const TEXT_BYTES = 1024;
/** Checks of a flag before a thread goes to sleep; about as long as a wake-up costs. */
const SPINS = 4000;

export class JobBoard {
  readonly buffer: SharedArrayBuffer;
  private readonly flags: Int32Array;
  private readonly fields: Float64Array;
  private readonly text: Uint8Array;

  constructor(buffer = new SharedArrayBuffer(4 * 4 + FIELDS * 8 + TEXT_BYTES)) {
    this.buffer = buffer;
    this.flags = new Int32Array(buffer, 0, 4);
    this.fields = new Float64Array(buffer, 16, FIELDS);
    this.text = new Uint8Array(buffer, 16 + FIELDS * 8, TEXT_BYTES);
  }

  /** Engine thread: opens a job and wakes the workers. */
  post(job: Job): void {
    const fields =
      job.kind === 'linear'
        ? [job.block, job.rows, 0, 0, 0, 0, job.tasks]
        : [
            job.pass.layer,
            job.pass.rows,
            job.pass.nPast,
            job.pass.ratio,
            job.pass.minKeys,
            job.pass.denseFrom,
            job.tasks,
          ];
    this.fields.set([KINDS.indexOf(job.kind), ...fields]);
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
      const job = this.read();
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
    if (length > 0) throw new Error(Buffer.from(this.text.slice(0, length)).toString());
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

  private read(): Job {
    const [kind = 0, a = 0, rows = 0, nPast = 0, ratio = 0, minKeys = 0, denseFrom = 0, tasks = 0] = this.fields;
    const name = KINDS[kind] ?? 'linear';
    if (name === 'linear') return { kind: name, block: a, rows, tasks };
    return { kind: name, pass: { layer: a, rows, nPast, ratio, minKeys, denseFrom }, tasks };
  }

  private fail(error: unknown): void {
    const bytes = Buffer.from(error instanceof Error ? error.message : String(error)).subarray(0, TEXT_BYTES);
    // Only the first error is kept: the others mostly follow from it.
    if (Atomics.compareExchange(this.flags, FAILED, 0, Math.max(bytes.length, 1)) === 0) this.text.set(bytes);
  }
}
