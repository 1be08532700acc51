/**
 * A traced answer as a file: Chrome's trace event format, which Perfetto opens, with what the format has no place for under
 * `shadownpu`. What is written can be read again.
 */
import * as v from 'valibot';
import { AnswerFigures, type TracedAnswer } from './engine.ts';
import { AppError } from './errors.ts';
import { FACTS, type Span, STAGES, spanAt, TraceLane } from './trace.ts';

const PROCESS = 1;
const MICROSECONDS = 1000;
/** JSON has no NaN. */
const share = v.nullable(v.number());

const TraceEvent = v.object({
  name: v.string(),
  ph: v.string(),
  tid: v.optional(v.number()),
  ts: v.optional(v.number()),
  dur: v.optional(v.number()),
  args: v.optional(v.record(v.string(), v.unknown())),
});

const SpanArgs = v.object({
  layer: v.number(),
  /** Heads that the span is about. */
  heads: v.array(v.number()),
  position: v.number(),
  rows: v.number(),
  kept: v.number(),
  bucket: v.number(),
});

const TraceFile = v.object({
  traceEvents: v.array(TraceEvent),
  displayTimeUnit: v.optional(v.string()),
  shadownpu: v.object({
    format: v.literal(1),
    request: v.number(),
    layers: v.number(),
    heads: v.number(),
    dropped: v.number(),
    lanes: v.array(TraceLane),
    plannedShare: v.array(share),
    keptShare: v.array(share),
    importance: v.optional(v.array(v.number())),
    figures: AnswerFigures,
  }),
});
export type TraceFile = v.InferOutput<typeof TraceFile>;

/** The file's content, for JSON.stringify. */
export function toTraceFile({ trace, figures }: TracedAnswer): TraceFile {
  const { request, layers, heads, dropped, lanes } = trace;
  const nullable = (values: Float32Array) => Array.from(values, (value) => (Number.isNaN(value) ? null : value));
  return {
    displayTimeUnit: 'ms',
    traceEvents: [
      { name: 'process_name', ph: 'M', args: { name: `${figures.model}: ${figures.promptTokens} tokens` } },
      ...lanes.map(({ lane, kind, name }) => ({
        name: 'thread_name',
        ph: 'M',
        tid: lane,
        args: { name: laneName(kind, name) },
      })),
      ...spanEvents(trace),
    ].map((event) => ({ pid: PROCESS, ...event })),
    shadownpu: {
      format: 1,
      request,
      layers,
      heads,
      dropped,
      lanes,
      plannedShare: nullable(trace.plannedShare),
      keptShare: nullable(trace.keptShare),
      ...(trace.importance === undefined ? {} : { importance: Array.from(trace.importance) }),
      figures,
    },
  };
}

/** Throws AppError 'bad-input' where it is not a file that `toTraceFile` has made. */
export function fromTraceFile(json: unknown): TracedAnswer {
  const parsed = v.safeParse(TraceFile, json);
  if (!parsed.success) {
    throw new AppError('bad-input', 'This file is not a trace that this program has written.', {
      action: 'Choose a file that "cli trace" or the pipeline page has saved.',
      detail: v.summarize(parsed.issues).slice(0, 500),
    });
  }
  const { traceEvents, shadownpu } = parsed.output;
  const { figures, format: _, importance, ...rest } = shadownpu;
  const facts: number[] = [];
  const times: number[] = [];
  for (const { name, ph, tid = 0, ts = 0, dur = 0, args } of traceEvents) {
    const stage = (STAGES as readonly string[]).indexOf(name);
    const about = v.safeParse(SpanArgs, args);
    if (ph !== 'X' || stage < 0 || !about.success) continue;
    const { layer, heads, position, rows, kept, bucket } = about.output;
    for (const [head, count] of runs(heads)) {
      facts.push(stage, tid, layer, head, count, position, rows, kept, bucket);
      times.push(ts / MICROSECONDS, (ts + dur) / MICROSECONDS);
    }
  }
  const shares = (values: readonly (number | null)[]) => Float32Array.from(values, (value) => value ?? Number.NaN);
  return {
    trace: {
      ...rest,
      plannedShare: shares(rest.plannedShare),
      keptShare: shares(rest.keptShare),
      ...(importance === undefined ? {} : { importance: Float32Array.from(importance) }),
      facts: Int32Array.from(facts),
      times: Float64Array.from(times),
    },
    figures,
  };
}

function laneName(kind: TraceLane['kind'], name: string): string {
  if (kind === 'engine') return 'engine thread';
  return kind === 'worker' ? `worker ${name}` : `${name} (${kind})`;
}

/** The heads of a launch have a span each in a trace, and one event together. */
function spanEvents(trace: TracedAnswer['trace']): TraceFile['traceEvents'] {
  const events: TraceFile['traceEvents'] = [];
  let open: { span: Span; heads: number[] } | undefined;
  for (let i = 0; i < trace.facts.length / FACTS.length; i++) {
    const span = spanAt(trace, i);
    const own = Array.from({ length: span.heads }, (_, head) => span.head + head);
    const { span: first } = open ?? {};
    if (open !== undefined && first !== undefined && isSameLaunch(first, span)) {
      open.heads.push(...own);
      continue;
    }
    const heads = own;
    open = { span, heads };
    const { layer, position, rows, kept, bucket, start, end } = span;
    events.push({
      name: STAGES[span.stage] ?? 'unknown',
      ph: 'X',
      tid: span.lane,
      ts: start * MICROSECONDS,
      dur: (end - start) * MICROSECONDS,
      args: { layer, heads, position, rows, kept, bucket },
    });
  }
  return events;
}

function isSameLaunch(one: Span, other: Span): boolean {
  return one.lane === other.lane && one.stage === other.stage && one.start === other.start && one.end === other.end;
}

/** Consecutive heads as [first, count]; one that is about no head at all for none. */
function runs(heads: readonly number[]): [number, number][] {
  if (heads.length === 0) return [[0, 0]];
  const found: [number, number][] = [];
  for (const head of heads) {
    const last = found.at(-1);
    if (last !== undefined && last[0] + last[1] === head) last[1] += 1;
    else found.push([head, 1]);
  }
  return found;
}
