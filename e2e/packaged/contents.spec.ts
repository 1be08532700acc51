/** What lies in the package, and what its program lets itself be used for. */
import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { filesOf, PACKAGE } from './package.ts';

const PROGRAM = path.join(PACKAGE, 'shadownpu');
const UNPACKED = path.join('resources', 'app.asar.unpacked');
const files = () => filesOf(PACKAGE).filter((file) => statSync(path.join(PACKAGE, file)).isFile());

test('native code lies outside the archive, for this system only', () => {
  const native = files().filter((file) => /\.(node|dll|dylib)$|onnxruntime\.so/.test(file));
  expect(native).toEqual([
    path.join(UNPACKED, 'native/build/linux-x64/shadownpu.node'),
    path.join(UNPACKED, 'node_modules/@photostructure/sqlite/prebuilds/linux-x64/@photostructure+sqlite.glibc.node'),
    path.join(UNPACKED, 'node_modules/@photostructure/sqlite/prebuilds/linux-x64/@photostructure+sqlite.musl.node'),
    path.join(UNPACKED, 'node_modules/onnxruntime-node/bin/napi-v6/linux/x64/libonnxruntime.so.1'),
  ]);
});

test('no model, no source map, nothing of another app', () => {
  expect(files().filter((file) => /\.(gguf|onnx|map)$|(^|\/)(app|default_app)(\.asar)?\//.test(file))).toEqual([]);
});

test('licences lie beside the program', () => {
  const notices = readFileSync(path.join(PACKAGE, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
  const brought = filesOf(path.join(PACKAGE, UNPACKED, 'node_modules')).filter((file) => file.endsWith('package.json'));
  expect(brought.length).toBeGreaterThan(2);
  for (const file of brought) expect(notices).toContain(`\n${path.dirname(file)} `);
  expect(files()).toEqual(expect.arrayContaining(['LICENSE', 'LICENSE.electron.txt', 'LICENSES.chromium.html']));
});

test('the program still runs as Node, which self-tests of devices need', () => {
  const { stdout } = spawnSync(PROGRAM, ['-p', '6 * 7'], {
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    encoding: 'utf8',
  });
  expect(stdout).toBe('42\n');
});
