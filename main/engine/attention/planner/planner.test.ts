import { describe, expect, test } from 'vitest';
import { goldenJson } from '../../testdata/golden.ts';
import { fuseGroups } from './fuse.ts';
import { improve } from './improve.ts';
import { greedy, johnsonOrder, naturalOrder } from './orders.ts';
import { instanceOf, MOST_STEPS, plan } from './plan.ts';
import { makespan, serialMakespan, timeline } from './timeline.ts';
import type { Head, Instance, Launch } from './types.ts';

interface GoldenPlan extends Instance {
  greedy: { makespan: number; order: [number, number[]][] };
  improved: { makespan: number; order: [number, number[]][] };
  optimal: { makespan: number; order: [number, number[]][] };
}
const golden = goldenJson<{ plans: GoldenPlan[] }>('rules').plans;
const pairs = (launches: readonly Launch[]) => launches.map(({ group, heads }) => [group, [...heads]]);

describe.each(golden.map((instance, i) => ({ i, instance })))('golden plan $i', ({ instance }) => {
  test('fuses heads into the same groups', () => {
    expect(fuseGroups(instance.heads, [1, 2, 4])).toEqual(instance.groups);
  });

  test('greedy and improved orders and makespans are the same', () => {
    const launches = greedy(instance);
    expect(pairs(launches)).toEqual(instance.greedy.order);
    expect(makespan(instance, launches)).toBe(instance.greedy.makespan);
    const better = improve(instance, launches);
    expect(better.makespan).toBe(instance.improved.makespan);
    expect(makespan(instance, better.launches)).toBe(better.makespan);
  });

  test('the optimal order has its makespan, and the plan is within 1 % of it', () => {
    const optimal = instance.optimal.order.map(([group, heads]) => ({ group, heads }));
    expect(makespan(instance, optimal)).toBe(instance.optimal.makespan);
    const found = plan(instance.heads, instance.npu);
    expect(found.makespan).toBeGreaterThanOrEqual(instance.optimal.makespan);
    expect(found.makespan).toBeLessThanOrEqual(1.01 * instance.optimal.makespan);
  });
});

test('stage times of two fused heads and a single one', () => {
  const heads = [head(0, 0, 5, 20), head(1, 0, 15, 1), head(2, 1, 1, 1)];
  const instance = { heads, groups: [[0, 1], [2]], npu: { 1: 10, 2: 14 } };
  expect(timeline(instance, naturalOrder(instance))).toEqual([
    { id: 0, pilot: { start: 0, end: 14 }, topk: { start: 14, end: 19 }, qkv: { start: 19, end: 39 } },
    { id: 1, pilot: { start: 0, end: 14 }, topk: { start: 19, end: 34 }, qkv: { start: 39, end: 40 } },
    { id: 2, pilot: { start: 14, end: 24 }, topk: { start: 34, end: 35 }, qkv: { start: 40, end: 41 } },
  ]);
  expect(serialMakespan(instance)).toBe(14 + 10 + 21 + 22);
});

test('seven heads of a bucket are launched as 4, 2 and 1', () => {
  const heads = [9, 3, 5, 1, 7, 2, 8].map((id) => head(id, 0, 1, 1));
  expect(fuseGroups(heads, [2, 4, 1])).toEqual([[1, 2, 3, 5], [7, 8], [9]]);
  expect(() => fuseGroups(heads, [2, 4])).toThrow(RangeError);
});

test("Johnson's rule: short launches first, then by falling work after the launch", () => {
  // Launch and topk against topk and qkv: 12, 4 | 11, 21 | 13, 33 | 12, 9.
  const heads = [head(0, 0, 2, 2), head(1, 1, 1, 20), head(2, 2, 3, 30), head(3, 3, 2, 7)];
  const instance = instanceOf(heads, { 1: 10 });
  expect(johnsonOrder(instance).map(({ group }) => group)).toEqual([1, 2, 3, 0]);
});

