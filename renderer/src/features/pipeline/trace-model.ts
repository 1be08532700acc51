/** A trace as the screen draws it: passes of the prompt, rows of bars, sums by stage and lane. Pure. */
import {
  FACTS,
  type Span,
  STAGES,
  type Stage,
  spanAt,
  type Trace,
  type TraceLane,
} from '../../../../contract/trace.ts';

/** A chunk of the prompt that went through all layers together. */
export interface Pass {
  readonly position: number;
  readonly rows: number;
}

export interface Bar {
  readonly span: Span;
  readonly stage: Stage;
  /** The heads that it is about: those of a launch that is shared are one bar of each. */
  readonly heads: readonly number[];
}

export interface BarRow {
  readonly key: string;
  readonly label: string;
  /** A line of its own over the rows that follow; it has no bars. */
  readonly heading?: boolean;
  readonly bars: readonly Bar[];
}

/** The spans of the prompt, by their beginning; generated tokens are not shown. */
export function barsOf(trace: Pick<Trace, 'facts' | 'times'>): Bar[] {
  const launches = new Map<string, number[]>();
  const bars = Array.from({ length: trace.facts.length / FACTS.length }, (_, i) => {
    const span = spanAt(trace, i);
    const key = `${span.lane} ${span.stage} ${span.start}`;
    const heads = launches.get(key) ?? [];
    launches.set(key, heads);
    for (let head = span.head; head < span.head + span.heads; head++) heads.push(head);
    return { span, stage: STAGES[span.stage] ?? 'linear', heads };
  });
  return bars.filter(({ stage }) => stage !== 'decode').sort((a, b) => a.span.start - b.span.start);
}

/** Milliseconds that the heads of each layer took, from the first beginning to the last end of each pass, [layers]. */
export function layerTimes(bars: readonly Bar[], { layers }: Pick<Trace, 'layers'>, passes: readonly Pass[]): number[] {
  const extents = Array.from({ length: layers }, () =>
    passes.map(() => [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY] as [number, number]),
  );
  for (const { span, heads } of bars) {
    if (heads.length === 0) continue;
    const extent = extents[span.layer]?.[passes.findIndex((pass) => isIn(span, pass))];
    if (extent === undefined) continue;
    extent[0] = Math.min(extent[0], span.start);
    extent[1] = Math.max(extent[1], span.end);
  }
  return extents.map((passesOfLayer) => passesOfLayer.reduce((sum, [from, to]) => sum + Math.max(0, to - from), 0));
}

/** The passes: each is spanned as a whole before its first layer's attention. */
export function passesOf(bars: readonly Bar[]): Pass[] {
  const first = bars
    .filter(({ stage, span }) => stage === 'linear' && span.layer === 0)
    .map(({ span: { position, rows } }) => ({ position, rows }))
    .sort((a, b) => a.position - b.position || b.rows - a.rows);
  const passes: Pass[] = [];
  for (const each of first) {
    const last = passes.at(-1);
    if (last === undefined || each.position >= last.position + last.rows) passes.push(each);
  }
  return passes;
}

/** A row for each thread and device. */
export function laneRows(
  bars: readonly Bar[],
  lanes: readonly TraceLane[],
  label: (lane: TraceLane) => string,
): BarRow[] {
  return lanes.map((lane) => ({
    key: String(lane.lane),
    label: label(lane),
    bars: bars.filter(({ span }) => span.lane === lane.lane),
  }));
}

/** A row for each thread and device with what it did of a layer's attention in a pass; times count from its beginning. */
export function layerRows(
  bars: readonly Bar[],
  lanes: readonly TraceLane[],
  layer: number,
  pass: Pass,
  label: (lane: TraceLane) => string,
): BarRow[] {
  const own = bars.filter(({ span }) => span.heads > 0 && span.layer === layer && isIn(span, pass));
  const from = Math.min(...own.map(({ span }) => span.start));
  const moved = own.map((bar) => ({
    ...bar,
    span: { ...bar.span, start: bar.span.start - from, end: bar.span.end - from },
  }));
  return laneRows(moved, lanes, label);
}

/** A row for each head of a layer in a pass; a bar that is about several heads stands in each of their rows. */
export function headRows(
  bars: readonly Bar[],
  { heads }: Pick<Trace, 'heads'>,
  layer: number,
  pass: Pass,
  label: (head: number) => string,
): BarRow[] {
  const own = bars.filter(({ span }) => span.heads > 0 && span.layer === layer && isIn(span, pass));
  return Array.from({ length: heads }, (_, head) => ({
    key: String(head),
    label: label(head),
    bars: own.filter(({ span }) => head >= span.head && head < span.head + span.heads),
  }));
}

/** A row for each stage of one head of a layer in a pass. */
export function stageRows(
  bars: readonly Bar[],
  trace: Pick<Trace, 'heads'>,
  layer: number,
  head: number,
  pass: Pass,
  label: (stage: Stage) => string,
): BarRow[] {
  const own = headRows(bars, trace, layer, pass, String)[head]?.bars ?? [];
  return STAGES.filter((stage) => own.some((bar) => bar.stage === stage)).map((stage) => ({
    key: stage,
    label: label(stage),
    bars: own.filter((bar) => bar.stage === stage),
  }));
}

function isIn(span: Span, pass: Pass): boolean {
  return span.position >= pass.position && span.position < pass.position + pass.rows;
}

/** First beginning and last end of bars; undefined where there are none. */
export function extentOf(rows: readonly BarRow[]): [number, number] | undefined {
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { bars } of rows) {
    for (const { span } of bars) {
      from = Math.min(from, span.start);
      to = Math.max(to, span.end);
    }
  }
  return from < to ? [from, to] : undefined;
}

/** Milliseconds of each stage in each lane, in the order of the stages; those that nobody did are left out. */
export function totalsOf(bars: readonly Bar[], lanes: readonly TraceLane[]): { stage: Stage; ms: number[] }[] {
  const seen = new Set<string>();
  const sums = new Map<Stage, number[]>();
  for (const { span, stage } of bars) {
    const index = lanes.findIndex(({ lane }) => lane === span.lane);
    const key = `${span.lane} ${stage} ${span.start} ${span.end}`;
    // The heads of a launch share its time.
    if (index < 0 || seen.has(key)) continue;
    seen.add(key);
    const ms = sums.get(stage) ?? lanes.map(() => 0);
    ms[index] = (ms[index] ?? 0) + span.end - span.start;
    sums.set(stage, ms);
  }
  return STAGES.flatMap((stage) => {
    const ms = sums.get(stage);
    return ms === undefined ? [] : [{ stage, ms }];
  });
}
