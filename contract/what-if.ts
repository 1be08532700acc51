/** What the attention of the last prompt would take with a device for its scores, by tables of costs. Nothing of it is run. */
import * as v from 'valibot';
import { AppError } from './errors.ts';
import { count } from './fields.ts';

const ms = v.pipe(v.number(), v.finite(), v.minValue(0));
const ascending = v.check<number[], string>(
  (list) => list.every((value, i) => i === 0 || value > (list[i - 1] ?? 0)),
  'not ascending',
);
const MOST_POINTS = 64;
const lengths = v.pipe(
  v.array(v.pipe(v.number(), v.integer(), v.minValue(1))),
  v.minLength(1),
  v.maxLength(MOST_POINTS),
  ascending,
);
const shares = v.pipe(
  v.array(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
  v.minLength(1),
  v.maxLength(MOST_POINTS),
  ascending,
);

/** Milliseconds a head and 128 queries, [keys][shares of them that are kept]; read between the points. */
const StageCosts = v.pipe(
  v.object({ keys: lengths, shares, ms: v.array(v.array(ms)) }),
  v.check(
    ({ keys, shares: columns, ms: rows }) =>
      rows.length === keys.length && rows.every((row) => row.length === columns.length),
    'the table has another size than keys and shares',
  ),
);

/** A file of costs: resources/cost-tables, or one of the user's own. */
export const CostTableFile = v.object({
  name: v.pipe(v.string(), v.minLength(1), v.maxLength(100)),
  /** Where the times are from, in words. */
  source: v.pipe(v.string(), v.minLength(1), v.maxLength(1000)),
  /** A launch for 128 queries, by the number of heads in it: milliseconds at each of `keys`. */
  pilot: v.pipe(
    v.object({ keys: lengths, ms: v.record(v.pipe(v.string(), v.regex(/^[1-9]\d?$/)), v.array(ms)) }),
    v.check(({ keys, ms: sizes }) => Object.values(sizes).every((row) => row.length === keys.length), 'sizes differ'),
    v.check(({ ms: sizes }) => sizes['1'] !== undefined, 'launches of one head are missing'),
  ),
  /** The processor's stages; absent: as measured on this machine. */
  topk: v.optional(StageCosts),
  qkv: v.optional(StageCosts),
});
export type CostTableFile = v.InferOutput<typeof CostTableFile>;

/** A table from a file's JSON. Throws AppError 'bad-input' where it is none. */
export function readCostTable(json: unknown): CostTableFile {
  const parsed = v.safeParse(CostTableFile, json);
  if (parsed.success) return parsed.output;
  throw new AppError('bad-input', 'This file is not a table of costs.', {
    action: 'Save one of the tables here and change its numbers.',
    detail: v.summarize(parsed.issues).slice(0, 500),
  });
}

/** Parts of the method that can be left out. */
export const Switches = v.object({
  /** Launches in the best order that is found; else as the heads are numbered. */
  planner: v.boolean(),
  /** The device and the processor's stages at the same time; else one after the other. */
  pipeline: v.boolean(),
  /** Several heads in a launch. */
  fuse: v.boolean(),
  /** Only heads of one scale bucket share a launch; else any do, at the price of worse scores. */
  buckets: v.boolean(),
});
export type Switches = v.InferOutput<typeof Switches>;

export const ALL_ON: Switches = { planner: true, pipeline: true, fuse: true, buckets: true };

export const WhatIfRequest = v.object({
  /** This machine's own costs, its core standing for the device, or a table. */
  costs: v.union([v.literal('machine'), CostTableFile]),
  switches: Switches,
  /** The plan that is told in full: of a layer and a pass. */
  layer: count,
  pass: count,
});
export type WhatIfRequest = v.InferOutput<typeof WhatIfRequest>;

const stretch = v.object({ start: ms, end: ms });

export const WhatIf = v.object({
  /** Where the device's times and those of the processor's stages are from, in words. */
  deviceSource: v.string(),
  processorSource: v.string(),
  /** Milliseconds of all layers and passes: with the switches as asked, all on, all off. */
  total: ms,
  allOn: ms,
  allOff: ms,
  /** Dense attention on one core of this machine, where that was measured. */
  dense: v.optional(ms),
  /** Of `total`, [layers]. */
  layers: v.array(ms),
  /** The prompt's passes through the layers. */
  passes: v.array(v.object({ position: count, rows: count })),
  /** Of the layer and pass that were asked for: heads in the order of the plan; those of a launch share their pilot. */
  plan: v.object({
    makespan: ms,
    heads: v.array(v.object({ head: count, launch: count, pilot: stretch, topk: stretch, qkv: stretch })),
  }),
});
export type WhatIf = v.InferOutput<typeof WhatIf>;
