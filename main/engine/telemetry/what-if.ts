/**
 * The attention of the last prompt as a device would do it, by a table of costs: its real layers, passes, ratios and buckets,
 * planned as the engine plans them. Nothing is run, so all of it is simulation.
 */
import {
  ALL_ON,
  type CostTableFile,
  type Switches,
  type WhatIf,
  type WhatIfRequest,
} from '../../../contract/what-if.ts';
import { COST_ROWS, type CostTable, lengthTime } from '../attention/planner/costs.ts';
import { costTable, type Profile } from '../calibration/profile.ts';
import type { LoadedModel } from '../session/loaded-model.ts';
import { type Pass, PromptPlans } from './prompt-plans.ts';

/** Heads one after the other, as they are numbered. */
export const ALL_OFF: Switches = { planner: false, pipeline: false, fuse: false, buckets: true };

/** undefined where nothing has been answered, that attention chooses no keys, or `profile` is missing and needed. */
export function whatIfOf(model: LoadedModel, request: WhatIfRequest, profile?: Profile): WhatIf | undefined {
  const { answered, shared } = model;
  const table = tableOf(request.costs, profile);
  if (answered === undefined || answered.attention.mode !== 'shadow' || table === undefined) return undefined;
  const { nHead, nLayer } = shared.shape;
  const { attention, ids, result } = answered;
  const plans = new PromptPlans(model, { attention, from: result.cachedTokens, to: ids.length }, table);
  const layers = plans.layers(request.switches);
  const { passes } = plans;
  const shown = passes[request.pass];
  if (shown === undefined || request.layer >= nLayer) return undefined;
  const { times, makespan, launches } = plans.of(request.layer, shown, request.switches);
  return {
    deviceSource: request.costs === 'machine' ? table.source : request.costs.source,
    processorSource: request.costs === 'machine' || isWhole(request.costs) ? '' : (profile?.key.cpu ?? ''),
    total: sum(layers),
    allOn: sum(isAllOn(request.switches) ? layers : plans.layers(ALL_ON)),
    allOff: sum(plans.layers(ALL_OFF)),
    ...(profile === undefined ? {} : { dense: nLayer * nHead * denseMs(profile, passes) }),
    layers,
    passes: [...passes],
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

/** Dense attention of one head to all passes. */
function denseMs({ keys, ms }: Profile, passes: readonly Pass[]): number {
  return sum(passes.map(({ position, rows }) => (lengthTime(keys, ms.full, position + rows) * rows) / COST_ROWS));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
