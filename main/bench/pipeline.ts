/** What each part of the plan is worth: makespans of layers with and without it, computed from cost tables. */

import type { CostTable } from '../engine/attention/planner/costs.ts';
import { npuCost, planHeads } from '../engine/attention/planner/costs.ts';
import { greedy, naturalOrder } from '../engine/attention/planner/orders.ts';
import { instanceOf, plan } from '../engine/attention/planner/plan.ts';
import { makespan } from '../engine/attention/planner/timeline.ts';
import type { Head, NpuCost } from '../engine/attention/planner/types.ts';
import { quantile, ratios, type Spread, spread } from './statistics.ts';

/** Share of the keys that a head keeps and its bucket. */
export interface HeadSetting {
  ratio: number;
  bucket: number;
}

export interface PipelineSetting {
  table: CostTable;
  /** Keys that the chunk's last row sees. */
  keys: number;
  minKeys: number;
  /** Mean ratio, which every head has where ratios are uniform. */
  ratio: number;
  /** [layers][heads] */
  layers: readonly (readonly HeadSetting[])[];
}

export interface PipelineRow {
  device: string;
  simulated: boolean;
  keys: number;
  name: string;
  /** Makespan of a layer, over layers. */
  ms: Spread;
  /** Makespan of a layer over that of the whole method, over layers. */
  vsPlan: Spread;
}

type Variant = (heads: readonly Head[], npu: NpuCost) => number;

const WHOLE = 'shadow';
export const NO_PIPELINE = '--no-pipeline';
const UNIFORM = '--uniform-ratio';

const VARIANTS: Readonly<Record<string, Variant>> = {
  [WHOLE]: (heads, npu) => plan(heads, npu).makespan,
  [NO_PIPELINE]: (heads, npu) => plan(heads, npu, { pipeline: false }).makespan,
  '--no-buckets': (heads, npu) => plan(heads, npu, { buckets: false }).makespan,
  [UNIFORM]: (heads, npu) => plan(heads, npu).makespan,
  '--no-fuse': (heads, npu) => plan(heads, npu, { fuse: false }).makespan,
  'greedy order only': (heads, npu) => {
    const instance = instanceOf(heads, npu);
    return makespan(instance, greedy(instance));
  },
  'natural order': (heads, npu) => {
    const instance = instanceOf(heads, npu);
    return makespan(instance, naturalOrder(instance));
  },
};

/** A row for each variant, the whole method first. */
export function pipelineRows({ table, keys, minKeys, ratio, layers }: PipelineSetting): PipelineRow[] {
  const npu = npuCost(table, keys);
  const times = Object.entries(VARIANTS).map(([name, variant]) => {
    const settings = name === UNIFORM ? layers.map((heads) => heads.map((head) => ({ ...head, ratio }))) : layers;
    return { name, ms: settings.map((heads) => variant(planHeads(table, heads, keys, minKeys), npu)) };
  });
  const whole = times[0]?.ms ?? [];
  return times.map(({ name, ms }) => ({
    device: table.source,
    simulated: table.simulated,
    keys,
    name,
    ms: spread(ms),
    vsPlan: ratios(ms, whole),
  }));
}

/** What the plan wins over no pipeline on each kind of device, at the first number of keys. */
export function pipelineFigures(rows: readonly PipelineRow[]): Record<string, number> {
  const gain = (simulated: boolean) =>
    rows.find((row) => row.simulated === simulated && row.name === NO_PIPELINE)?.vsPlan.median ?? Number.NaN;
  return { planner_gain_simulated: gain(true), planner_gain_measured: gain(false) };
}

/**
 * Milliseconds that planning takes for `count` heads that differ, median over `rounds` plans after as many that warm the
 * compiler. @param fuse false is the most work: every head is a launch
 */
export function planningTime(table: CostTable, count: number, fuse: boolean, rounds = 200): number {
  const npu = npuCost(table, 2048);
  const times = Array.from({ length: 2 * rounds }, (_, round) => {
    // Ratios and buckets in a fixed disorder.
    const settings = Array.from({ length: count }, (_, i) => ({
      ratio: 0.02 + ((i * 37 + round * 11) % 41) / 100,
      bucket: (i * 5 + round) % 3,
    }));
    const heads = planHeads(table, settings, 2048);
    const start = performance.now();
    plan(heads, npu, { fuse });
    return performance.now() - start;
  });
  return quantile(times.slice(rounds), 0.5);
}
