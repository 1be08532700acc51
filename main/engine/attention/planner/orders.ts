/** Orders of the launches that are made in one go: the paper's greedy one, the natural one and Johnson's. */
import { launchCost } from './timeline.ts';
import type { Head, Instance, Launch } from './types.ts';

/** The device's clock, topk's and qkv's. */
interface Clocks {
  npu: number;
  topk: number;
  qkv: number;
}

interface Candidate {
  launch: Launch;
  clocks: Clocks;
}

/**
 * The paper's Algorithm 1 (golden/README.md, `greedy`): repeatedly takes the group whose last qkv would end earliest (tie: lower index of the group), with its heads ordered by
 * always taking the one whose qkv would end earliest (tie: lower id).
 */
export function greedy(instance: Instance): Launch[] {
  const heads = new Map(instance.heads.map((head) => [head.id, head]));
  const left = instance.groups.map((ids, group) => ({
    group,
    cost: launchCost(instance, ids.length),
    heads: ids.flatMap((id) => heads.get(id) ?? []).sort((a, b) => a.id - b.id),
  }));
  const launches: Launch[] = [];
  let clocks: Clocks = { npu: 0, topk: 0, qkv: 0 };
  while (left.length > 0) {
    let best: (Candidate & { at: number }) | undefined;
    for (const [at, { group, cost, heads: members }] of left.entries()) {
      const candidate = launchNext(clocks, cost, group, members);
      if (best === undefined || candidate.clocks.qkv < best.clocks.qkv) best = { ...candidate, at };
    }
    if (best === undefined) break;
    launches.push(best.launch);
    clocks = best.clocks;
    left.splice(best.at, 1);
  }
  return launches;
}

/** Groups as they are numbered, their heads as listed. */
export function naturalOrder({ groups }: Pick<Instance, 'groups'>): Launch[] {
  return groups.map((heads, group) => ({ group, heads }));
}

/**
 * Johnson's rule for flow shops of two machines (Naval Research Logistics Quarterly 1, 1954), with topk counted to both:
 * what keeps the first machine for less time than the second goes first, least of the first machine's time first; the rest
 * follows, most of the second machine's time first. A group's times are sums over its heads; inside it, heads go by their own.
 */
export function johnsonOrder(instance: Instance): Launch[] {
  const heads = new Map(instance.heads.map((head) => [head.id, head]));
  const jobs = instance.groups.map((ids, group) => {
    const members = ids.flatMap((id) => heads.get(id) ?? []);
    const first = members.reduce((sum, { topk }) => sum + topk, launchCost(instance, ids.length));
    const second = members.reduce((sum, { topk, qkv }) => sum + topk + qkv, 0);
    const inside = members.map(({ id, topk, qkv }) => ({ id, first: topk, second: qkv })).sort(byJohnson);
    return { group, heads: inside.map(({ id }) => id), first, second };
  });
  return jobs.sort(byJohnson).map((job) => ({ group: job.group, heads: job.heads }));
}

interface Job {
  first: number;
  second: number;
}

function byJohnson(a: Job, b: Job): number {
  const aEarly = a.first < a.second;
  const bEarly = b.first < b.second;
  if (aEarly !== bEarly) return aEarly ? -1 : 1;
  return aEarly ? a.first - b.first : b.second - a.second;
}

/** The clocks after launching a group, and the order of its heads. @param members by ascending id */
function launchNext(before: Clocks, cost: number, group: number, members: readonly Head[]): Candidate {
  const npu = before.npu + cost;
  let { topk, qkv } = before;
  const left = members.slice();
  const ids: number[] = [];
  while (left.length > 0) {
    let best = 0;
    let bestEnd = Number.POSITIVE_INFINITY;
    for (const [i, head] of left.entries()) {
      const end = Math.max(qkv, Math.max(npu, topk) + head.topk) + head.qkv;
      if (end < bestEnd) {
        best = i;
        bestEnd = end;
      }
    }
    const [head] = left.splice(best, 1);
    if (head === undefined) break;
    topk = Math.max(npu, topk) + head.topk;
    qkv = bestEnd;
    ids.push(head.id);
  }
  return { launch: { group, heads: ids }, clocks: { npu, topk, qkv } };
}
