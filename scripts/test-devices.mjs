/**
 * `npm run test:devices [-- --quick | FILES]`: what can be proven about devices that are not here. Windows runs under wine with Qualcomm's
 * NPU simulator, Linux arm64 under qemu, WebGPU on a GPU in software, OpenVINO's library beside the ONNX Runtime that ships.
 * As root on Debian and Ubuntu it installs what is missing; otherwise the tests that need it are skipped and say why. The last
 * line is `N passed, N failed, N skipped`. --quick leaves out all that needs a cross build or an emulator.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { QEMU_PACKAGES } from './emulators/qemu.mjs';
import { WINE_PACKAGES } from './emulators/wine.mjs';
import { fetchProvider, providersFor } from './providers-fetch.mjs';
import { nodeBuild } from './setup/app-build.mjs';
import { dependencies } from './setup/dependencies.mjs';
import { electron } from './setup/electron.mjs';
import { reasonOf } from './setup/errors.mjs';
import { model } from './setup/model.mjs';
import { native } from './setup/native.mjs';
import { nodeVersion } from './setup/node-version.mjs';
import { CACHE, ROOT } from './setup/paths.mjs';
import { print, setUp } from './setup/steps.mjs';
import { install, onPath } from './setup/system-packages.mjs';
import { judged, vitestCounts } from './test/results.mjs';

const QUICK_FILES = ['/linux.devices', '/webgpu.devices'];
const ARGUMENTS = process.argv.slice(2);
const QUICK = ARGUMENTS.includes('--quick');
const TARGETS = QUICK ? ['linux-x64'] : ['linux-x64', 'linux-arm64', 'win32-x64'];
const REPORT = join(CACHE, 'test-reports', 'devices.json');

if (!(await setUp([nodeVersion, dependencies, native, model, nodeBuild]))) {
  console.log('0 passed, 1 failed, 0 skipped');
  process.exitCode = 1;
} else {
  await optional('Electron with its software GPU', async () => {
    if (!(await setUp([electron]))) throw new Error('see above');
  });
  if (process.platform === 'linux' && !QUICK) {
    await optional('wine', () => packages('wine', WINE_PACKAGES));
    await optional('qemu', () => packages('qemu-aarch64-static', QEMU_PACKAGES));
  }
  for (const target of TARGETS) await optional(`libraries for ${target}`, () => libraries(target));
  process.exitCode = await test(QUICK ? QUICK_FILES : ARGUMENTS);
}

/** A failure here only means that some tests are skipped. @param {string} name @param {() => Promise<void>} work */
async function optional(name, work) {
  try {
    await work();
  } catch (error) {
    print(`${name}: not to be had, so tests will be skipped: ${reasonOf(error)}`);
  }
}

/** @param {string} program @param {string[]} names */
async function packages(program, names) {
  if (!onPath(program)) await install(names, print, `${program} is missing`);
}

/** @param {string} target */
async function libraries(target) {
  for (const provider of providersFor(target)) await fetchProvider(target, provider, print);
}

/** @param {string[]} filter @returns {Promise<number>} exit code */
async function test(filter) {
  mkdirSync(dirname(REPORT), { recursive: true });
  rmSync(REPORT, { force: true }); // an old report must not be taken for a new one
  const tool = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
  const options = ['--config', join(ROOT, 'vitest.devices.config.ts'), '--reporter=verbose', '--reporter=json'];
  const args = [tool, 'run', ...options, `--outputFile.json=${REPORT}`, ...filter];
  const endedWell = await new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] });
    child.on('close', (code) => resolve(code === 0));
    child.on('error', () => resolve(false));
  });
  const counts = existsSync(REPORT) ? vitestCounts(REPORT) : { passed: 0, failed: 0, skipped: 0 };
  const { passed, failed, skipped } = judged(counts, endedWell);
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  return failed === 0 ? 0 : 1;
}
