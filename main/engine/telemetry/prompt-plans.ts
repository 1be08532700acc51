/** The plans of a whole prompt, of every layer and pass, by a table of costs. Nothing is run. */
import type { AttentionOptions } from '../../../contract/engine.ts';
import type { Switches } from '../../../contract/what-if.ts';
import { COST_ROWS, type CostTable, npuCost, planHeads } from '../attention/planner/costs.ts';
import { naturalOrder } from '../attention/planner/orders.ts';
import { instanceOf, plan } from '../attention/planner/plan.ts';
import { type HeadTimes, serialTimeline, timeline } from '../attention/planner/timeline.ts';
import type { Head, Instance, Launch, NpuCost } from '../attention/planner/types.ts';
import { NEVER, ratioOf, ruleFor } from '../attention/rules.ts';
import { headBuckets } from '../calibration/head-buckets.ts';
import type { LoadedModel } from '../session/loaded-model.ts';

export interface Pass {
  position: number;
  rows: number;
}

export interface PassPlan {
  launches: readonly Launch[];
  times: readonly HeadTimes[];
  makespan: number;
}

export class PromptPlans {
  readonly passes: readonly Pass[];
  private readonly table: CostTable;
  private readonly minKeys: number;
  /** Share of the keys and bucket of each head, [layers][heads]. */
  private readonly heads: readonly (readonly { ratio: number; bucket: number }[])[];

  /** @param prompt its tokens from `from` to `to`, and how they attend, as `prepareAttention` returned it */
  constructor(
    { shared, attentionCalibration }: LoadedModel,
    { attention, from, to }: { attention: AttentionOptions; from: number; to: number },
    table: CostTable,
  ) {
    const { nHead, nLayer } = shared.shape;
    const rule = ruleFor(attention, NEVER);
    const ratios = new Float32Array(shared.headRatios);
    const buckets = attentionCalibration && headBuckets(attentionCalibration);
    this.table = table;
    this.minKeys = rule.minKeys;
    this.heads = Array.from({ length: nLayer }, (_, layer) =>
      Array.from({ length: nHead }, (__, head) => ({
        ratio: ratioOf(rule, ratios, layer * nHead + head),
        bucket: buckets?.[layer]?.[head] ?? 0,
      })),
    );
    this.passes = passesOf(from, to, shared.chunkSize);
  }

  of(layer: number, { position, rows }: Pass, switches: Switches): PassPlan {
    const keys = position + rows;
    // The device's graphs have a fixed number of rows, the processor does only those that are there.
    const heads = planHeads(this.table, this.heads[layer] ?? [], keys, this.minKeys).map(({ topk, qkv, ...head }) => ({
      ...head,
      topk: (topk * rows) / COST_ROWS,
      qkv: (qkv * rows) / COST_ROWS,
    }));
    return planWith(heads, npuCost(this.table, keys), switches);
  }

  /** Milliseconds of all passes, [layers]. */
  layers(switches: Switches): number[] {
    return this.heads.map((_, layer) =>
      this.passes.reduce((sum, pass) => sum + this.of(layer, pass, switches).makespan, 0),
    );
  }
}

function passesOf(from: number, to: number, chunk: number): Pass[] {
  return Array.from({ length: Math.ceil((to - from) / chunk) }, (_, i) => {
    const position = from + i * chunk;
    return { position, rows: Math.min(chunk, to - position) };
  });
}

function planWith(heads: readonly Head[], npu: NpuCost, { planner, ...options }: Switches): PassPlan {
  const ordered = (): { instance: Instance; launches: readonly Launch[] } => {
    const instance = instanceOf(heads, npu, options);
    return { instance, launches: naturalOrder(instance) };
  };
  const { instance, launches } = planner ? plan(heads, npu, options) : ordered();
  const times = options.pipeline ? timeline(instance, launches) : serialTimeline(instance, launches);
  return { launches, times, makespan: times.at(-1)?.qkv.end ?? 0 };
}
