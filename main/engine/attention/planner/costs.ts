/** How long the stages of a head take: tables of measured or published times, read between their points. */
import paperPhone from '../../../../resources/cost-tables/paper-phone.json' with { type: 'json' };
import { keepCount } from '../keep-count.ts';
import type { Head, NpuCost } from './types.ts';

/** Rows of queries that all times of a table are for: one chunk, one tile. */
export const COST_ROWS = 128;

/** Milliseconds by number of keys (ascending, positive) and share of the keys that is kept (ascending). */
export interface StageGrid {
  keys: readonly number[];
  shares: readonly number[];
  /** [keys][shares] */
  ms: readonly (readonly number[])[];
}

export interface CostTable {
  /** What was measured, in words. */
  source: string;
  /** Whether the pilot's device is not there and only its times are. */
  simulated: boolean;
  /** A launch, by the number of fused heads: milliseconds at each of `keys`. */
  pilot: { keys: readonly number[]; ms: Readonly<Record<number, readonly number[]>> };
  topk: StageGrid;
  qkv: StageGrid;
}

/** A phone's NPU (resources/cost-tables): launches are the paper's, and grow with the number of keys. */
export const PAPER_PHONE: CostTable = { ...paperPhone, source: paperPhone.name, simulated: true };

/** Cost of launches over `keys` keys. */
export function npuCost({ pilot }: CostTable, keys: number): NpuCost {
  return Object.fromEntries(
    Object.entries(pilot.ms).map(([size, ms]) => [Number(size), lengthTime(pilot.keys, ms, keys)]),
  );
}

/**
 * The heads of a layer as the planner takes them.
 * @param heads share of the keys that each head keeps, and its bucket; ids are their places
 * @param keys keys that the last row of the chunk sees
 */
export function planHeads(
  table: CostTable,
  heads: readonly { ratio: number; bucket: number }[],
  keys: number,
  minKeys = 1,
): Head[] {
  return heads.map(({ ratio, bucket }, id) => {
    const share = keepCount(ratio, keys, minKeys) / keys;
    return { id, bucket, topk: stageTime(table.topk, keys, share), qkv: stageTime(table.qkv, keys, share) };
  });
}

/**
 * Linear between the points of the grid. Beyond the greatest and below the least number of keys times are proportional to
 * the keys; beyond the shares they go on as between the two nearest, but never below 0.
 */
export function stageTime(grid: StageGrid, keys: number, share: number): number {
  return byKeys(grid.keys, keys, (i) => byShare(grid.shares, grid.ms[i] ?? [], share));
}

/** As `stageTime`, of times that depend on the number of keys only. */
export function lengthTime(points: readonly number[], ms: readonly number[], keys: number): number {
  return byKeys(points, keys, (i) => ms[i] ?? 0);
}

function byKeys(points: readonly number[], keys: number, at: (index: number) => number): number {
  const last = points.length - 1;
  const above = points.findIndex((point) => point >= keys);
  if (above <= 0) {
    const end = above < 0 ? last : 0;
    return (at(end) * keys) / (points[end] ?? keys);
  }
  return between(points[above - 1] ?? 0, points[above] ?? 0, at(above - 1), at(above), keys);
}

function byShare(points: readonly number[], ms: readonly number[], share: number): number {
  if (points.length === 1) return ms[0] ?? 0;
  const found = points.findIndex((point) => point >= share);
  const above = found < 0 ? points.length - 1 : Math.max(found, 1);
  const value = between(points[above - 1] ?? 0, points[above] ?? 0, ms[above - 1] ?? 0, ms[above] ?? 0, share);
  return Math.max(value, 0);
}

function between(fromX: number, toX: number, fromY: number, toY: number, x: number): number {
  return fromY + ((toY - fromY) * (x - fromX)) / (toX - fromX);
}
