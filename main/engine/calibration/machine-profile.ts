/** The profile of this machine's processor as the engine needs it: the one that is kept, else a quick one. */
import type { Progress } from '../../../contract/engine.ts';
import type { NativeAddon } from '../../../native/js/index.ts';
import { processor } from '../device/device-info.ts';
import type { Profile } from './profile.ts';
import { loadProfile, profileKey, storeProfile } from './profile-file.ts';
import { measureProfile } from './profile-measure.ts';

/** Rounds of a measurement that a user waits for, about a second; `cli profile` takes more. */
const QUICK_ROUNDS = 3;
const QUICK_KEYS = [256, 512, 1024, 2048, 4096];

/**
 * Reads the processor's profile from `folder`; where it is missing, damaged or of another driver or program, measures and
 * keeps a quick one. Throws AppError 'cancelled'.
 */
export async function machineProfile(
  native: NativeAddon,
  folder: string,
  hooks: { onProgress?: (progress: Progress) => void; signal?: AbortSignal },
): Promise<Profile> {
  const key = profileKey(native, processor(native));
  const kept = loadProfile(folder, key);
  if (kept !== undefined) return kept;
  const measured = await measureProfile(native, key, { ...hooks, keys: QUICK_KEYS, rounds: QUICK_ROUNDS });
  await storeProfile(folder, measured);
  return measured;
}
