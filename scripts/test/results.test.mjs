import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ROOT } from '../setup/paths.mjs';
import { judged, playwrightCounts, printedCounts, vitestCounts } from './results.mjs';

const folder = mkdtempSync(join(tmpdir(), 'results-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** @param {unknown} value */
function report(value) {
  const file = join(folder, 'report.json');
  writeFileSync(file, JSON.stringify(value));
  return file;
}

test('Vitest: a file that did not load counts as a failure', () => {
  const file = report({
    numPassedTests: 5,
    numFailedTests: 1,
    numPendingTests: 2,
    numTodoTests: 1,
    testResults: [
      {
        status: 'failed',
        name: join(ROOT, 'a.test.ts'),
        assertionResults: [
          {
            status: 'failed',
            fullName: 'adds',
            failureMessages: ['\u001b[31mError: 1\u001b[39m\n\n at a\n at b\n at c'],
          },
          { status: 'passed', fullName: 'subtracts', failureMessages: [] },
        ],
      },
      { status: 'failed', name: join(ROOT, 'b.test.ts'), message: 'no such module', assertionResults: [] },
      { status: 'passed', name: join(ROOT, 'c.test.ts'), assertionResults: [] },
    ],
  });
  expect(vitestCounts(file)).toEqual({
    passed: 5,
    failed: 2,
    skipped: 3,
    failures: ['a.test.ts: adds\n    Error: 1\n     at a\n     at b', 'b.test.ts\n    no such module'],
  });
});

test('Playwright: flaky tests and errors outside tests count as failures', () => {
  const specs = [
    {
      title: 'opens',
      file: 'a.spec.ts',
      tests: [{ status: 'flaky', results: [{ errors: [{ message: 'late' }] }, {}] }],
    },
    { title: 'closes', file: 'a.spec.ts', tests: [{ status: 'expected', results: [{ errors: [] }] }] },
  ];
  const inner = [
    {
      title: 'drops',
      file: 'b.spec.ts',
      tests: [{ status: 'unexpected', results: [{ errors: [{ message: 'no' }] }] }],
    },
  ];
  const file = report({
    stats: { expected: 7, unexpected: 1, flaky: 1, skipped: 2 },
    errors: [{ message: 'no browser' }],
    suites: [{ specs, suites: [{ specs: inner }] }],
  });
  expect(playwrightCounts(file)).toEqual({
    passed: 7,
    failed: 3,
    skipped: 2,
    failures: ['a.spec.ts: opens\n    late', 'b.spec.ts: drops\n    no', 'outside the tests\n    no browser'],
  });
});

test('printed counts are added up over several lines', () => {
  expect(printedCounts('avx2\n12 passed, 0 failed\nscalar\n3 passed, 1 failed\r\nnot 9 passed, 9 failed\n')).toEqual({
    passed: 15,
    failed: 1,
    skipped: 0,
  });
});

test('a printed skip is counted as such', () => {
  expect(printedCounts('skipped: wine is not installed\n')).toEqual({ passed: 0, failed: 0, skipped: 1 });
  expect(printedCounts('4 passed, 0 failed, 2 skipped\n')).toEqual({ passed: 4, failed: 0, skipped: 2 });
});

test('a program that ended badly or ran nothing is never a success', () => {
  expect(judged({ passed: 4, failed: 0, skipped: 0 }, false).failed).toBe(1);
  expect(judged({ passed: 0, failed: 0, skipped: 0 }, true).failed).toBe(1);
  expect(judged({ passed: 0, failed: 0, skipped: 3 }, true).failed).toBe(0);
  expect(judged({ passed: 4, failed: 2, skipped: 0 }, false).failed).toBe(2);
});
