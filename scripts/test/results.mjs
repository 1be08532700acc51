/** Reads how many tests passed and failed from what a test program reports. */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ROOT } from '../setup/paths.mjs';

/**
 * @typedef {{ passed: number, failed: number, skipped: number, failures?: string[] }} Counts
 * `failures`: a line for each test that failed, where the program names them
 */

/** Of a failure's message, what stands in the summary. */
const LINES_SHOWN = 3;

/**
 * Vitest's JSON report. A file that could not be loaded has no tests, yet it failed.
 * @param {string} file
 * @returns {Counts}
 */
export function vitestCounts(file) {
  const report = JSON.parse(readFileSync(file, 'utf8'));
  /** @type {{ status: string, name: string, message: string, assertionResults: { status: string, fullName: string, failureMessages: string[] }[] }[]} */
  const files = report.testResults;
  const broken = files.filter((entry) => entry.status === 'failed' && entry.assertionResults.length === 0);
  const failed = files.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => failure(`${relative(ROOT, name)}: ${fullName}`, failureMessages[0])),
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + report.numTodoTests,
    failures: [...failed, ...broken.map(({ name, message }) => failure(relative(ROOT, name), message))],
  };
}

/**
 * Playwright's JSON report. A flaky test failed once: it counts as failed.
 * @param {string} file
 * @returns {Counts}
 */
export function playwrightCounts(file) {
  /** @type {{ stats: Record<'expected' | 'unexpected' | 'flaky' | 'skipped', number>, errors: { message?: string }[], suites: PlaywrightSuite[] }} */
  const { stats, errors, suites } = JSON.parse(readFileSync(file, 'utf8'));
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + errors.length,
    skipped: stats.skipped,
    failures: [...suites.flatMap(failedSpecs), ...errors.map(({ message }) => failure('outside the tests', message))],
  };
}

/** @typedef {{ title: string, file: string, tests: { status: string, results: { errors?: { message?: string }[] }[] }[] }} PlaywrightSpec */
/** @typedef {{ specs?: PlaywrightSpec[], suites?: PlaywrightSuite[] }} PlaywrightSuite */

/**
 * @param {PlaywrightSuite} suite
 * @returns {string[]}
 */
function failedSpecs({ specs = [], suites = [] }) {
  const own = specs
    .filter(({ tests }) => tests.some(({ status }) => status === 'unexpected' || status === 'flaky'))
    .map(({ title, file, tests }) => {
      const messages = tests.flatMap(({ results }) => results.flatMap(({ errors = [] }) => errors));
      return failure(`${file}: ${title}`, messages[0]?.message);
    });
  return [...own, ...suites.flatMap(failedSpecs)];
}

/**
 * @param {string} test
 * @param {string} [message]
 */
function failure(test, message = '') {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => line.trim() !== '');
  return [test, ...lines.slice(0, LINES_SHOWN).map((line) => `    ${line.slice(0, 200)}`)].join('\n');
}

/**
 * Every line `N passed, N failed` in a program's output, which may go on with `, N skipped`, added up; a line
 * `skipped: reason` is one skipped test.
 * @param {string} output
 * @returns {Counts}
 */
export function printedCounts(output) {
  const counts = { passed: 0, failed: 0, skipped: [...output.matchAll(/^skipped: /gm)].length };
  for (const [, ...found] of output.matchAll(/^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?\s*$/gm)) {
    const [passed = 0, failed = 0, skipped = 0] = found.map((count) => Number(count ?? 0));
    counts.passed += passed;
    counts.failed += failed;
    counts.skipped += skipped;
  }
  return counts;
}

/**
 * The counts that stand in the summary: a program that failed without a failed test, or ran no test, is one failure.
 * @param {Counts} counts
 * @param {boolean} endedWell exit code 0
 * @returns {Counts}
 */
export function judged(counts, endedWell) {
  const silent = counts.failed === 0 && (!endedWell || counts.passed + counts.skipped === 0);
  return silent ? { ...counts, failed: 1 } : counts;
}
