/**
 * A device's library that ends the real engine process in the middle of an answer: main starts it again, and the same
 * question is answered without the device. dist/engine.cjs runs in a plain child process in place of Electron's.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DeviceUse, Placement } from '../contract/engine.ts';
import { FAULT_DEVICE, FaultDevice } from '../native/js/testing/fault-device.ts';
import { realModelEngine, realModelPath } from './engine/testdata/real-model.ts';
import { DeviceCrash } from './engine-exit.ts';
import { EngineProcess, type EngineState } from './engine-process.ts';
import { spawnReal } from './testing/real-engine.ts';

const scratch = mkdtempSync(join(tmpdir(), 'shadownpu-engine-faults-'));
const states: EngineState[] = [];
let device: FaultDevice;
let engine: EngineProcess;
let model: string;

beforeAll(async () => {
  device = await FaultDevice.make();
  const imported = await realModelEngine().import({ model: realModelPath(), weights: 'fast' });
  model = realModelPath();
  engine = new EngineProcess({
    spawn: spawnReal(options(dirname(imported.dir))),
    backOffMs: [1, 1, 1],
    log: () => undefined,
    changed: (state) => states.push(state),
  });
  engine.start();
}, 900_000);
afterAll(async () => {
  await engine?.stop();
  device?.remove();
  rmSync(scratch, { recursive: true, force: true });
});

function options(bundlesDir: string) {
  return {
    modelsDir: dirname(realModelPath()),
    bundlesDir,
    profilesDir: join(scratch, 'profiles'),
    selfTestsDir: join(scratch, 'self-tests'),
    libraryFolder: device.folder,
  };
}

const placement: Placement = { linear: 'cpu', pilot: FAULT_DEVICE, decode: 'cpu', avoidGpu: false, saveBattery: false };

function load(exclude: { device: string; reason: string }[] = []) {
  return engine.load({ model, weights: 'fast', contextSize: 1024, threads: 1, placement, exclude }, () => undefined);
}

function ask() {
  const text = 'The old lighthouse keeper counted ships, gulls and storms, and wrote each of them down. '.repeat(16);
  const sampling = { temperature: 0, topK: 0, topP: 1, minP: 0, repetitionPenalty: 1, repetitionWindow: 0, stop: [] };
  const body = {
    prompt: { kind: 'raw' as const, text },
    sampling: { ...sampling, maxTokens: 3 },
    attention: { mode: 'shadow' as const, ratio: 0.2 },
  };
  return engine.generate(body, { progress: () => undefined, delta: () => undefined }).done;
}

it('is started again, knows whom to blame, and answers without the device', { timeout: 300_000 }, async () => {
  const { places } = await load();
  expect(places?.find(({ part }) => part === 'pilot')).toMatchObject({ device: FAULT_DEVICE });
  device.show('run crash 20');
  const crash: unknown = await ask().catch((error: unknown) => error);
  expect(crash).toBeInstanceOf(DeviceCrash);
  const uses: readonly DeviceUse[] = crash instanceof DeviceCrash ? crash.uses : [];
  expect(uses).toContainEqual({ device: FAULT_DEVICE, part: 'pilot' });
  expect(states.at(-1)).toMatchObject({ state: 'down', final: false });

  await expect.poll(() => states.at(-1)?.state, { timeout: 10_000 }).toBe('up');
  const reason = 'The engine ended while it worked.';
  const again = await load(uses.map((use) => ({ device: use.device, reason })));
  expect(again.places?.find(({ part }) => part === 'pilot')).toMatchObject({ device: 'cpu' });
  const result = await ask();
  expect(result.completionTokens).toBe(3);
  expect(result.work?.some((work) => work.device === FAULT_DEVICE)).toBe(false);
  const listed = (await engine.devices({})).find(({ id }) => id === FAULT_DEVICE);
  expect(listed).toMatchObject({ usable: false, reason: expect.stringContaining(reason) });
});
