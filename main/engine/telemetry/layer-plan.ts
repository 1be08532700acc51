/** A layer of the last prompt as the planner would run it on a device, by a cost table. */
import type { LayerPlan, PlanRequest } from '../../../contract/trace.ts';
import { type CostTable, npuCost, planHeads } from '../attention/planner/costs.ts';
import { plan } from '../attention/planner/plan.ts';
import { launchCost, timeline } from '../attention/planner/timeline.ts';
import { NEVER, ratioOf, ruleFor } from '../attention/rules.ts';
import type { LoadedModel } from '../session/loaded-model.ts';

/** undefined where nothing has been answered, or that attention chooses no keys. */
export function layerPlanOf(
  { answered, shared }: LoadedModel,
  { layer, keys, planned }: Omit<PlanRequest, 'costs'>,
  costs: CostTable,
): LayerPlan | undefined {
  const { nHead, nLayer } = shared.shape;
  if (answered === undefined || layer >= nLayer || answered.attention.mode !== 'shadow') return undefined;
  const rule = ruleFor(answered.attention, NEVER);
  const ratios = new Float32Array(shared.headRatios);
  const settings = Array.from({ length: nHead }, (_, head) => ({
    bucket: 0,
    ratio: ratioOf(rule, ratios, layer * nHead + head),
  }));
  const heads = planHeads(costs, settings, keys, rule.minKeys);
  const npu = npuCost(costs, keys);
  const { source, simulated } = costs;
  if (planned) {
    const { instance, launches, makespan } = plan(heads, npu);
    const times = timeline(instance, launches).map(({ id, ...stages }) => ({ head: id, ...stages }));
    return { source, simulated, makespan, heads: times };
  }
  // One head after the other, and within a head one stage after the other.
  const pilotMs = launchCost({ npu }, 1);
  let now = 0;
  const next = (ms: number) => {
    const start = now;
    now += ms;
    return { start, end: now };
  };
  const times = heads.map(({ id, topk, qkv }) => ({
    head: id,
    pilot: next(pilotMs),
    topk: next(topk),
    qkv: next(qkv),
  }));
  return { source, simulated, makespan: now, heads: times };
}
