/**
 * The Linux arm64 build under qemu with Qualcomm's execution provider. The NPU makes itself known by a device node, for which
 * an empty file stands: it is found, and since no driver answers, it must be refused in words.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DeviceInfo } from '../../../contract/engine.ts';
import type { Emulator } from '../../../scripts/emulators/emulators.mjs';
import { runJob } from '../../../scripts/emulators/job.mjs';
import { qemuEmulator } from '../../../scripts/emulators/qemu.mjs';
import { DIST } from '../../../scripts/setup/paths.mjs';
import { buildNative } from '../../build.mjs';
import { ONLY_THE_DEVICE } from './device-run.ts';
import { pilotCase } from './pilot-case.ts';
import { libraryOf } from './provider-libraries.ts';

const TARGET = 'linux-arm64';
const QNN = 'QNNExecutionProvider';
const UNFETCHED = 'the libraries for linux-arm64 have not been fetched (npm run providers -- --platform linux-arm64)';
const folder = mkdtempSync(join(tmpdir(), 'shadownpu-arm64-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let plain: Emulator | string = '';
let withNode: Emulator | string = '';
beforeAll(async () => {
  plain = await qemuEmulator(console.error);
  withNode = await qemuEmulator(console.error, { fastRpc: true });
  if (typeof plain !== 'string') await buildNative({ target: TARGET });
});

/** What the command line of the app says about this machine's devices, from inside. */
async function devices(emulator: Emulator, ...args: string[]): Promise<DeviceInfo[]> {
  const env = { SHADOWNPU_HOME: mkdtempSync(join(folder, 'home-')) };
  const { ok, output } = await emulator.run(join(DIST, 'cli.cjs'), ['devices', '--json', ...args], { env });
  if (!ok) throw new Error(output);
  return JSON.parse(output.slice(output.indexOf('{'))).devices;
}

test('the addon loads, finds the NEON kernels and ONNX Runtime', async ({ skip }) => {
  if (typeof plain === 'string') return skip(plain);
  const guest = await runJob(plain, TARGET);
  expect(guest).toMatchObject({ platform: 'linux', arch: 'arm64', maxAbs: 3 });
  expect(guest.isas).toEqual(['i8mm', 'dotprod', 'neon', 'scalar']);
});

test('without its device node there is no NPU, and the library says why it gives none', async ({ skip }) => {
  if (typeof plain === 'string') return skip(plain);
  if (libraryOf(TARGET, 'qnn') === undefined) return skip(UNFETCHED);
  const listed = await devices(plain);
  expect(listed.find(({ type }) => type === 'CPU')?.usable).toBe(true);
  const [library] = listed.filter(({ executionProvider }) => executionProvider === QNN);
  expect(library).toMatchObject({ usable: false });
  expect(library?.reason).toMatch(/Snapdragon NPU/);
});

test('with it the NPU is listed, and ONNX Runtime refuses it graphs', async ({ skip }) => {
  if (typeof withNode === 'string') return skip(withNode);
  const file = libraryOf(TARGET, 'qnn');
  if (file === undefined) return skip(UNFETCHED);
  const { graph } = pilotCase(folder);
  const run = {
    graph,
    device: QNN,
    config: ONLY_THE_DEVICE,
    epOptions: { backend_type: 'htp' },
    inputs: [],
    outputs: [],
  };
  const guest = await runJob(withNode, TARGET, { libraries: [{ name: QNN, file }], runs: [run] });
  expect(guest.libraries).toEqual([{ name: QNN }]);
  expect(guest.devices.find(({ ep }) => ep === QNN)).toMatchObject({ type: 'NPU', vendor: 'Qualcomm' });
  expect(guest.runs[0]?.error).toMatch(/fallback/);
});

test('the command line lists that NPU and explains after a self-test why it cannot be used', async ({ skip }) => {
  if (typeof withNode === 'string') return skip(withNode);
  if (libraryOf(TARGET, 'qnn') === undefined) return skip(UNFETCHED);
  const listed = await devices(withNode, '--self-test');
  const npu = listed.find(({ executionProvider, type }) => executionProvider === QNN && type === 'NPU');
  console.log(`the NPU that is not there: ${npu?.reason} ${npu?.remedy}`);
  expect(npu).toMatchObject({ usable: false, virtual: false, selfTest: { passed: false } });
  expect(npu?.reason).toMatch(/self-test failed/i);
  expect(npu?.remedy).toMatch(/driver/i);
  expect(listed.find(({ type }) => type === 'CPU')?.usable).toBe(true);
});
