/** What the engine measured while it computed a prompt: when each thread and device did which stage of which heads. */
import * as v from 'valibot';

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const ms = v.pipe(v.number(), v.minValue(0));

/**
 * Stages of a prompt's layers. `linear`: projections and feed-forward parts; `codes`: INT8 codes of keys and queries; `launch`:
 * a device's inputs are gathered; `pilot`, `topk`, `sparse`: scores, selection and attention over the kept keys; `dense`:
 * attention to all keys. `decode`: one generated token, all of it.
 */
export const STAGES = ['linear', 'codes', 'launch', 'pilot', 'topk', 'sparse', 'dense', 'decode'] as const;
export type Stage = (typeof STAGES)[number];

/**
 * Integers of a span, in their order: index into STAGES; lane; layer (a block of projections has the layer that it leads to,
 * the output matrix the number of layers); first of `heads` query heads (`heads` 0: not about heads); position of the first of
 * `rows` queries; keys that these rows and heads kept together; scale bucket of the pilot.
 */
export const FACTS = ['stage', 'lane', 'layer', 'head', 'heads', 'position', 'rows', 'kept', 'bucket'] as const;
/** A span's times: start and end, in milliseconds since the request began. */
export const TIMES = 2;

/** One span by its place in a trace. */
export type SpanFacts = Record<(typeof FACTS)[number], number>;

/** A thread of the engine, or a device. */
export const TraceLane = v.object({
  lane: count,
  /** `linear` and `pilot`: devices that do these parts. */
  kind: v.picklist(['engine', 'worker', 'linear', 'pilot']),
  /** Number of a worker thread from 1 on, or the device: "simulated" or its id. */
  name: v.string(),
  /** Time at work on the prompt, measured around whole tasks. */
  busyMs: ms,
});
export type TraceLane = v.InferOutput<typeof TraceLane>;

/** A span, read from the arrays of a trace. */
export interface Span extends SpanFacts {
  start: number;
  end: number;
}

export function spanAt({ facts, times }: { facts: Int32Array; times: Float64Array }, index: number): Span {
  const fact = (field: number) => facts[index * FACTS.length + field] ?? 0;
  return {
    stage: fact(0),
    lane: fact(1),
    layer: fact(2),
    head: fact(3),
    heads: fact(4),
    position: fact(5),
    rows: fact(6),
    kept: fact(7),
    bucket: fact(8),
    start: times[index * TIMES] ?? 0,
    end: times[index * TIMES + 1] ?? 0,
  };
}

const typedArrays = {
  int32: v.instance(Int32Array),
  float32: v.instance(Float32Array),
  float64: v.instance(Float64Array),
};

export const Trace = v.object({
  /** Counts the requests of a loaded model, so that a reader knows whether it has this one. */
  request: count,
  layers: count,
  heads: count,
  lanes: v.array(TraceLane),
  /** Spans that were lost because there were too many: the oldest. */
  dropped: count,
  /** [spans, FACTS.length], oldest first. */
  facts: typedArrays.int32,
  /** [spans, TIMES]. Spans of the path that does scores, selection and attention in one call are sums of pieces, laid end to end. */
  times: typedArrays.float64,
  /**
   * Share of the visible keys, [layers, heads], over the prompt's rows that chose keys: what the plan wanted and what was
   * kept; NaN where no row chose.
   */
  plannedShare: typedArrays.float32,
  keptShare: typedArrays.float32,
  /** Importance of each head as calibration found it, [layers, heads]; absent where the model is not calibrated. */
  importance: v.optional(typedArrays.float32),
});
export type Trace = v.InferOutput<typeof Trace>;

/** Heads that are asked about: of one layer or all (null), one head of it or all. */
export const HeadSelection = v.object({ layer: v.nullable(count), head: v.nullable(count) });
export type HeadSelection = v.InferOutput<typeof HeadSelection>;

/** How often the chosen heads kept each token of a prompt, by a sample of its rows. */
export const KeptTokens = v.object({
  request: count,
  /** The prompt's tokens as text; a character that is cut between tokens stands in the last of them. */
  tokens: v.array(v.string()),
  /** Share of the rows that could have kept the token and did, [tokens]; NaN where no row could. */
  share: v.instance(Float32Array),
  /** Rows of the prompt that were counted. */
  rows: count,
});
export type KeptTokens = v.InferOutput<typeof KeptTokens>;
