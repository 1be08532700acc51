/**
 * One thread's pen: notes pieces of work in the answer's sums and, while the prompt is computed, as spans of the trace. The
 * stages of a task follow each other without gaps: what lies before a call, up to the stage before it or the task's beginning,
 * is its preparation and counted to it, and what comes last to the last.
 */
import type { Work } from '../../../contract/engine.ts';
import type { Stage } from '../../../contract/trace.ts';
import { type SpanPlace, stageClock, TraceLog } from './trace-log.ts';
import { WorkMeter } from './work-meter.ts';

/** The part of an answer's work that a stage on the processor belongs to. */
const PART = {
  linear: 'linear',
  codes: 'pilot',
  pilot: 'pilot',
  topk: 'topk',
  sparse: 'sparse',
  dense: 'dense',
} as const satisfies Partial<Record<Stage, Work['part']>>;

type ProcessorStage = keyof typeof PART;

export class StageRecorder {
  private readonly meter: WorkMeter;
  private readonly log: TraceLog;
  private readonly lane: number;
  /** Where the next stage begins; undefined outside a task. */
  private from: number | undefined;
  /** The stage that the task has done last. */
  private last: { stage: ProcessorStage; span: number | undefined } | undefined;

  /** @param lane of the calling thread */
  constructor(model: { work: SharedArrayBuffer; trace: SharedArrayBuffer }, lane: number) {
    this.meter = new WorkMeter(model.work);
    this.log = new TraceLog(model.trace);
    this.lane = lane;
  }

  /** Runs a task: what the thread is busy with. Stages are noted within. */
  task(run: () => void): void {
    const start = stageClock();
    this.from = start;
    this.last = undefined;
    run();
    this.close(start);
  }

  /** Runs `call`, which is one call of a graph or kernel. */
  time(stage: ProcessorStage, place: SpanPlace, call: () => void): void {
    call();
    this.add(stage, place, stageClock());
  }

  /** A stage has ended, by `stageClock`. @param launches calls of a graph or kernel */
  add(stage: ProcessorStage, place: SpanPlace, end: number, launches = 1): void {
    const { from = end } = this;
    this.meter.add(PART[stage], end - from, launches);
    const span = this.meter.decoding ? undefined : this.log.add(this.lane, stage, place, from, end);
    this.last = { stage, span };
    this.from = end;
  }

  /** Within a task: waits for another thread or a device, which is no work. */
  wait(until: () => void): void {
    const start = stageClock();
    until();
    const end = stageClock();
    this.from = end;
    this.log.addBusy(this.lane, start - end, !this.meter.decoding);
  }

  private close(start: number): void {
    const end = stageClock();
    const { from = end, last } = this;
    this.from = undefined;
    if (last === undefined) return;
    this.meter.add(PART[last.stage], end - from, 0);
    if (last.span !== undefined) this.log.extend(last.span, end);
    this.log.addBusy(this.lane, end - start, !this.meter.decoding);
  }
}
