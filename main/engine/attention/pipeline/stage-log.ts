/**
 * When each stage of each head ran: a ring in shared memory that every thread writes its own records of, at the cost of a
 * few stores. Never read by the pipeline itself.
 */

export interface StageRecord {
  layer: number;
  /** First of `heads` query heads that the record is about; a device's heads have a record each. */
  head: number;
  heads: number;
  /** Positions of the queries: first of the pass, first of the record's rows, and their number. */
  nPast: number;
  firstRow: number;
  rows: number;
  bucket: number;
  /** Share of the visible keys that the head was to keep, and kept keys of all rows. */
  ratio: number;
  kept: number;
  /**
   * Milliseconds since the request began. Launch: inputs are gathered; pilot: the device computes. The fused path does a few
   * rows at a time, stage by stage: its spans are the sums of each stage's pieces, put one after the other.
   */
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
const FIELDS = 16;

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
      record.heads,
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
      heads: value(2),
      nPast: value(3),
      firstRow: value(4),
      rows: value(5),
      bucket: value(6),
      ratio: value(7),
      kept: value(8),
      launch: span(9, 10),
      pilot: span(10, 11),
      topk: span(12, 13),
      qkv: span(14, 15),
    };
  }
}
