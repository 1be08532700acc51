import { expect, test } from 'vitest';
import { type GoldenRules, goldenJson } from '../testdata/golden.ts';
import { keepCount } from './keep-count.ts';

test('every golden triple', () => {
  for (const [ratio, visible, k] of goldenJson<GoldenRules>('rules').keep_count) {
    expect([ratio, visible, keepCount(ratio, visible)]).toEqual([ratio, visible, k]);
  }
});

test('the floor holds, but never beyond what is visible', () => {
  expect(keepCount(0.2, 1000, 64)).toBe(200);
  expect(keepCount(0.2, 100, 64)).toBe(64);
  expect(keepCount(0.2, 40, 64)).toBe(40);
  expect(keepCount(1, 777)).toBe(777);
});