describe('ablations', () => {
  const heads = Array.from({ length: 8 }, (_, id) => head(id, id % 2, 10, 30));
  const npu = { 1: 20, 2: 30, 4: 40 };

  test('without fusion every head is launched alone', () => {
    const { launches } = plan(heads, npu, { fuse: false });
    expect(launches.every((launch) => launch.heads.length === 1)).toBe(true);
    expect(launches).toHaveLength(8);
  });

  test('without buckets any heads share a launch', () => {
    expect(instanceOf(heads.slice(0, 4), npu).groups).toEqual([
      [0, 2],
      [1, 3],
    ]);
    expect(instanceOf(heads.slice(0, 4), npu, { buckets: false }).groups).toEqual([[0, 1, 2, 3]]);
  });

  test('without the pipeline all times add up', () => {
    expect(plan(heads, npu, { pipeline: false }).makespan).toBe(2 * 40 + 8 * 40);
  });
});

describe('random layers', () => {
  test('every head runs once, and a plan is never longer than the greedy or the natural order', () => {
    const random = generator(1);
    for (let round = 0; round < 200; round++) {
      const heads = randomHeads(random, 1 + Math.floor(random() * 12));
      const { instance, launches, makespan: planned } = plan(heads, { 1: 200, 2: 300, 4: 400 });
      const ids = launches.flatMap((launch) => launch.heads);
      expect([...ids].sort((a, b) => a - b)).toEqual(heads.map(({ id }) => id));
      for (const launch of launches) {
        expect([...launch.heads].sort((a, b) => a - b)).toEqual(instance.groups[launch.group]);
      }
      expect(planned).toBeCloseTo(makespan(instance, launches), 9);
      expect(planned).toBeLessThanOrEqual(makespan(instance, greedy(instance)));
      expect(planned).toBeLessThanOrEqual(makespan(instance, naturalOrder(instance)));
      expect(planned).toBeLessThanOrEqual(serialMakespan(instance));
    }
  });

  test('small ones come close to the optimum of all orders', () => {
    const random = generator(2);
    const over = Array.from({ length: 40 }, () => {
      const heads = randomHeads(random, 2 + Math.floor(random() * 5));
      const { instance, makespan: planned } = plan(heads, { 1: 200, 2: 300, 4: 400 });
      const optimal = bruteForce(instance);
      expect(planned).toBeGreaterThanOrEqual(optimal - 1e-9);
      return planned / optimal;
    });
    expect(over.reduce((sum, ratio) => sum + ratio, 0) / over.length).toBeLessThan(1.005);
    expect(Math.max(...over)).toBeLessThan(1.05);
  });

  test('the search for 32 heads stays within its bound of steps', () => {
    const random = generator(3);
    for (let round = 0; round < 20; round++) {
      const instance = instanceOf(randomHeads(random, 32), { 1: 200, 2: 300, 4: 400 }, { fuse: round % 2 === 0 });
      const { steps } = improve(instance, greedy(instance), MOST_STEPS);
      // One more round than the bound: each move of a group computes at most all heads.
      expect(steps).toBeLessThan(MOST_STEPS + 32 * 32 * 32);
    }
  });
});

function head(id: number, bucket: number, topk: number, qkv: number): Head {
  return { id, bucket, topk, qkv };
}

function randomHeads(random: () => number, count: number): Head[] {
  return Array.from({ length: count }, (_, id) =>
    head(id, Math.floor(random() * 3), 40 + random() * 120, 30 + random() * 270),
  );
}

/** mulberry32 */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Least makespan over all orders of the groups times all orders inside them. */
function bruteForce(instance: Instance): number {
  let best = Number.POSITIVE_INFINITY;
  const extend = (done: Launch[], left: readonly (readonly [number, readonly number[]])[]): void => {
    if (left.length === 0) best = Math.min(best, makespan(instance, done));
    for (const [i, [group, ids]] of left.entries()) {
      const rest = left.filter((_, j) => j !== i);
      for (const heads of permutations(ids)) extend([...done, { group, heads }], rest);
    }
  };
  extend(
    [],
    instance.groups.map((ids, group) => [group, ids] as const),
  );
  return best;
}

function permutations(list: readonly number[]): number[][] {
  if (list.length <= 1) return [[...list]];
  return list.flatMap((first, i) => permutations(list.filter((_, j) => j !== i)).map((rest) => [first, ...rest]));
}
