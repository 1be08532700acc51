/**
 * The Windows x64 build under wine, and Qualcomm's simulator of its NPU (Hexagon tensor processor), which only comes for
 * Windows. No part of a graph may fall back to the CPU provider.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NPU_TARGETS } from '../../../main/engine/device/npu-targets.ts';
import type { LinearFlavour } from '../../../main/engine/graph/device-flavours.ts';
import { type Emulator, emulatorOf } from '../../../scripts/emulators/emulators.mjs';
import { runJob } from '../../../scripts/emulators/job.mjs';
import { wineEmulator } from '../../../scripts/emulators/wine.mjs';
import { windowsElectron } from '../../../scripts/package/windows-electron.mjs';
import { buildNative } from '../../build.mjs';
import { difference, greatest, onCpu, onDevice } from './device-run.ts';
import { linearBlock } from './linear-block.ts';
import { pilotCase } from './pilot-case.ts';
import { libraryOf } from './provider-libraries.ts';

const TARGET = 'win32-x64';
const QNN = 'QNNExecutionProvider';
/** The simulator as a Snapdragon X. What it takes itself for unasked has no half precision, which linear blocks need. */
const SIMULATOR = { ...NPU_TARGETS.sc8380xp?.epOptions };
const UNFETCHED = 'the libraries for win32-x64 have not been fetched (npm run providers -- --platform win32-x64)';
const file = libraryOf(TARGET, 'qnn') ?? '';
const folder = mkdtempSync(join(tmpdir(), 'shadownpu-windows-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let emulator: Emulator | string = '';
beforeAll(async () => {
  emulator = await emulatorOf(TARGET, console.error);
  if (typeof emulator !== 'string') await buildNative({ target: TARGET });
});

test('the addon loads in Node 20, finds ONNX Runtime and computes', async ({ skip }) => {
  if (typeof emulator === 'string') return skip(emulator);
  const guest = await runJob(emulator, TARGET);
  expect(guest).toMatchObject({ platform: 'win32', arch: 'x64', maxAbs: 3 });
  expect(guest.node).toMatch(/^v20\./);
  expect(guest.devices[0]).toMatchObject({ ep: 'CPUExecutionProvider', type: 'CPU' });
});

test('the addon finds what it needs in Electron’s program as well, which has another name', async ({ skip }) => {
  if (typeof emulator === 'string') return skip(emulator);
  const electron = async () => join(await windowsElectron(console.error), 'electron.exe');
  const program = await wineEmulator(console.error, electron);
  if (typeof program === 'string') return skip(program);
  const guest = await runJob(program, TARGET);
  expect(guest).toMatchObject({ platform: 'win32', arch: 'x64', maxAbs: 3, ort: expect.stringMatching(/^1\./) });
  expect(guest.node).toMatch(/^v16\./); // Electron 22's
});

test("Qualcomm's NPU simulator gives the scores of the pilot graph within one step", async ({ skip }) => {
  if (typeof emulator === 'string') return skip(emulator);
  if (file === '') return skip(UNFETCHED);
  const one = pilotCase(folder);
  const { outcomes, guest } = await onDevice(emulator, TARGET, folder, { name: QNN, file }, [
    { ...one, epOptions: SIMULATOR },
    // Shows that it is not the CPU provider which answers: without the simulator there is no answer.
    { ...one, epOptions: { backend_path: 'QnnNoSuchBackend.dll' } },
  ]);
  expect(guest.libraries).toEqual([{ name: QNN }]);
  const [simulated, broken] = outcomes;
  expect(simulated?.error).toBeUndefined();
  expect(broken?.error).toMatch(/fallback|QNN|backend/i);
  const [scores] = simulated?.values ?? [];
  const [expected] = onCpu(one).values;
  if (!scores || !expected) throw new Error('there are no scores');
  const { worst, differing } = difference(scores, expected);
  console.log(`pilot 4 x 128 x 1024: worst ${worst}, ${(100 * differing).toFixed(2)} % of the scores differ`);
  expect(worst).toBeLessThanOrEqual(1);
  expect(new Set(expected).size).toBeGreaterThan(100);
});

test.for<LinearFlavour>(['w8a16', 'w4a16'])('it runs a real linear block as %s', async (flavour, { skip }) => {
  if (typeof emulator === 'string') return skip(emulator);
  if (file === '') return skip(UNFETCHED);
  const block = await linearBlock(flavour);
  const { outcomes } = await onDevice(emulator, TARGET, folder, { name: QNN, file }, [
    { ...block, epOptions: SIMULATOR },
  ]);
  expect(outcomes[0]?.error).toBeUndefined();
  for (const [i, expected] of onCpu(block).values.entries()) {
    const most = greatest(expected);
    const { worst } = difference(outcomes[0]?.values?.[i] ?? new Float32Array(0), expected);
    console.log(`${flavour}, output ${i}: worst ${worst} where the greatest is ${most}`);
    // A step of 8 bits: the simulator computes normalisations in half precision.
    expect(worst).toBeLessThan(most / 255);
  }
});
