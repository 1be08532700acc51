/**
 * The cost profile of a machine: how long attention takes on it, per head and chunk of 128 rows. Measured once
 * (profile-measure.ts), kept in the data folder (profile-file.ts), read by the planner and for the crossover length.
 */
import * as v from 'valibot';
import { COST_ROWS, type CostTable, stageTime } from '../attention/planner/costs.ts';

const ms = v.pipe(v.number(), v.finite(), v.gtValue(0));
const words = v.pipe(v.string(), v.minLength(1));

/** All that a profile depends on: where one of them differs, it is measured again. */
const ProfileKey = v.strictObject({
  /** Id of the device that computes the pilot, as `devices` lists it. */
  device: words,
  /** Version of its driver or execution provider. */
  driver: words,
  ort: words,
  cpu: words,
  /** Instruction set of the kernels. */
  isa: words,
  addon: words,
});
export type ProfileKey = v.InferOutput<typeof ProfileKey>;

const ascending = v.check<number[], string>(
  (list) => list.every((value, i) => i === 0 || value > (list[i - 1] ?? 0)),
  'not ascending',
);
const lengths = v.pipe(v.array(v.pipe(v.number(), v.integer(), v.minValue(1))), v.minLength(2), ascending);
const shares = v.pipe(v.array(v.pipe(v.number(), v.gtValue(0), v.maxValue(1))), v.minLength(2), ascending);
const byKeys = v.array(ms);
const byKeysAndShares = v.array(v.array(ms));

const Form = v.object({
  formatVersion: v.literal(1),
  key: ProfileKey,
  /** ISO 8601. */
  measured: words,
  rows: v.literal(COST_ROWS),
  headDim: v.literal(64),
  /** Keys that the chunk's last row sees. */
  keys: lengths,
  /** Shares of the keys that are kept. */
  shares,
  ms: v.object({
    /** Dense float attention, [keys]. */
    full: byKeys,
    /** INT8 scores of one head, [keys]. */
    pilot: byKeys,
    /** Exact top-k of those scores, [keys][shares]. */
    topk: byKeysAndShares,
    /** Selection from 8-bit scores with the dropped mass, as scores of a device need it, [keys][shares]. */
    select: byKeysAndShares,
    /** Attention over the kept keys and the tail, bfloat16 K and V, [keys][shares]. */
    sparse: byKeysAndShares,
    /** Everything on this core: key codes, scores, selection, attention, [keys][shares]. */
    shadow: byKeysAndShares,
  }),
});

export const ProfileSchema = v.pipe(
  Form,
  v.check(({ keys, shares: columns, ms: all }) => {
    const grids = [all.topk, all.select, all.sparse, all.shadow];
    const fits = (grid: readonly (readonly number[])[]) =>
      grid.length === keys.length && grid.every((row) => row.length === columns.length);
    return all.full.length === keys.length && all.pilot.length === keys.length && grids.every(fits);
  }, 'the tables have other sizes than keys and shares'),
);
export type Profile = v.InferOutput<typeof Form>;

/**
 * Least number of keys from which on shadow attention on this core takes no longer than dense attention; Infinity where it
 * does so at no length that was measured. Between two lengths as by straight lines.
 * @param share of the keys that shadow keeps
 */
export function crossoverLength(profile: Profile, share: number): number {
  const { keys, ms: all, shares: columns } = profile;
  const grid = { keys, shares: columns, ms: all.shadow };
  const lead = keys.map((length, i) => (all.full[i] ?? 0) - stageTime(grid, length, share));
  let from = keys.length;
  while (from > 0 && (lead[from - 1] ?? -1) >= 0) from--;
  const above = keys[from];
  if (above === undefined) return Number.POSITIVE_INFINITY;
  if (from === 0) return above;
  const below = keys[from - 1] ?? above;
  const [behind, ahead] = [lead[from - 1] ?? 0, lead[from] ?? 0];
  return Math.ceil(below + ((above - below) * -behind) / (ahead - behind));
}

/**
 * Costs for the planner where a core of its own computes the pilot. Launches of one head only: a core gains nothing from
 * fusing, and the first of fused heads would wait for the others.
 */
export function costTable({ keys, shares: columns, ms: all, key }: Profile): CostTable {
  return {
    source: `${key.cpu}, ${key.isa}`,
    simulated: false,
    pilot: { keys, ms: { 1: all.pilot } },
    topk: { keys, shares: columns, ms: all.select },
    qkv: { keys, shares: columns, ms: all.sparse },
  };
}
