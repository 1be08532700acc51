/**
 * The attention of the last prompt as a device would do it, by a table of costs: its real layers, passes, ratios and buckets,
 * planned as the engine plans them. Nothing is run, so all of it is simulation.
 */
import type { CostTableFile, Switches, WhatIf, WhatIfRequest } from '../../../contract/what-if.ts';
import { COST_ROWS, type CostTable, lengthTime, npuCost, planHeads } from '../attention/planner/costs.ts';
import { naturalOrder } from '../attention/planner/orders.ts';
import { instanceOf, plan } from '../attention/planner/plan.ts';
import { serialTimeline, timeline } from '../attention/planner/timeline.ts';
import type { Head, Instance, Launch, NpuCost } from '../attention/planner/types.ts';
import { NEVER, ratioOf, ruleFor } from '../attention/rules.ts';
import { headBuckets } from '../calibration/head-buckets.ts';
import { costTable, type Profile } from '../calibration/profile.ts';
import type { LoadedModel } from '../session/loaded-model.ts';

const ALL_ON: Switches = { planner: true, pipeline: true, fuse: true, buckets: true };
const ALL_OFF: Switches = { planner: false, pipeline: false, fuse: false, buckets: true };

interface Pass {
  position: number;
  rows: number;
}

/** undefined where nothing has been answered, that attention chooses no keys, or `profile` is missing and needed. */
export function whatIfOf(model: LoadedModel, request: WhatIfRequest, profile?: Profile): WhatIf | undefined {
  const { answered, shared } = model;
  const table = tableOf(request.costs, profile);
  if (answered === undefined || answered.attention.mode !== 'shadow' || table === undefined) return undefined;
  const { nHead, nLayer } = shared.shape;
  const rule = ruleFor(answered.attention, NEVER);
  const ratios = new Float32Array(shared.headRatios);
  const buckets = model.attentionCalibration && headBuckets(model.attentionCalibration);
  const settings = Array.from({ length: nLayer }, (_, layer) =>
    Array.from({ length: nHead }, (__, head) => ({
      ratio: ratioOf(rule, ratios, layer * nHead + head),
      bucket: buckets?.[layer]?.[head] ?? 0,
    })),
  );
  const passes = passesOf(answered.result.cachedTokens, answered.ids.length, shared.chunkSize);
  const planned = (layer: number, { position, rows }: Pass, switches: Switches): Planned => {
    const keys = position + rows;
    // The device's graphs have a fixed number of rows, the processor does only those that are there.
    const heads = planHeads(table, settings[layer] ?? [], keys, rule.minKeys).map(({ topk, qkv, ...head }) => ({
      ...head,
      topk: (topk * rows) / COST_ROWS,
      qkv: (qkv * rows) / COST_ROWS,
    }));
    return planWith(heads, npuCost(table, keys), switches);
  };
  const layersWith = (switches: Switches) =>
    settings.map((_, layer) => sum(passes.map((pass) => planned(layer, pass, switches).makespan)));
  const layers = layersWith(request.switches);
  const shown = passes[request.pass];
  if (shown === undefined || request.layer >= nLayer) return undefined;
  const { times, makespan, launches } = planned(request.layer, shown, request.switches);
  return {
    deviceSource: request.costs === 'machine' ? table.source : request.costs.source,
    processorSource: request.costs === 'machine' || isWhole(request.costs) ? '' : (profile?.key.cpu ?? ''),
    total: sum(layers),
    allOn: sum(isAllOn(request.switches) ? layers : layersWith(ALL_ON)),
    allOff: sum(layersWith(ALL_OFF)),
    ...(profile === undefined ? {} : { dense: nLayer * nHead * denseMs(profile, passes) }),
    layers,
    passes,
    plan: {
      makespan,
      heads: times.map(({ id, ...stages }) => ({
        head: id,
        launch: launches.findIndex(({ heads }) => heads.includes(id)),
        ...stages,
      })),
    },
  };
}

/** The costs that are asked for, with this machine's stages of the processor where a table has none. */
function tableOf(costs: 'machine' | CostTableFile, profile: Profile | undefined): CostTable | undefined {
  const here = profile && costTable(profile);
  if (costs === 'machine') return here;
  const { name, pilot, topk = here?.topk, qkv = here?.qkv } = costs;
  return topk && qkv && { source: name, simulated: true, pilot, topk, qkv };
}

function isAllOn({ planner, pipeline, fuse, buckets }: Switches): boolean {
  return planner && pipeline && fuse && buckets;
}

function isWhole({ topk, qkv }: CostTableFile): boolean {
  return topk !== undefined && qkv !== undefined;
}

function passesOf(from: number, to: number, chunk: number): Pass[] {
  return Array.from({ length: Math.ceil((to - from) / chunk) }, (_, i) => {
    const position = from + i * chunk;
    return { position, rows: Math.min(chunk, to - position) };
  });
}

interface Planned {
  launches: readonly Launch[];
  times: ReturnType<typeof timeline>;
  makespan: number;
}

function planWith(heads: readonly Head[], npu: NpuCost, { planner, ...options }: Switches): Planned {
  const ordered = (): { instance: Instance; launches: readonly Launch[] } => {
    const instance = instanceOf(heads, npu, options);
    return { instance, launches: naturalOrder(instance) };
  };
  const { instance, launches } = planner ? plan(heads, npu, options) : ordered();
  const times = options.pipeline ? timeline(instance, launches) : serialTimeline(instance, launches);
  return { launches, times, makespan: times.at(-1)?.qkv.end ?? 0 };
}

/** Dense attention of one head to all passes. */
function denseMs({ keys, ms }: Profile, passes: readonly Pass[]): number {
  return sum(passes.map(({ position, rows }) => (lengthTime(keys, ms.full, position + rows) * rows) / COST_ROWS));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
