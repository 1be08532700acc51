/**
 * How much of an answer the processor has computed, by part: counters in shared memory that every thread adds to, at the cost
 * of two atomic additions a call. Devices are counted by who drives them. Read once, when the answer has ended.
 */
import type { Work } from '../../../contract/engine.ts';

type Part = Work['part'];

/** Order of the counters, and of what `read` returns. */
const PARTS: readonly Part[] = ['linear', 'pilot', 'topk', 'sparse', 'dense', 'decode'];
const NANOSECONDS = 1e6;
const HEADER = 8;

export const WORK_METER_BYTES = HEADER + PARTS.length * 12;

export class WorkMeter {
  /** 1 while generated tokens are computed: all work is then that of `decode`. */
  private readonly phase: Int32Array;
  private readonly nanoseconds: BigInt64Array;
  private readonly launches: Int32Array;

  constructor(buffer: SharedArrayBuffer) {
    this.phase = new Int32Array(buffer, 0, 1);
    this.nanoseconds = new BigInt64Array(buffer, HEADER, PARTS.length);
    this.launches = new Int32Array(buffer, HEADER + PARTS.length * 8, PARTS.length);
  }

  /** Engine thread, between passes: counts from zero. */
  begin(): void {
    this.nanoseconds.fill(0n);
    this.launches.fill(0);
    this.decoding = false;
  }

  get decoding(): boolean {
    return Atomics.load(this.phase, 0) === 1;
  }

  /** Engine thread, between passes. */
  set decoding(decoding: boolean) {
    Atomics.store(this.phase, 0, decoding ? 1 : 0);
  }

  /** Any thread: `ms` of work in `launches` calls of a graph or kernel. */
  add(part: Part, ms: number, launches: number): void {
    const index = PARTS.indexOf(this.decoding ? 'decode' : part);
    Atomics.add(this.nanoseconds, index, BigInt(Math.round(ms * NANOSECONDS)));
    Atomics.add(this.launches, index, launches);
  }

  /** What the processor did since `begin`, without the parts that it did nothing of. */
  read(): Work[] {
    return PARTS.map((part, index) => ({
      part,
      device: 'CPU',
      launches: Atomics.load(this.launches, index),
      ms: Number(Atomics.load(this.nanoseconds, index)) / NANOSECONDS,
    })).filter(({ launches }) => launches > 0);
  }
}
