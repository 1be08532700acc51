/**
 * When each stage of each head ran: a ring in shared memory that every thread writes its own records of, at the cost of a
 * few stores. Never read by the pipeline itself.
 */

export interface StageRecord {
  layer: number;
  head: number;
  /** Positions of the queries: first of the pass, first of the record's rows, and their number. */
  nPast: number;
  firstRow: number;
  rows: number;
  bucket: number;
  /** Share of the visible keys that the head was to keep, and kept keys of all rows. */
  ratio: number;
  kept: number;
  /** Milliseconds since the request began. Launch: inputs are gathered; pilot: the device computes. */
  launch: StageSpan;
  pilot: StageSpan;
  topk: StageSpan;
  qkv: StageSpan;
}

export interface StageSpan {
  start: number;
  end: number;
}

/** Records that are kept: 32 layers of 32 heads, two tiles each. */
const RECORDS = 2048;
const FIELDS = 15;

export function stageLogBytes(): number {
  return (1 + RECORDS * FIELDS) * 8 + 8;
}

/** Milliseconds on a clock that all threads share; performance.now() counts from each thread's own start. */
export function stageClock(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}

export class StageLog {
  /** Number of records written since the request began. */
  private readonly count: Int32Array;
  private readonly values: Float64Array;

  constructor(buffer: SharedArrayBuffer) {
    this.count = new Int32Array(buffer, 0, 1);
    this.values = new Float64Array(buffer, 8);
  }

  /** Engine thread, between passes: forgets all records; times count from now. */
  begin(): void {
    Atomics.store(this.count, 0, 0);
    this.values[0] = stageClock();
  }

  /** Any thread. Times are of `stageClock`. */
  add(record: StageRecord): void {
    const index = Atomics.add(this.count, 0, 1) % RECORDS;
    const { launch, pilot, topk, qkv } = record;
    let field = 1 + index * FIELDS;
    for (const value of [
      record.layer,
      record.head,
      record.nPast,
      record.firstRow,
      record.rows,
      record.bucket,
      record.ratio,
      record.kept,
      launch.start,
      pilot.start,
      pilot.end,
      topk.start,
      topk.end,
      qkv.start,
      qkv.end,
    ]) {
      this.values[field++] = value;
    }
  }

  /** The last records, oldest first. */
  read(): StageRecord[] {
    const count = Atomics.load(this.count, 0);
    const first = Math.max(0, count - RECORDS);
    return Array.from({ length: count - first }, (_, i) => this.record((first + i) % RECORDS));
  }

  private record(index: number): StageRecord {
    const value = (field: number) => this.values[1 + index * FIELDS + field] ?? Number.NaN;
    const origin = this.values[0] ?? 0;
    const span = (start: number, end: number) => ({ start: value(start) - origin, end: value(end) - origin });
    return {
      layer: value(0),
      head: value(1),
      nPast: value(2),
      firstRow: value(3),
      rows: value(4),
      bucket: value(5),
      ratio: value(6),
      kept: value(7),
      launch: span(8, 9),
      pilot: span(9, 10),
      topk: span(11, 12),
      qkv: span(13, 14),
    };
  }
}
