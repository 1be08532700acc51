/** Comparisons: one prompt answered in several ways, and the speed of prompts over their length; what both gave is kept. */
import * as v from 'valibot';
import { Agreement, AnswerFigures, AttentionOptions, Trial, WeightFlavour } from './engine.ts';
import { ErrorInfo } from './errors.ts';
import { count, id, nothing, time } from './fields.ts';

/** A way to answer. */
export const Variant = v.object({
  attention: AttentionOptions,
  /** Everything on the processor, whatever the model is placed on. */
  onProcessor: v.optional(v.boolean()),
});
export type Variant = v.InferOutput<typeof Variant>;

/** Full attention comes first: the others are compared with it. */
export const Variants = v.pipe(
  v.array(Variant),
  v.minLength(2),
  v.maxLength(5),
  v.check(([first]) => first?.attention.mode === 'full'),
);

export const MOST_VARIANTS = 5;

/** What is asked: a text as it is, or a question about a document of the library. */
export const CompareSource = v.variant('kind', [
  v.object({ kind: v.literal('text'), text: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(400_000)) }),
  v.object({
    kind: v.literal('document'),
    documentId: id,
    question: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(10_000)),
  }),
]);
export type CompareSource = v.InferOutput<typeof CompareSource>;

/** Tokens of an answer that is compared. */
export const AnswerLength = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1024));

/** What the prompt will be. */
export const ComparePlan = v.object({
  promptTokens: count,
  /** Only so many tokens of the text fit, of how many; absent where it fits whole. */
  cut: v.optional(v.object({ used: count, of: count })),
});
export type ComparePlan = v.InferOutput<typeof ComparePlan>;

export const ComparisonRow = v.object({
  variant: Variant,
  state: v.picklist(['waiting', 'running', 'done', 'stopped', 'failed']),
  text: v.string(),
  /** From here on of rows that are done. */
  figures: v.optional(AnswerFigures),
  peakBytes: v.optional(Trial.entries.peakBytes),
  /** Absent for full attention itself, and where that could not answer. */
  agreement: v.optional(Agreement),
  error: v.optional(ErrorInfo),
});
export type ComparisonRow = v.InferOutput<typeof ComparisonRow>;

const kept = {
  id,
  createdAt: time,
  /** 'stopped' keeps what was done. */
  state: v.picklist(['running', 'stopped', 'complete', 'failed']),
  model: v.string(),
  weights: WeightFlavour,
  /** Processor, cores and system that it was measured on. */
  machine: v.string(),
  error: v.optional(ErrorInfo),
};

export const Comparison = v.object({
  kind: v.literal('answers'),
  ...kept,
  /** The text, or the question about the document. */
  question: v.string(),
  documentName: v.optional(v.string()),
  ...ComparePlan.entries,
  maxTokens: AnswerLength,
  rows: v.array(ComparisonRow),
});
export type Comparison = v.InferOutput<typeof Comparison>;

/** Prompts of growing length under full and shadow attention. */
export const CurveMode = v.picklist(['full', 'shadow']);
export type CurveMode = v.InferOutput<typeof CurveMode>;

export const CurvePoint = v.object({ mode: CurveMode, tokens: count, seconds: v.pipe(v.number(), v.minValue(0)) });
export type CurvePoint = v.InferOutput<typeof CurvePoint>;

export const Curve = v.object({
  kind: v.literal('curve'),
  ...kept,
  /** Tokens of the prompts, ascending. */
  lengths: v.array(count),
  /** Mean share of the keys that shadow attention kept. */
  ratio: v.number(),
  points: v.array(CurvePoint),
});
export type Curve = v.InferOutput<typeof Curve>;

export const KeptComparison = v.variant('kind', [Comparison, Curve]);
export type KeptComparison = v.InferOutput<typeof KeptComparison>;

/** What a list shows. */
export const ComparisonEntry = v.object({
  id,
  kind: v.picklist(['answers', 'curve']),
  /** The beginning of what was asked; of a curve empty. */
  title: v.string(),
  createdAt: time,
  state: kept.state,
});
export type ComparisonEntry = v.InferOutput<typeof ComparisonEntry>;

