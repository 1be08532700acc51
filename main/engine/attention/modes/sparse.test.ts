import { describe, expect, test } from 'vitest';
import {
  attendGolden,
  goldenFloats,
  goldenPrefixes,
  goldenScore,
  goldenTensors,
  greatestDifference,
  plainAttention,
  visibleKeys,
} from '../../testdata/golden-head.ts';

describe.each(goldenPrefixes)('sparse on %s', (prefix) => {
  const tensors = goldenTensors(prefix);

  test('keeps the best keys by float scores: equals a plain float64 selection and attention', () => {
    const out = attendGolden(tensors, { mode: 'sparse', ratio: 0.2 });
    const keeps = (row: number) => {
      const scores = visibleKeys(row).map((key) => [key, goldenScore(tensors, row, key)] as const);
      const count = Math.floor(0.2 * scores.length + 0.5);
      return scores
        .sort((a, b) => b[1] - a[1] || a[0] - b[0])
        .slice(0, count)
        .map(([key]) => key);
    };
    // The golden rows have no two scores at the threshold that float32 would swap.
    expect(greatestDifference(out, plainAttention(tensors, keeps))).toBeLessThan(1e-5);
  });

  test('at ratio 1 is full attention', () => {
    const out = attendGolden(tensors, { mode: 'sparse', ratio: 1 });
    expect(greatestDifference(out, goldenFloats(`${prefix}out_full.bin`))).toBeLessThan(1e-5);
  });
});

test('larger scores first, then earlier keys, negative ones and minus zero included', () => {
  const { q, k, v } = goldenTensors(goldenPrefixes[0] ?? '');
  // Scores are q[0] * k[0] alone: key 0 is -0, keys 1 and 2 are 0, key 3 is best, all others are negative.
  q.fill(0);
  for (let row = 0; row < 128; row++) q[row * 64] = 1;
  k.fill(0);
  for (let key = 0; key < 512; key++) k[key * 64] = -1 - key;
  [-0, 0, 0, 2].forEach((value, key) => {
    k[key * 64] = value;
  });
  const out = attendGolden({ q, k, v }, { mode: 'sparse', ratio: 0.001, minKeys: 3 });
  expect(
    greatestDifference(
      out,
      plainAttention({ q, k, v }, () => [0, 1, 3]),
    ),
  ).toBeLessThan(1e-5);
});
