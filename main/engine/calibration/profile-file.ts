/** Profiles in the data folder, one JSON file per device. */
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import type { NativeAddon } from '../../../native/js/index.ts';
import { nativeVersions } from '../../../native/js/load.ts';
import { replaceFile } from '../model/attention-calibration-file.ts';
import { type Profile, type ProfileKey, ProfileSchema } from './profile.ts';

/** What a profile of this machine is valid for. @param device its id as `devices` lists it */
export function profileKey(native: NativeAddon, device: { id: string; index: number }): ProfileKey {
  const { ort, addon } = nativeVersions();
  const metadata = native.devices().find(({ index }) => index === device.index)?.epMetadata ?? {};
  return {
    device: device.id,
    driver: metadata.version ?? ort,
    ort,
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    isa: native.activeIsa(),
    addon,
  };
}

/** The profile for `key`; undefined where none was measured, it is for another key, or the file is damaged. */
export function loadProfile(folder: string, key: ProfileKey): Profile | undefined {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(fileOf(folder, key), 'utf8'));
  } catch {
    return undefined;
  }
  const result = v.safeParse(ProfileSchema, json);
  return result.success && isFor(result.output, key) ? result.output : undefined;
}

/** Puts a profile in place of the device's earlier one, in one step. Throws AppError. */
export async function storeProfile(folder: string, profile: Profile): Promise<void> {
  await replaceFile(fileOf(folder, profile.key), JSON.stringify(profile));
}

function isFor(profile: Profile, key: ProfileKey): boolean {
  return (Object.keys(key) as (keyof ProfileKey)[]).every((part) => profile.key[part] === key[part]);
}

function fileOf(folder: string, { device }: ProfileKey): string {
  return join(folder, `${device.replace(/[^0-9A-Za-z]+/g, '-')}.json`);
}
