/** `profile`: measures how long attention takes on this machine, for the planner and for where shadow attention begins. */
import { join } from 'node:path';
import { loadNative } from '../../native/js/load.ts';
import { dataDir } from '../data-dir.mjs';
import { defaultRatio } from '../engine/attention/rules.ts';
import { type MachineProfileOptions, machineProfile } from '../engine/calibration/machine-profile.ts';
import { crossoverLength, type Profile } from '../engine/calibration/profile.ts';
import { DeviceRegistry } from '../engine/device/registry.ts';
import { EXIT } from './exit.ts';
import type { Interrupt } from './interrupt.ts';
import type { OptionValues } from './options.ts';
import { ProgressLine, print, printJson } from './output.ts';

const FOLDER = join(dataDir(), 'profiles');

/** Measures anew and keeps the result. Prints a table, or with --json the whole profile. Returns the exit code. */
export async function profile(values: OptionValues, { signal }: Interrupt): Promise<number> {
  const measured = await currentProfile(signal, { anew: true, ...deviceOf(values) });
  const crossover = crossoverLength(measured, defaultRatio('shadow'));
  const from = Number.isFinite(crossover) ? crossover : null;
  if (values.json) printJson({ profile: measured, crossover: from });
  else print(summary(measured, from));
  return EXIT.ok;
}

/** This machine's profile: the one that is kept, or where that is missing or out of date a new one. */
export async function currentProfile(signal: AbortSignal, more: MachineProfileOptions = {}): Promise<Profile> {
  const progress = new ProgressLine();
  try {
    return await machineProfile(loadNative(), FOLDER, { ...more, thorough: true, onProgress: progress.show, signal });
  } finally {
    progress.clear();
  }
}

/** Throws AppError 'bad-input' for an unknown device and 'device-unusable' for one that cannot be measured. */
function deviceOf({ device: id }: OptionValues): Pick<MachineProfileOptions, 'device'> {
  if (id === undefined) return {};
  return { device: { id, index: new DeviceRegistry(loadNative(), { libraryFolders: [] }).open(id).index } };
}

function summary({ keys, shares, ms, key }: Profile, crossover: number | null): string {
  const ratio = defaultRatio('shadow');
  const column = shares.indexOf(ratio);
  const time = (value: number | undefined) => (value === undefined ? '' : value.toFixed(3));
  const header = ['keys', 'dense', 'pilot', 'top-k', 'select', 'sparse', 'shadow'];
  const rows = keys.map((length, i) => [
    String(length),
    time(ms.full[i]),
    time(ms.pilot[i]),
    ...[ms.topk, ms.select, ms.sparse, ms.shadow].map((grid) => time(grid[i]?.[column])),
  ]);
  const lines = [header, ...rows].map((cells) => cells.map((cell) => cell.padStart(8)).join(''));
  return [
    `${key.cpu}, ${key.isa}; milliseconds for one head and 128 rows, ${ratio * 100} % of the keys kept:`,
    ...lines,
    crossover === null
      ? `Dense attention is faster at every length up to ${keys.at(-1)}.`
      : `Shadow attention is as fast as dense attention from ${crossover} keys on.`,
    '',
  ].join('\n');
}
