/** `npm test`: sets up what is missing, runs every suite to its end and closes with one line `N passed, N failed`. */
import { spawn } from 'node:child_process';
import { reasonOf } from './setup/errors.mjs';
import { ROOT } from './setup/paths.mjs';
import { print, setUp } from './setup/steps.mjs';
import { judged } from './test/results.mjs';
import { ALL_PARTS, DEFAULT_PARTS, STEPS, suitesOf } from './test/suites.mjs';

const HELP = `npm test [-- PARTS [-- ARGUMENTS]]

Runs all tests, or the parts named: ${ALL_PARTS.join(', ')}.
  checks  formatting, lint, types, dependency rules, unused code
  native  the C++ kernels on every instruction set of this machine, plain and under sanitizers
  unit    Vitest: the engine on the real model, storage, window components, scripts
  e2e     Playwright: the app in a real Electron window
  packaged optional: a package for Linux is built, and its app started and asked
  chromium optional: the checks of the page in the system's Chromium, in front of the real app
  screenshots optional: pictures of every screen, into docs/screenshots
  cross   optional: the addon is compiled for Windows; the kernels for arm64 (qemu) and Windows (wine), where those tools are installed
  devices optional: the quick part of "npm run test:devices"
Arguments after a second -- go to Vitest or Playwright, for instance: npm test -- unit -- main/storage`;

process.exitCode = await main(process.argv.slice(2));

/**
 * @param {string[]} args
 * @returns {Promise<number>} exit code
 */
async function main(args) {
  if (args.includes('--help')) {
    console.log(HELP);
    return 0;
  }
  const split = args.indexOf('--');
  const named = split < 0 ? args : args.slice(0, split);
  const filter = split < 0 ? [] : args.slice(split + 1);
  const unknown = named.filter((name) => !ALL_PARTS.some((part) => part === name));
  if (unknown.length > 0) {
    print(`Unknown part: ${unknown.join(', ')}\n\n${HELP}`);
    return 2;
  }
  const parts = named.length === 0 ? DEFAULT_PARTS : ALL_PARTS.filter((part) => named.includes(part));
  const steps = new Set(parts.flatMap((part) => STEPS[part]));
  if (!(await setUp([...steps]))) {
    console.log('0 passed, 1 failed');
    return 1;
  }

  /** @type {Row[]} */
  const rows = [];
  for (const suite of parts.flatMap((part) => suitesOf(part, filter))) {
    console.log(`\n=== ${suite.name}`);
    const started = Date.now();
    const counts = await runSuite(suite);
    rows.push({ name: suite.name, seconds: (Date.now() - started) / 1000, ...counts });
  }
  return summarise(rows);
}

/** @typedef {{ name: string, seconds: number } & import('./test/results.mjs').Counts} Row */

/**
 * @param {import('./test/suites.mjs').Suite} suite
 * @returns {Promise<import('./test/results.mjs').Counts>}
 */
async function runSuite(suite) {
  try {
    const { output, endedWell } = await follow(suite);
    const whole = { passed: endedWell ? 1 : 0, failed: endedWell ? 0 : 1, skipped: 0 };
    return judged(suite.count?.(output) ?? whole, endedWell);
  } catch (error) {
    console.log(`The suite "${suite.name}" gave no result: ${reasonOf(error)}`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

/**
 * Shows the program's output as it comes and keeps it for counting.
 * @param {import('./test/suites.mjs').Suite} suite
 * @returns {Promise<{ output: string, endedWell: boolean }>}
 */
function follow(suite) {
  const { command, args, env = process.env } = suite.start();
  return new Promise((resolve, reject) => {
    const colour = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {};
    const child = spawn(command, args, { cwd: ROOT, env: { ...env, ...colour }, stdio: ['ignore', 'pipe', 'inherit'] });
    const timer = setTimeout(() => {
      console.log(`Ended after ${suite.minutes} minutes.`);
      child.kill('SIGTERM');
      setTimeout(() => child.kill('SIGKILL'), 5_000).unref();
    }, suite.minutes * 60_000);
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      output += chunk;
      process.stdout.write(chunk);
    });
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ output, endedWell: code === 0 });
    });
  });
}

/**
 * @param {Row[]} rows
 * @returns {number} exit code
 */
function summarise(rows) {
  console.log('');
  // Named last: of a long log often only the end is kept.
  for (const failure of rows.flatMap(({ failures = [] }) => failures)) console.log(`FAILED ${failure}`);
  for (const { name, seconds, passed, failed, skipped } of rows) {
    const notes = skipped > 0 ? `, ${skipped} skipped` : '';
    console.log(
      `${failed > 0 ? 'FAIL' : 'ok  '}  ${name}: ${passed} passed, ${failed} failed${notes} (${seconds.toFixed(0)} s)`,
    );
  }
  const sum = (/** @type {'passed' | 'failed'} */ key) => rows.reduce((total, row) => total + row[key], 0);
  console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
  return sum('failed') > 0 ? 1 : 0;
}
