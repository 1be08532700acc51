/**
 * When each stage of each head runs under a plan. One device, one thread for topk and one for qkv, each in the order of the
 * plan: launching a group adds its cost to the device's clock; then, head by head,
 * topk starts at max(device, topk's clock) and qkv at max(topk's clock, qkv's clock). All clocks start at 0.
 */
import type { Head, Instance, Launch } from './types.ts';

export interface StageTime {
  start: number;
  end: number;
}

export interface HeadTimes {
  id: number;
  /** Of the launch that the head is part of. */
  pilot: StageTime;
  topk: StageTime;
  qkv: StageTime;
}

/** Stage times of every head, in the order of the plan. */
export function timeline(instance: Instance, launches: readonly Launch[]): HeadTimes[] {
  const heads = byId(instance.heads);
  const times: HeadTimes[] = [];
  let npu = 0;
  let topk = 0;
  let qkv = 0;
  for (const launch of launches) {
    const pilot = { start: npu, end: npu + launchCost(instance, launch.heads.length) };
    npu = pilot.end;
    for (const id of launch.heads) {
      const head = headOf(heads, id);
      const topkStart = Math.max(npu, topk);
      topk = topkStart + head.topk;
      const qkvStart = Math.max(topk, qkv);
      qkv = qkvStart + head.qkv;
      times.push({ id, pilot, topk: { start: topkStart, end: topk }, qkv: { start: qkvStart, end: qkv } });
    }
  }
  return times;
}

/** End of the last stage. 0 for no heads. */
export function makespan(instance: Instance, launches: readonly Launch[]): number {
  return timeline(instance, launches).at(-1)?.qkv.end ?? 0;
}

/** End of the last stage where nothing overlaps: every launch and every stage of every head one after the other. */
export function serialMakespan({ heads, groups, npu }: Instance): number {
  let sum = 0;
  for (const group of groups) sum += launchCost({ npu }, group.length);
  for (const head of heads) sum += head.topk + head.qkv;
  return sum;
}

/** Stage times where nothing overlaps: a launch, then the stages of each of its heads, then the next launch. */
export function serialTimeline(instance: Instance, launches: readonly Launch[]): HeadTimes[] {
  const heads = byId(instance.heads);
  const times: HeadTimes[] = [];
  let now = 0;
  const next = (cost: number): StageTime => {
    const start = now;
    now += cost;
    return { start, end: now };
  };
  for (const launch of launches) {
    const pilot = next(launchCost(instance, launch.heads.length));
    for (const id of launch.heads) {
      const head = headOf(heads, id);
      times.push({ id, pilot, topk: next(head.topk), qkv: next(head.qkv) });
    }
  }
  return times;
}

/** Time to launch `size` heads at once. @throws {RangeError} where the device has no graph for so many */
export function launchCost({ npu }: Pick<Instance, 'npu'>, size: number): number {
  const cost = npu[size];
  if (cost === undefined) throw new RangeError(`the device has no graph for ${size} heads`);
  return cost;
}

function byId(heads: readonly Head[]): ReadonlyMap<number, Head> {
  return new Map(heads.map((head) => [head.id, head]));
}

function headOf(heads: ReadonlyMap<number, Head>, id: number): Head {
  const head = heads.get(id);
  if (head === undefined) throw new RangeError(`a group names head ${id}, which is not in the layer`);
  return head;
}
