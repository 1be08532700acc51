/**
 * When each stage ran: a ring of spans in shared memory that every thread of the engine writes its own of, at the cost of a
 * few stores. Read between requests; never by what computes.
 */
import { FACTS, type SpanFacts, STAGES, type Stage, TIMES } from '../../../contract/trace.ts';

/** Spans that are kept: a prompt of 8192 tokens of a model with 30 layers of 9 heads makes about 46,000. */
const SPANS = 65_536;
/** Threads, and the devices behind them. */
const LANES = 64;
export const PILOT_LANE = LANES - 1;
export const LINEAR_LANE = LANES - 2;
/** Lane of the engine thread; workers follow. */
export const ENGINE_LANE = 0;

const HEADER = 16;
const BUSY = HEADER;
const WORKED = BUSY + LANES * 8;
const TIME_AT = WORKED + LANES * 8;
const FACT_AT = TIME_AT + SPANS * TIMES * 8;
export const TRACE_LOG_BYTES = FACT_AT + SPANS * FACTS.length * 4;

/** Milliseconds on a clock that all threads share; performance.now() counts from each thread's own start. */
export function stageClock(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}

/** What a span is about; what is left out is 0. */
export type SpanPlace = Partial<Omit<SpanFacts, 'stage' | 'lane'>>;

export class TraceLog {
  private readonly buffer: SharedArrayBuffer;
  /** Spans written since the request began; 1 where none are to be. */
  private readonly count: Int32Array;
  private readonly origin: Float64Array;
  /** Milliseconds at work of each lane; a lane is written by its own thread only. */
  private readonly busy: Float64Array;
  /** The same since the model was loaded, generated tokens included. */
  private readonly worked: Float64Array;
  private readonly times: Float64Array;
  private readonly facts: Int32Array;

  constructor(buffer: SharedArrayBuffer) {
    this.buffer = buffer;
    this.count = new Int32Array(buffer, 0, 2);
    this.origin = new Float64Array(buffer, 8, 1);
    this.busy = new Float64Array(buffer, BUSY, LANES);
    this.worked = new Float64Array(buffer, WORKED, LANES);
    this.times = new Float64Array(buffer, TIME_AT, SPANS * TIMES);
    this.facts = new Int32Array(buffer, FACT_AT, SPANS * FACTS.length);
  }

  /** Engine thread, between passes: forgets all spans; times count from now. */
  begin(): void {
    Atomics.store(this.count, 0, 0);
    this.busy.fill(0);
    this.origin[0] = stageClock();
  }

  /** Engine thread, between requests: what is returned puts the spans of the last request back after other ones. */
  keep(): () => void {
    const parts = [new Uint8Array(this.buffer, 0, WORKED), new Uint8Array(this.buffer, TIME_AT)];
    const copies = parts.map((part) => part.slice());
    return () => {
      for (const [i, part] of parts.entries()) part.set(copies[i] ?? []);
    };
  }

  /** Engine thread, between passes: whether a request leaves a trace. It does unless this is set to false. */
  set enabled(enabled: boolean) {
    Atomics.store(this.count, 1, enabled ? 0 : 1);
  }

  /**
   * Any thread, of its own lane or of a device that it drives. Times are of `stageClock`.
   * @returns the span, for `extend`; undefined where it was not written
   */
  add(lane: number, stage: Stage, place: SpanPlace, start: number, end: number): number | undefined {
    if (this.count[1] === 1) return undefined;
    const index = Atomics.add(this.count, 0, 1) % SPANS;
    this.times[index * TIMES] = start;
    this.times[index * TIMES + 1] = end;
    const { facts } = this;
    let at = index * FACTS.length;
    facts[at++] = STAGES.indexOf(stage);
    facts[at++] = lane;
    facts[at++] = place.layer ?? 0;
    facts[at++] = place.head ?? 0;
    facts[at++] = place.heads ?? 0;
    facts[at++] = place.position ?? 0;
    facts[at++] = place.rows ?? 0;
    facts[at++] = place.kept ?? 0;
    facts[at] = place.bucket ?? 0;
    return index;
  }

  /** The thread that wrote a span: it has ended later. */
  extend(span: number, end: number): void {
    this.times[span * TIMES + 1] = end;
  }

  /** The lane's thread, or the one that drives its device. @param prompt whether the work was on a prompt */
  addBusy(lane: number, ms: number, prompt: boolean): void {
    this.worked[lane] = this.workedMs(lane) + ms;
    if (prompt && this.count[1] === 0) this.busy[lane] = this.busyMs(lane) + ms;
  }

  /** At work since the model was loaded. */
  workedMs(lane: number): number {
    return this.worked[lane] ?? 0;
  }

  /** At work on the prompt of the request. */
  busyMs(lane: number): number {
    return this.busy[lane] ?? 0;
  }

  /** The last spans, oldest first, times from the beginning of the request; and how many there were before them. */
  read(): { dropped: number; facts: Int32Array<ArrayBuffer>; times: Float64Array<ArrayBuffer> } {
    const written = Atomics.load(this.count, 0);
    const length = Math.min(written, SPANS);
    const dropped = written - length;
    const facts = new Int32Array(length * FACTS.length);
    const times = new Float64Array(length * TIMES);
    // The ring from its oldest span on: up to its end, then from its beginning.
    const first = dropped === 0 ? 0 : written % SPANS;
    const tail = Math.min(length, SPANS - first);
    for (const [from, count, to] of [[first, tail, 0] as const, [0, length - tail, tail] as const]) {
      facts.set(this.facts.subarray(from * FACTS.length, (from + count) * FACTS.length), to * FACTS.length);
      times.set(this.times.subarray(from * TIMES, (from + count) * TIMES), to * TIMES);
    }
    const origin = this.origin[0] ?? 0;
    for (let i = 0; i < times.length; i++) times[i] = (times[i] ?? 0) - origin;
    return { dropped, facts, times };
  }
}