/** Characters of a question in the list. */
const LONGEST_TITLE = 120;

export function comparisonEntry(comparison: KeptComparison): ComparisonEntry {
  const { id: ownId, kind, createdAt, state } = comparison;
  const question = comparison.kind === 'answers' ? comparison.question : '';
  return { id: ownId, kind, createdAt, state, title: question.replaceAll(/\s+/gu, ' ').slice(0, LONGEST_TITLE) };
}

/** What rows are compared by, in the order of their columns. */
export const COMPARED_FIGURES = ['firstToken', 'prefill', 'decode', 'memory', 'energy', 'top1', 'kl'] as const;
export type ComparedFigure = (typeof COMPARED_FIGURES)[number];

/** Milliseconds, tokens a second, bytes, joules, a share, nats; undefined where it was not measured. */
export function comparedFigures({
  figures,
  peakBytes,
  agreement,
}: ComparisonRow): Record<ComparedFigure, number | undefined> {
  return {
    firstToken: figures?.firstTokenMs,
    prefill: figures?.prefill.tokensPerSecond,
    // The first token comes with the prompt: without a second one nothing was decoded.
    decode: figures !== undefined && figures.completionTokens > 1 ? figures.decode.tokensPerSecond : undefined,
    memory: peakBytes,
    energy: figures?.energy?.joules,
    top1: agreement?.top1,
    kl: agreement?.kl,
  };
}

/**
 * Whether attention that drops keys kept every one of them: choosing among few keys takes longer than attending to all, which
 * the engine knows of this machine. False where it is not known.
 */
export function keptEveryKey({ attention, work }: AnswerFigures): boolean {
  return attention.mode === 'shadow' && work !== undefined && !work.some(({ part }) => part === 'sparse');
}

export const CurvePlan = v.object({
  lengths: v.array(count),
  seconds: count,
  /** Whether `seconds` comes from speeds that were measured here, or is a guess. */
  measured: v.boolean(),
});
export type CurvePlan = v.InferOutput<typeof CurvePlan>;

const asked = { source: CompareSource, maxTokens: AnswerLength };

export const compareChannels = {
  /** Throws 'model-missing' where no model is loaded. */
  'compare.plan': { request: v.object(asked), response: ComparePlan },
  /** Returns at once; rows follow as events. Throws 'engine-busy' while another comparison runs. */
  'compare.start': { request: v.object({ ...asked, variants: Variants }), response: Comparison },
  'compare.plan-curve': { request: nothing, response: CurvePlan },
  'compare.start-curve': { request: nothing, response: Curve },
  /** Keeps what is done. */
  'compare.stop': { request: v.object({ comparisonId: id }), response: nothing },
  /** The last one first. */
  'compare.list': { request: nothing, response: v.array(ComparisonEntry) },
  'compare.get': { request: v.object({ comparisonId: id }), response: KeptComparison },
  'compare.remove': { request: v.object({ comparisonId: id }), response: nothing },
  /** Asks where to, and writes. Answers with the file's name, or null where the user thought better of it. */
  'compare.export': {
    request: v.object({ comparisonId: id, format: v.picklist(['html', 'png', 'json']) }),
    response: v.nullable(v.string()),
  },
} as const;
export type CompareChannel = keyof typeof compareChannels;

export const compareEvents = [
  /** It changed as a whole: a row or a point came, the state changed. */
  v.object({ type: v.literal('comparison'), comparison: KeptComparison }),
  v.object({ type: v.literal('comparison-removed'), comparisonId: id }),
  /** How far a row, or a point of the curve, is: prompt tokens that were read, or text that is new at `offset`. */
  v.object({
    type: v.literal('comparison-progress'),
    comparisonId: id,
    row: count,
    prefill: v.optional(v.object({ done: count, total: count })),
    tokensPerSecond: v.pipe(v.number(), v.minValue(0)),
    offset: count,
    delta: v.string(),
  }),
] as const;
