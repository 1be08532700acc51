/** The suites of `npm test`: what each runs and needs, and how its result is counted. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { nodeBuild, rendererBuild } from '../setup/app-build.mjs';
import { dependencies } from '../setup/dependencies.mjs';
import { electron, findElectron } from '../setup/electron.mjs';
import { model } from '../setup/model.mjs';
import { native } from '../setup/native.mjs';
import { nodeVersion } from '../setup/node-version.mjs';
import { CACHE, ROOT } from '../setup/paths.mjs';
import { electronLibraries, hasDisplay, newestChromium, virtualDisplay } from '../setup/system-packages.mjs';
import { playwrightCounts, printedCounts, vitestCounts } from './results.mjs';

/** @typedef {'checks' | 'native' | 'unit' | 'e2e' | 'packaged' | 'chromium' | 'screenshots' | 'cross' | 'devices'} Part */
/**
 * @typedef {object} Suite
 * @property {string} name
 * @property {Part} part
 * @property {number} minutes limit after which it is ended and counts as failed
 * @property {() => { command: string, args: string[], env?: NodeJS.ProcessEnv }} start
 * @property {(output: string) => import('./results.mjs').Counts} [count] absent: the suite is one test, its exit code the result
 */

/** Parts that `npm test` runs when none is named, in this order. @type {Part[]} */
export const DEFAULT_PARTS = ['checks', 'native', 'unit', 'e2e'];
/** @type {Part[]} */
export const ALL_PARTS = [...DEFAULT_PARTS, 'packaged', 'chromium', 'screenshots', 'cross', 'devices'];

const REPORTS = join(CACHE, 'test-reports');
const BASE = [nodeVersion, dependencies];
const libraries = electronLibraries(() => electronFound().file);

const WINDOW = [...BASE, native, electron, libraries, virtualDisplay, model, nodeBuild, rendererBuild];

/** Set-up steps that a part needs. @type {Record<Part, import('../setup/steps.mjs').Step[]>} */
export const STEPS = {
  checks: BASE,
  native: [...BASE, native],
  unit: [...BASE, native, model, nodeBuild, rendererBuild],
  e2e: WINDOW,
  packaged: WINDOW,
  chromium: [...WINDOW, newestChromium],
  screenshots: WINDOW,
  cross: [...BASE, native],
  devices: BASE,
};

/**
 * @param {Part} part
 * @param {string[]} [filter] further arguments for the test program, such as a file name
 * @returns {Suite[]}
 */
export function suitesOf(part, filter = []) {
  return {
    checks: [
      check('format and lint', '@biomejs/biome/bin/biome', ['check']),
      check('types', 'typescript/bin/tsc', ['--noEmit']),
      script('dependency rules', 'checks', 'scripts/check-dependencies.mjs'),
      check('unused code', 'knip/bin/knip.js', []),
    ],
    native: [
      script('native kernels', 'native', 'native/test/run.mjs', [], printedCounts),
      script('native kernels under ASan and UBSan', 'native', 'native/test/run.mjs', ['--sanitize'], printedCounts),
      script('native kernels, AVX-512 emulated', 'native', 'native/test/run.mjs', ['--avx512'], printedCounts),
    ],
    unit: [unitSuite(filter)],
    e2e: [windowSuite('end to end in Electron', 'e2e', 'playwright.config.ts', filter)],
    packaged: [
      script('package for Linux', 'packaged', 'scripts/package.mjs', ['linux-dir']),
      windowSuite('end to end in the package', 'packaged', 'packaged/playwright.config.ts', filter),
    ],
    chromium: [windowSuite('the page in the newest Chromium', 'chromium', 'chromium/playwright.config.ts', filter)],
    screenshots: [windowSuite('screenshots', 'screenshots', 'screenshots/playwright.config.ts', filter)],
    cross: [
      script('addon for Windows, x64', 'cross', 'native/build.mjs', ['win32-x64']),
      script('addon for Windows, arm64', 'cross', 'native/build.mjs', ['win32-arm64']),
      script('native kernels, arm64 under qemu', 'cross', 'native/test/run.mjs', ['--arm64'], printedCounts),
      script('native kernels, Windows under wine', 'cross', 'native/test/run.mjs', ['--windows'], printedCounts),
    ],
    devices: [script('devices, the quick part', 'devices', 'scripts/test-devices.mjs', ['--quick'], printedCounts)],
  }[part];
}

/**
 * @param {string} name
 * @param {string} tool path in node_modules
 * @param {string[]} args
 * @returns {Suite}
 */
function check(name, tool, args) {
  return script(name, 'checks', join('node_modules', tool), args);
}

/**
 * @param {string} name
 * @param {Part} part
 * @param {string} file
 * @param {string[]} [args]
 * @param {Suite['count']} [count]
 * @returns {Suite}
 */
function script(name, part, file, args = [], count) {
  return {
    name,
    part,
    minutes: 10,
    start: () => ({ command: process.execPath, args: [join(ROOT, file), ...args] }),
    ...(count === undefined ? {} : { count }),
  };
}

/** @param {string[]} filter @returns {Suite} */
function unitSuite(filter) {
  const report = join(REPORTS, 'unit.json');
  return {
    name: 'unit tests',
    part: 'unit',
    minutes: 20,
    start: () => {
      clear(report);
      const tool = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
      const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
      return { command: process.execPath, args: [tool, 'run', ...reporters, ...filter] };
    },
    count: () => vitestCounts(report),
  };
}

/**
 * Playwright with a window, on a virtual display where there is no other.
 * @param {string} name
 * @param {Part} part
 * @param {string} config in e2e/
 * @param {string[]} filter
 * @returns {Suite}
 */
function windowSuite(name, part, config, filter) {
  const report = join(REPORTS, `${part}.json`);
  return {
    name,
    part,
    minutes: 20,
    start: () => {
      clear(report);
      const tool = join(ROOT, 'node_modules', '@playwright', 'test', 'cli.js');
      const options = ['-c', join(ROOT, 'e2e', config), '--reporter=list,json', '--workers=1'];
      const args = [tool, 'test', ...options, ...filter];
      const { dist } = electronFound();
      const env = {
        ...process.env,
        PLAYWRIGHT_JSON_OUTPUT_FILE: report,
        ...(dist === undefined ? {} : { ELECTRON_OVERRIDE_DIST_PATH: dist }),
      };
      return hasDisplay(process.env)
        ? { command: process.execPath, args, env }
        : { command: 'xvfb-run', args: ['-a', '-s', '-screen 0 1280x900x24', process.execPath, ...args], env };
    },
    count: () => playwrightCounts(report),
  };
}

/** An old report must not be taken for a new one. @param {string} report */
function clear(report) {
  mkdirSync(REPORTS, { recursive: true });
  rmSync(report, { force: true });
}

/** @returns {import('../setup/electron.mjs').Electron} */
function electronFound() {
  const found = findElectron();
  if (found === undefined) throw new Error('Electron is not installed although its step went well');
  return found;
}
