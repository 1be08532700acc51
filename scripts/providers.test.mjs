/** The pinned wheels, and what of a wheel is kept. Nothing is fetched. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { providersFor, unpack } from './providers-fetch.mjs';
import { findPython } from './setup/python.mjs';
import { run } from './setup/run.mjs';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'providers-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ['linux-x64', ['openvino']],
  ['linux-arm64', ['qnn']],
  ['win32-x64', ['openvino', 'qnn']],
  ['win32-arm64', ['qnn']],
])('%s: pinned by version, size and digest', (platform, names) => {
  const providers = providersFor(platform);
  expect(providers.map(({ name }) => name)).toEqual(names);
  for (const { requirement, bytes, sha256, tags } of providers) {
    expect(requirement).toMatch(/^[a-z-]+==\d+\.\d+\.\d+$/);
    expect(sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(bytes).toBeGreaterThan(1e6);
    expect(tags[0]).toBe('--platform');
  }
});

test('an unknown platform is refused with those that are known', () => {
  expect(() => providersFor('darwin-arm64')).toThrow(
    expect.objectContaining({ advice: expect.stringContaining('win32-arm64') }),
  );
});

test('native files and licences are kept; Python code, tools and second names are not', async () => {
  const python = await findPython('for a test');
  const wheel = join(folder, 'x.whl');
  const write = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], 'w') as wheel:
    for name in sys.argv[2:]:
        wheel.writestr(name, name)
`;
  const [program = '', ...first] = python;
  await run(program, [
    ...first,
    '-c',
    write,
    wheel,
    'pkg/__init__.py',
    'pkg/libonnxruntime_providers_x.so',
    'pkg/libs/amd64/onnxruntime_providers_x.dll',
    'pkg/libdep.so.12',
    'pkg/libqnnhtpv73.cat',
    'pkg/LICENSE',
    'pkg/Vendor_LICENSE.pdf',
    'pkg/third-party-programs.txt',
    'pkg/libGenie.so',
    'pkg/libonnxruntime_providers_openvino_plugin.so.1',
    'pkg-1.0.dist-info/METADATA',
    'pkg-1.0.dist-info/RECORD',
  ]);
  const out = join(folder, 'out');
  await unpack(python, wheel, out);
  expect(readdirSync(out).sort()).toEqual(
    [
      'LICENSE',
      'METADATA',
      'Vendor_LICENSE.pdf',
      'amd64',
      'libdep.so.12',
      'libonnxruntime_providers_x.so',
      'libqnnhtpv73.cat',
      'third-party-programs.txt',
    ].sort(),
  );
  expect(readFileSync(join(out, 'amd64', 'onnxruntime_providers_x.dll'), 'utf8')).toMatch(/amd64/);
});
