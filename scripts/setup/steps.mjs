/**
 * Runs set-up steps in order: skips what is ready, says what it does, and on failure names the step, the reason and
 * the remedy. Everything goes to stderr, so that a command's own output stays clean.
 */
import { mkdirSync } from 'node:fs';
import { reasonOf, SetupError } from './errors.mjs';
import { withLock } from './lock.mjs';
import { CACHE } from './paths.mjs';

/**
 * @typedef {object} Step
 * @property {string} name as people read it
 * @property {() => boolean | Promise<boolean>} ready a check of milliseconds: is there nothing to do?
 * @property {(say: (text: string) => void) => Promise<void>} run does the work; `say` shows progress
 */

/** @param {string} text */
export function print(text) {
  process.stderr.write(`${text}\n`);
}

/**
 * @param {Step[]} steps
 * @returns {Promise<boolean>} false when a step failed; its message has been printed
 */
export async function setUp(steps) {
  if (await allReady(steps)) return true;
  mkdirSync(CACHE, { recursive: true });
  return withLock(
    `${CACHE}/setup.lock`,
    'Another set-up of this project is running; waiting for it.',
    print,
    async () => {
      for (const step of steps) {
        if (!(await attempt(step))) return false;
      }
      return true;
    },
  );
}

/** @param {Step[]} steps */
async function allReady(steps) {
  for (const step of steps) {
    try {
      if (!(await step.ready())) return false;
    } catch {
      return false; // `attempt` meets the same error where it can be explained
    }
  }
  return true;
}

/** @param {Step} step */
async function attempt(step) {
  const started = Date.now();
  try {
    if (await step.ready()) return true;
    print(`- ${step.name} ...`);
    await step.run(progressPrinter(step.name));
    print(`- ${step.name}: done in ${((Date.now() - started) / 1000).toFixed(1)} s`);
    return true;
  } catch (error) {
    print(`\nSet-up stopped at the step "${step.name}".`);
    print(`Why: ${reasonOf(error)}`);
    print(
      `What to do: ${error instanceof SetupError ? error.advice : 'this is a fault of the set-up script; please report it.'}`,
    );
    if (!(error instanceof SetupError) && error instanceof Error && error.stack !== undefined) print(error.stack);
    return false;
  }
}

/**
 * Progress appears at most every five seconds; whole sentences (they end with a full stop) always do.
 * @param {string} name
 * @returns {(text: string) => void}
 */
function progressPrinter(name) {
  let last = 0;
  return (text) => {
    const now = Date.now();
    if (now - last < 5_000 && !text.endsWith('.')) return;
    last = now;
    print(`  ${name}: ${text}`);
  };
}
