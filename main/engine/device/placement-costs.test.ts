import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Profile } from '../calibration/profile.ts';
import { type CostKey, pilotCosts, readCosts, storeCosts } from './placement-costs.ts';

const KEY: CostKey = {
  device: 'EP:NPU:0',
  state: '1 | 2',
  flavour: 'w8a16',
  model: 'abc fast',
  processor: 'avx2, 2 threads',
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'costs-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('costs are kept by device and model, for one state of both', async () => {
  expect(readCosts(folder, KEY)).toEqual([]);
  await storeCosts(folder, KEY, [
    { part: 'linear', device: 'cpu', ms: 60 },
    { part: 'linear', device: 'EP:NPU:0', ms: 20 },
  ]);
  await storeCosts(folder, KEY, [{ part: 'linear', device: 'cpu', ms: 50 }]);
  expect(readCosts(folder, KEY)).toEqual([
    { part: 'linear', device: 'EP:NPU:0', ms: 20 },
    { part: 'linear', device: 'cpu', ms: 50 },
  ]);
  for (const change of [
    { state: '1 | 3' },
    { flavour: 'fp16' },
    { model: 'abc exact' },
    { processor: 'avx2, 1 threads' },
  ]) {
    expect(readCosts(folder, { ...KEY, ...change })).toEqual([]);
  }
});

test('a damaged file counts as nothing', async () => {
  await storeCosts(folder, KEY, [{ part: 'decode', device: 'cpu', ms: 5 }]);
  writeFileSync(path.join(folder, readdirSync(folder)[0] ?? ''), '{"formatVersion":1');
  expect(readCosts(folder, KEY)).toEqual([]);
});

test('a pilot launch grows with the keys, and the processor selects and attends beside it', () => {
  const grid = (ms: number) => [
    [ms / 2, ms / 2],
    [ms, ms],
  ];
  const profile = {
    keys: [1024, 2048],
    shares: [0.05, 0.4],
    ms: { shadow: grid(3), select: grid(0.4), sparse: grid(0.6) },
  } as unknown as Profile;
  const device = (id: string, pilotMs?: number, passed = true) => ({
    id,
    selfTest: { passed, seconds: 1, ...(pilotMs === undefined ? {} : { pilotMs }) },
  });
  const devices = [
    device('slow', 2),
    device('quick', 0.1),
    device('failed', 0.1, false),
    device('none'),
    { id: 'untested' },
  ];
  // Two heads over 512 keys were tested: 2 ms there are 1 ms a head, 4 ms over 2048 keys.
  expect(pilotCosts(profile, devices, { share: 0.1, threads: 2 })).toEqual([
    { part: 'pilot', device: 'cpu', ms: 1.5 },
    { part: 'pilot', device: 'slow', ms: 4 },
    { part: 'pilot', device: 'quick', ms: 0.5 },
  ]);
});
