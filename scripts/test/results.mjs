/** Reads how many tests passed and failed from what a test program reports. */
import { readFileSync } from 'node:fs';

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

/**
 * Vitest's JSON report. A file that could not be loaded has no tests, yet it failed.
 * @param {string} file
 * @returns {Counts}
 */
export function vitestCounts(file) {
  const report = JSON.parse(readFileSync(file, 'utf8'));
  /** @type {{ status: string, assertionResults: unknown[] }[]} */
  const files = report.testResults;
  const broken = files.filter((entry) => entry.status === 'failed' && entry.assertionResults.length === 0).length;
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/**
 * Playwright's JSON report. A flaky test failed once: it counts as failed.
 * @param {string} file
 * @returns {Counts}
 */
export function playwrightCounts(file) {
  const { stats, errors } = JSON.parse(readFileSync(file, 'utf8'));
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky + errors.length, skipped: stats.skipped };
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
