/** Intel's execution provider library with the ONNX Runtime that ships, on this machine. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { DeviceInfo } from '../../../contract/engine.ts';
import { DIST } from '../../../scripts/setup/paths.mjs';
import { loadNative } from '../../js/load.ts';
import { libraryOf } from './provider-libraries.ts';

const UNFETCHED = 'the library has not been fetched (npm run providers), or there is none for this machine';
const file = libraryOf(`${process.platform}-${process.arch}`, 'openvino');
const home = mkdtempSync(join(tmpdir(), 'shadownpu-linux-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

test('OpenVINO registers, and goes again', ({ skip }) => {
  if (file === undefined) return skip(UNFETCHED);
  const native = loadNative();
  const before = native.devices().length;
  native.registerEpLibrary('OpenVINOExecutionProvider', file);
  native.unregisterEpLibrary('OpenVINOExecutionProvider');
  expect(native.devices()).toHaveLength(before);
});

test('virtual NPUs of Intel are listed where they are asked for', ({ skip }) => {
  if (file === undefined) return skip(UNFETCHED);
  const native = loadNative();
  native.registerEpLibrary('OpenVINO.virtual', file);
  const npus = native.devices().filter(({ ep, type }) => ep === 'OpenVINOExecutionProvider' && type === 'NPU');
  native.unregisterEpLibrary('OpenVINO.virtual');
  expect(npus.map(({ epMetadata }) => epMetadata.npu_platform)).toEqual(expect.arrayContaining(['4000', '5010']));
  for (const { deviceMetadata } of npus) expect(deviceMetadata.is_virtual).toBe('1');
});

test('the command line gives its devices, or the reason why there is none', ({ skip }) => {
  if (file === undefined) return skip(UNFETCHED);
  const env = { ...process.env, SHADOWNPU_HOME: home };
  const output = execFileSync(process.execPath, [join(DIST, 'cli.cjs'), 'devices', '--json'], {
    env,
    encoding: 'utf8',
  });
  const listed: DeviceInfo[] = JSON.parse(output).devices;
  const own = listed.filter(({ executionProvider }) => executionProvider === 'OpenVINOExecutionProvider');
  expect(own.length).toBeGreaterThan(0);
  if (cpus()[0]?.model.includes('Intel')) {
    expect(own.some(({ usable }) => usable)).toBe(true);
  } else {
    expect(own).toHaveLength(1);
    expect(own[0]).toMatchObject({ usable: false });
    expect(own[0]?.reason).toMatch(/not made by Intel/);
  }
});
