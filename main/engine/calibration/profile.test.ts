import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { loadNative } from '../../../native/js/load.ts';
import { npuCost, stageTime } from '../attention/planner/costs.ts';
import { processor } from '../device/device-info.ts';
import { tempDir } from '../testdata/temp-dir.ts';
import { machineProfile } from './machine-profile.ts';
import { costTable, crossoverLength, type Profile, ProfileSchema } from './profile.ts';
import { loadProfile, profileKey, storeProfile } from './profile-file.ts';
import { measureProfile } from './profile-measure.ts';

const PROFILE: Profile = {
  formatVersion: 1,
  key: { device: 'EP:CPU:0', driver: '1', ort: '1', cpu: 'a cpu', isa: 'scalar', addon: 'abc' },
  measured: '2020-01-01T00:00:00.000Z',
  rows: 128,
  headDim: 64,
  keys: [512, 1024, 2048],
  shares: [0.1, 0.2],
  ms: {
    full: [1, 2, 4],
    pilot: [0.25, 0.5, 1],
    topk: [
      [1, 1],
      [1, 1],
      [1, 1],
    ],
    select: [
      [0.1, 0.2],
      [0.2, 0.4],
      [0.4, 0.8],
    ],
    sparse: [
      [0.3, 0.6],
      [0.6, 1.2],
      [1.2, 2.4],
    ],
    shadow: [
      [1.5, 3],
      [1.5, 3],
      [2, 5],
    ],
  },
};

describe('crossover length', () => {
  test('lies where the straight lines of dense and shadow meet', () => {
    // Dense is 0.5 ms ahead at 512 and 0.5 behind at 1024.
    expect(crossoverLength(PROFILE, 0.1)).toBe(768);
  });

  test('is infinite where shadow never gets ahead, and the least length where it always is', () => {
    expect(crossoverLength(PROFILE, 0.2)).toBe(Number.POSITIVE_INFINITY);
    expect(crossoverLength({ ...PROFILE, ms: { ...PROFILE.ms, full: [9, 9, 9] } }, 0.1)).toBe(512);
  });

  test('counts from the last length where dense was ahead', () => {
    const full = [9, 1, 3];
    expect(crossoverLength({ ...PROFILE, ms: { ...PROFILE.ms, full } }, 0.1)).toBe(1366);
  });
});

test('a core of its own launches heads one by one', () => {
  const table = costTable(PROFILE);
  expect(npuCost(table, 1536)).toEqual({ 1: 0.75 });
  expect(stageTime(table.topk, 1024, 0.15)).toBeCloseTo(0.3, 12);
  expect(stageTime(table.qkv, 1024, 0.1)).toBeCloseTo(0.6, 12);
});

describe('profiles in the data folder', () => {
  const folder = join(tempDir(), 'profiles');

  test('are read back for the same key only', async () => {
    expect(loadProfile(folder, PROFILE.key)).toBeUndefined();
    await storeProfile(folder, PROFILE);
    expect(loadProfile(folder, PROFILE.key)).toEqual(PROFILE);
    for (const part of Object.keys(PROFILE.key)) {
      expect(loadProfile(folder, { ...PROFILE.key, [part]: 'other' })).toBeUndefined();
    }
    expect(readdirSync(folder)).toEqual(['EP-CPU-0.json']);
  });

  test.each([
    ['cut off', (text: string) => text.slice(0, 100)],
    ['of another version', (text: string) => text.replace('"formatVersion":1', '"formatVersion":2')],
    ['with a negative time', (text: string) => text.replace('"full":[1,', '"full":[-1,')],
    ['with a row missing', (text: string) => text.replace('"pilot":[0.25,', '"pilot":[')],
    ['with lengths in disorder', (text: string) => text.replace('"keys":[512,1024', '"keys":[1024,512')],
  ])('%s, are none', (_, damage) => {
    const text = JSON.stringify(PROFILE);
    writeFileSync(join(folder, 'EP-CPU-0.json'), text);
    expect(loadProfile(folder, PROFILE.key)).toEqual(PROFILE);
    expect(damage(text)).not.toBe(text);
    writeFileSync(join(folder, 'EP-CPU-0.json'), damage(text));
    expect(loadProfile(folder, PROFILE.key)).toBeUndefined();
  });
});

const native = loadNative();

describe('measuring', () => {
  const key = profileKey(native, processor(native));

  test('gives a valid profile, with progress', async () => {
    const done: number[] = [];
    const profile = await measureProfile(native, key, {
      keys: [128, 1024],
      rounds: 3,
      onProgress: (progress) => done.push(progress.done / progress.total),
    });
    expect(v.is(ProfileSchema, profile)).toBe(true);
    expect(profile.key).toMatchObject({ device: 'CPUExecutionProvider:CPU:0', isa: native.activeIsa() });
    expect(done[0]).toBe(0);
    expect(done).toEqual([...done].sort((a, b) => a - b));
    expect(done.at(-1)).toBeGreaterThan(0.9);
  });

  test('stops when asked', async () => {
    const abort = new AbortController();
    const work = measureProfile(native, key, {
      keys: [128, 256],
      signal: abort.signal,
      onProgress: ({ done }) => done === 3 && abort.abort(),
    });
    await expect(work).rejects.toMatchObject({ kind: 'cancelled' });
  });
});

test("this machine's profile is measured only where none is kept, or anew; a stopped measurement changes nothing", async () => {
  const folder = join(tempDir(), 'profiles');
  const stopped = new AbortController();
  stopped.abort();
  const { signal } = stopped;
  await expect(machineProfile(native, folder, { signal })).rejects.toMatchObject({ kind: 'cancelled' });
  const kept = { ...PROFILE, key: profileKey(native, processor(native)) };
  await storeProfile(folder, kept);
  expect(await machineProfile(native, folder, { signal, thorough: true })).toEqual(kept);
  await expect(machineProfile(native, folder, { signal, anew: true })).rejects.toMatchObject({ kind: 'cancelled' });
  const other = { device: { id: 'Other:NPU:0', index: 0 } };
  await expect(machineProfile(native, folder, { signal, ...other })).rejects.toMatchObject({ kind: 'cancelled' });
  expect(await machineProfile(native, folder, { signal })).toEqual(kept);
});
