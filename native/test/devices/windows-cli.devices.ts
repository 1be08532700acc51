/** What the app's command line says about devices on Windows x64 (under wine), and its self-test on Qualcomm's simulator. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DeviceInfo } from '../../../contract/engine.ts';
import { type Emulator, emulatorOf } from '../../../scripts/emulators/emulators.mjs';
import { DIST } from '../../../scripts/setup/paths.mjs';
import { buildNative } from '../../build.mjs';
import { libraryOf } from './provider-libraries.ts';

const TARGET = 'win32-x64';
const SIMULATOR = 'QNNExecutionProvider:CPU:0';
const UNFETCHED = 'the libraries for win32-x64 have not been fetched (npm run providers -- --platform win32-x64)';
const folder = mkdtempSync(join(tmpdir(), 'shadownpu-windows-cli-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let emulator: Emulator | string = '';
beforeAll(async () => {
  emulator = await emulatorOf(TARGET, console.error);
  if (typeof emulator !== 'string') await buildNative({ target: TARGET });
});

test('devices are listed, libraries without one with the reason, and the simulator passes the self-test', async ({
  skip,
}) => {
  if (typeof emulator === 'string') return skip(emulator);
  if (libraryOf(TARGET, 'qnn') === undefined) return skip(UNFETCHED);
  const { ok, output } = await emulator.run(
    join(DIST, 'cli.cjs'),
    ['devices', '--json', '--self-test', '--device', SIMULATOR],
    { env: { SHADOWNPU_HOME: emulator.path(folder) } },
  );
  if (!ok) throw new Error(output);
  const devices: DeviceInfo[] = JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1)).devices;
  expect(devices.find(({ executionProvider }) => executionProvider === 'CPUExecutionProvider')?.usable).toBe(true);
  const simulator = devices.find(({ id }) => id === SIMULATOR);
  // It can be tested, and yet it is no device to answer with.
  expect(simulator).toMatchObject({ virtual: true, usable: false, selfTest: { passed: true } });
  expect(simulator?.selfTest?.worstError).toBeLessThanOrEqual(1);
  expect(devices.find(({ id }) => id === 'QNNExecutionProvider:library')?.reason).toMatch(/no Snapdragon NPU/);
});
