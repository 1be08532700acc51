/** The plan of one layer and chunk: which heads are launched together and in which order. Pure; costs come from outside. */
import { fuseGroups } from './fuse.ts';
import { improve } from './improve.ts';
import { greedy, johnsonOrder, naturalOrder } from './orders.ts';
import { makespan, serialMakespan } from './timeline.ts';
import type { Head, Instance, NpuCost, Plan } from './types.ts';

/**
 * Where the search for a better order ends. Chosen so that planning 32 heads that are all launched alone, the most work
 * there is, stays under a millisecond.
 */
export const MOST_STEPS = 10_000;

export interface PlanOptions {
  /** Ablation: false launches every head alone. */
  fuse?: boolean;
  /** Ablation: false treats all heads as of one bucket, so that any of them share a launch. */
  buckets?: boolean;
  /** Ablation: false runs launches and stages one after the other, so order means nothing and stays natural. */
  pipeline?: boolean;
}

export interface LayerPlan extends Plan {
  instance: Instance;
}

/**
 * Fuses heads and orders them: the shortest of the greedy, the natural and Johnson's order, improved by local search. From
 * Johnson's order, which is mostly the shortest, the search needs few rounds and ends lower than from the greedy one.
 * @throws {RangeError} where `npu` has no cost for a single head
 */
export function plan(heads: readonly Head[], npu: NpuCost, options: PlanOptions = {}): LayerPlan {
  const instance = instanceOf(heads, npu, options);
  const natural = naturalOrder(instance);
  if (options.pipeline === false) return { instance, launches: natural, makespan: serialMakespan(instance) };
  let start = { launches: natural, makespan: makespan(instance, natural) };
  for (const launches of [greedy(instance), johnsonOrder(instance)]) {
    const end = makespan(instance, launches);
    if (end < start.makespan) start = { launches, makespan: end };
  }
  const improved = improve(instance, start.launches, MOST_STEPS);
  return { instance, launches: improved.launches, makespan: improved.makespan };
}

/** What is to be planned: the heads and the groups that the options leave. @throws {RangeError} as `plan` */
export function instanceOf(heads: readonly Head[], npu: NpuCost, { fuse, buckets }: PlanOptions = {}): Instance {
  const sizes = fuse === false ? [1] : Object.keys(npu).map(Number);
  const sorted = buckets === false ? heads.map((head) => ({ ...head, bucket: 0 })) : heads;
  return { heads: sorted, groups: fuseGroups(sorted, sizes), npu };
}
