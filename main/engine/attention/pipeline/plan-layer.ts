/** The plan of a layer from what is known of its heads: launches in their order, each with its heads in theirs. */
import { type CostTable, npuCost, planHeads } from '../planner/costs.ts';
import { plan } from '../planner/plan.ts';
import type { AttentionRule } from '../rules.ts';

/**
 * @param heads bucket of each head of the layer, and the share of the keys that it keeps
 * @param keys visible to the last query
 */
export function planLayer(
  heads: readonly { bucket: number; ratio: number }[],
  keys: number,
  costs: CostTable,
  rule: Pick<AttentionRule, 'pipeline' | 'fuse' | 'minKeys'>,
): number[][] {
  const { fuse, pipeline, minKeys } = rule;
  const { launches } = plan(planHeads(costs, heads, keys, minKeys), npuCost(costs, keys), { fuse, pipeline });
  return launches.map((launch) => [...launch.heads]);
}
