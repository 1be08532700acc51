/**
 * Automatic placement on a real execution provider library, the fault-injection test device without a fault, with a tiny model:
 * tried in a process of its own, measured once, kept, and chosen only where that says so.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Placement } from '../../../contract/engine.ts';
import { FAULT_DEVICE, FaultDevice } from '../../../native/js/testing/fault-device.ts';
import { Engine } from '../engine.ts';
import { writeTinyLlama } from '../testdata/tiny-llama.ts';

const AUTO: Placement = { linear: 'auto', pilot: 'cpu', decode: 'cpu', avoidGpu: false, saveBattery: false };

let dir: string;
let device: FaultDevice;
let engine: Engine;

beforeAll(async () => {
  device = await FaultDevice.make();
  dir = mkdtempSync(path.join(tmpdir(), 'placement-'));
  writeTinyLlama(path.join(dir, 'tiny.gguf'), { seed: 1 });
}, 900_000);
afterEach(() => engine.close());
afterAll(() => {
  device.remove();
  rmSync(dir, { recursive: true, force: true });
});

function load(placement: Placement) {
  engine = new Engine({
    modelsDir: dir,
    bundlesDir: path.join(dir, 'bundles'),
    profilesDir: path.join(dir, 'profiles'),
    selfTestsDir: path.join(dir, 'devices'),
    libraryFolder: device.folder,
  });
  return engine.load({ model: path.join(dir, 'tiny.gguf'), weights: 'exact', threads: 1, placement });
}

test('a device is measured once, and its times decide', { timeout: 300_000 }, async () => {
  const first = await load(AUTO);
  expect(first.unmeasured).toBe(true);
  expect(first.places?.[0]).toMatchObject({ device: 'cpu', reason: expect.stringMatching(/not been measured yet/) });

  const { places } = await engine.measureDevices();
  expect(places[0]?.reason).toMatch(/\d ms for a chunk of a prompt, the processor needs \d/);
  expect(engine.devices().find(({ id }) => id === FAULT_DEVICE)?.selfTest?.passed).toBe(true);
  await engine.close();

  // Whatever this machine measured: as if the device were far quicker, then far slower.
  const folder = path.join(dir, 'profiles');
  const file = path.join(folder, readdirSync(folder).find((name) => name.startsWith('placement-')) ?? '');
  const kept = JSON.parse(readFileSync(file, 'utf8'));
  const pretend = (ms: number) => {
    for (const cost of kept.costs) cost.ms = cost.device === 'cpu' ? 10 : ms;
    writeFileSync(file, JSON.stringify(kept));
  };
  pretend(1);
  const quick = await load(AUTO);
  expect(quick).toMatchObject({ unmeasured: false, device: FAULT_DEVICE });
  expect(quick.places?.[0]).toMatchObject({ device: FAULT_DEVICE, reason: expect.stringMatching(/fastest: 1\.0 ms/) });
  await engine.close();
  pretend(11);
  expect((await load(AUTO)).device).toBe('CPU');
  await engine.close();
  expect((await load({ ...AUTO, saveBattery: true })).device).toBe(FAULT_DEVICE);
});

test('a device that was told to be left out is, with the reason', { timeout: 300_000 }, async () => {
  await load({ ...AUTO, linear: FAULT_DEVICE });
  const model = path.join(dir, 'tiny.gguf');
  const exclude = [{ device: FAULT_DEVICE, reason: 'The engine ended while it worked.' }];
  const loaded = await engine.load({ model, weights: 'exact', placement: { ...AUTO, linear: FAULT_DEVICE }, exclude });
  expect(loaded.places?.[0]).toMatchObject({
    device: 'cpu',
    reason: expect.stringMatching(/was chosen, but it cannot be used: It failed while it was in use: The engine ended/),
  });
});
