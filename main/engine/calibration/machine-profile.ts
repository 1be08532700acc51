/** The cost profile of this machine: the one that is kept, or else one that is measured and kept. */
import type { Progress } from '../../../contract/engine.ts';
import type { NativeAddon } from '../../../native/js/index.ts';
import { processor } from '../device/device-info.ts';
import type { Profile } from './profile.ts';
import { loadProfile, profileKey, storeProfile } from './profile-file.ts';
import { measureProfile } from './profile-measure.ts';

/** A measurement that a user waits for, about a second. */
const QUICK = { keys: [256, 512, 1024, 2048, 4096], rounds: 3 };

export interface MachineProfileOptions {
  /** What the profile is kept for; default: the processor. */
  device?: { id: string; index: number };
  /** Measures more lengths and rounds where it measures, for up to a minute. */
  thorough?: boolean;
  /** Measures although a profile is kept. */
  anew?: boolean;
  onProgress?: (progress: Progress) => void;
  signal?: AbortSignal;
}

/**
 * Reads the profile from `folder`; where it is missing, damaged or of another driver or program, measures one and keeps it.
 * Throws AppError 'cancelled'; nothing is kept then.
 */
export async function machineProfile(
  native: NativeAddon,
  folder: string,
  { device = processor(native), thorough = false, anew = false, ...hooks }: MachineProfileOptions,
): Promise<Profile> {
  const key = profileKey(native, device);
  const kept = anew ? undefined : loadProfile(folder, key);
  if (kept !== undefined) return kept;
  const measured = await measureProfile(native, key, { ...hooks, ...(thorough ? {} : QUICK) });
  await storeProfile(folder, measured);
  return measured;
}
