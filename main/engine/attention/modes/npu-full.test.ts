import { describe, expect, test } from 'vitest';
import type { StaticRanges } from '../../model/attention-calibration.ts';
import {
  attendGolden,
  type GoldenTensors,
  goldenFloats,
  goldenPrefixes,
  goldenScore,
  goldenTensors,
  greatestDifference,
  visibleKeys,
} from '../../testdata/golden-head.ts';

const ROWS = 128;
const DIM = 64;

const greatest = (x: Iterable<number>) => [...x].reduce((most, value) => Math.max(most, Math.abs(value)), 0);

function rangesOf(tensors: GoldenTensors, prefix: string): StaticRanges {
  const scores = Array.from({ length: ROWS }, (_, row) =>
    greatest(visibleKeys(row).map((key) => goldenScore(tensors, row, key))),
  );
  return {
    q: greatest(tensors.q),
    k: greatest(tensors.k),
    v: greatest(tensors.v),
    scores: greatest(scores),
    out: greatest(goldenFloats(`${prefix}out_full.bin`)),
  };
}

/** Reference npu_full in float64: every tensor rounded to INT8 and back. */
function plainNpuFull({ q, k, v }: GoldenTensors, ranges: StaticRanges): Float64Array {
  const round = (x: number, range: number) => {
    const lambda = Math.fround(Math.fround(range) / 127);
    return Math.max(-127, Math.min(127, Math.round(Math.fround(x / lambda)))) * lambda;
  };
  const [q8, k8, v8] = (
    [
      [q, ranges.q],
      [k, ranges.k],
      [v, ranges.v],
    ] as const
  ).map(([x, range]) => Array.from(x, (value) => round(value, range)));
  const out = new Float64Array(ROWS * DIM);
  for (let row = 0; row < ROWS; row++) {
    const keys = visibleKeys(row);
    const scores = keys.map((key) => {
      let sum = 0;
      for (let d = 0; d < DIM; d++) sum += (q8?.[row * DIM + d] ?? 0) * (k8?.[key * DIM + d] ?? 0);
      return round(sum / 8, ranges.scores);
    });
    const most = Math.max(...scores);
    const exponentials = scores.map((score) => Math.exp(score - most));
    const total = exponentials.reduce((sum, value) => sum + value, 0);
    const weights = exponentials.map((value) => Math.round((value / total) * 127) / 127);
    for (let d = 0; d < DIM; d++) {
      const value = keys.reduce((sum, key, i) => sum + (weights[i] ?? 0) * (v8?.[key * DIM + d] ?? 0), 0);
      out[row * DIM + d] = round(value, ranges.out);
    }
  }
  return out;
}

describe.each(goldenPrefixes)('npu-full on %s', (prefix) => {
  const tensors = goldenTensors(prefix);
  const ranges = rangesOf(tensors, prefix);

  test('equals a plain computation of the reference formulas', () => {
    const out = attendGolden(tensors, { mode: 'npu-full' }, { staticRanges: [ranges] });
    const plain = plainNpuFull(tensors, ranges);
    const step = ranges.out / 127;
    const off = out.reduce((count, value, i) => count + (Math.abs(value - (plain[i] ?? 0)) > step / 2 ? 1 : 0), 0);
    // Float32 may move a value over a rounding border: by one step, and seldom.
    expect(greatestDifference(out, plain)).toBeLessThan(2.5 * step);
    expect(off / out.length).toBeLessThan(0.005);
  });

  test('differs from full attention by what INT8 weights leave out', () => {
    const out = attendGolden(tensors, { mode: 'npu-full' }, { staticRanges: [ranges] });
    const difference = greatestDifference(out, goldenFloats(`${prefix}out_full.bin`));
    expect(difference).toBeGreaterThan(ranges.out / 127);
    expect(difference).toBeLessThan(ranges.v);
  });
});
