/** The libraries that onnxruntime-node brings for every kind of machine. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { machineOfLibrary } from './library-format.ts';

const binaries = join(dirname(require.resolve('onnxruntime-node/package.json')), 'bin', 'napi-v6');

test.each([
  ['linux', 'x64', 'libonnxruntime.so.1'],
  ['linux', 'arm64', 'libonnxruntime.so.1'],
  ['win32', 'x64', 'onnxruntime.dll'],
  ['win32', 'arm64', 'onnxruntime.dll'],
])('%s %s', (platform, arch, name) => {
  expect(machineOfLibrary(readFileSync(join(binaries, platform, arch, name)))).toBe(`${platform} ${arch}`);
});

test('files that are no libraries', () => {
  expect(machineOfLibrary(new Uint8Array(0))).toBeUndefined();
  expect(machineOfLibrary(new TextEncoder().encode('MZ'.padEnd(200, '\xff')))).toBeUndefined();
  expect(machineOfLibrary(new TextEncoder().encode('<html>'.repeat(30)))).toBeUndefined();
});
