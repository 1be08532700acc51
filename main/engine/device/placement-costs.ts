/** What the parts of a model take on this machine's devices: measured once for each model and device, and kept. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { type DeviceInfo, PlacedPart } from '../../../contract/engine.ts';
import { stageTime } from '../attention/planner/costs.ts';
import type { Profile } from '../calibration/profile.ts';
import { replaceFile } from '../model/attention-calibration-file.ts';
import { OWN_CODE, type PartCost } from './placement.ts';
import { TESTED_PILOT } from './self-test/graphs.ts';

/** All that the costs of linear parts depend on: where one of them differs, they are measured again. */
export interface CostKey {
  device: string;
  /** Versions of execution provider and driver. */
  state: string;
  flavour: string;
  /** Digest of the model's file, and how its weights are kept. */
  model: string;
  /** Processor, instruction set and threads, for the costs on the processor. */
  processor: string;
}

const Costs = v.object({
  formatVersion: v.literal(1),
  key: v.record(v.string(), v.string()),
  costs: v.array(v.object({ part: PlacedPart, device: v.string(), ms: v.pipe(v.number(), v.finite(), v.minValue(0)) })),
});

/** Costs of linear parts on a device and beside them on the processor; none where they have not been measured for `key`. */
export function readCosts(folder: string, key: CostKey): PartCost[] {
  try {
    const parsed = v.safeParse(Costs, JSON.parse(readFileSync(fileOf(folder, key), 'utf8')));
    if (parsed.success && JSON.stringify(parsed.output.key) === JSON.stringify(key)) return parsed.output.costs;
  } catch {
    // Not measured, or damaged.
  }
  return [];
}

/** Adds to what is kept for `key`; a part on a device that is there already is replaced. Throws AppError. */
export async function storeCosts(folder: string, key: CostKey, costs: readonly PartCost[]): Promise<void> {
  const isNew = (old: PartCost) => !costs.some(({ part, device }) => part === old.part && device === old.device);
  const all = [...readCosts(folder, key).filter(isNew), ...costs];
  await replaceFile(fileOf(folder, key), JSON.stringify({ formatVersion: 1, key, costs: all }));
}

/** Keys at which pilots are compared: a prompt of some pages. */
const PILOT_KEYS = 2048;

/**
 * Attention of one head for a chunk of queries: on the processor, and with scores from each device that has passed its
 * self-test, beside which the processor still selects and attends. Launches grow with the number of keys.
 * @param share of the keys that is kept
 */
export function pilotCosts(
  { keys, shares, ms: all }: Profile,
  devices: readonly Pick<DeviceInfo, 'id' | 'selfTest'>[],
  { share, threads }: { share: number; threads: number },
): PartCost[] {
  const at = (ms: readonly (readonly number[])[]) => stageTime({ keys, shares, ms }, PILOT_KEYS, share);
  const beside = (at(all.select) + at(all.sparse)) / threads;
  const own: PartCost = { part: 'pilot', device: OWN_CODE, ms: at(all.shadow) / threads };
  return [
    own,
    ...devices.flatMap(({ id, selfTest }): PartCost[] => {
      if (selfTest?.passed !== true || selfTest.pilotMs === undefined) return [];
      const launch = (selfTest.pilotMs / TESTED_PILOT.heads) * (PILOT_KEYS / TESTED_PILOT.keys);
      return [{ part: 'pilot', device: id, ms: Math.max(launch, beside) }];
    }),
  ];
}

function fileOf(folder: string, { device, model }: CostKey): string {
  const digest = createHash('sha256').update(model).digest('hex').slice(0, 12);
  return join(folder, `placement-${device.replace(/[^0-9A-Za-z]+/g, '-')}-${digest}.json`);
}
