import { expect, test } from 'vitest';
import { type GoldenAttention, goldenJson } from '../testdata/golden.ts';
import { bucketIndex, coveringScale, nearestScale } from './scale-buckets.ts';

test('golden heads take the golden bucket and its scales', () => {
  const golden = goldenJson<GoldenAttention>('attention');
  for (const head of golden.heads) {
    const q = nearestScale(head.lambda_exact[0], golden.mean_lambda_q, golden.sigma);
    const k = nearestScale(head.lambda_exact[1], golden.mean_lambda_k, golden.sigma);
    expect(bucketIndex(q, k)).toBe(head.bucket);
    expect([q.lambda, k.lambda]).toEqual(head.lambda_used);
  }
});

test('the nearest scale on each side, the smaller at a tie', () => {
  expect(nearestScale(0.01, 1).index).toBe(0);
  expect(nearestScale(0.75, 1).index).toBe(0);
  expect(nearestScale(0.76, 1).index).toBe(1);
  expect(nearestScale(1.51, 1).index).toBe(2);
  expect(nearestScale(1e9, 1)).toEqual({ index: 2, lambda: 2 });
});

test('the covering scale is the smallest of at least 0.85 lambda, or the largest', () => {
  expect(coveringScale(0.8, 1)).toEqual({ index: 0, lambda: Math.fround(0.7) });
  expect(coveringScale(0.83, 1).index).toBe(1);
  expect(coveringScale(1.17, 1).index).toBe(1);
  expect(coveringScale(1.18, 1).index).toBe(2);
  expect(coveringScale(9, 1).index).toBe(2);
});
