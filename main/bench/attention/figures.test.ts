import { describe, expect, it } from 'vitest';
import {
  attentionFigures,
  attentionRows,
  FULL,
  INT8,
  ORT_GROUP_QUERY,
  ORT_MULTI_HEAD,
  PAPER,
  SHADOW,
  SHADOW_GIVEN,
} from './figures.ts';

const times = (scale: number) =>
  new Map([
    [FULL, [4, 8, 4].map((ms) => ms * scale)],
    [INT8, [2, 4, 2].map((ms) => ms * scale)],
    [ORT_MULTI_HEAD, [6, 8, 8].map((ms) => ms * scale)],
    [ORT_GROUP_QUERY, [5, 8, 6].map((ms) => ms * scale)],
    [SHADOW, [1, 2, 2].map((ms) => ms * scale)],
    [SHADOW_GIVEN, [1, 1, 1].map((ms) => ms * scale)],
  ]);

describe('attention figures', () => {
  it('compares within rounds with our fp32 and with our fastest dense', () => {
    const rows = attentionRows(1024, times(1), new Map([[SHADOW, 7]]));
    const shadow = rows.find(({ name }) => name === SHADOW);
    expect(shadow?.ms.median).toBe(2);
    expect(shadow?.vsFp32).toEqual({ median: 4, low: 3, high: 4 });
    expect(shadow?.vsBestDense.median).toBe(2);
    expect(shadow?.extraBytes).toBe(7);
    expect(rows.find(({ name }) => name === FULL)?.extraBytes).toBeNull();
  });

  it('are means over 1024, 2048 and 4096 keys only, and missing where one of them was not run', () => {
    const rows = [1024, 2048, 4096, 8192].flatMap((n) => attentionRows(n, times(n / 1024), new Map()));
    expect(attentionFigures(rows)).toEqual({
      kernel_pilot_elsewhere_vs_fp32: 4,
      kernel_cpu_only_vs_fp32: 4,
      kernel_cpu_only_vs_best_dense: 2,
      // The faster operator: median of 4 / 5, 8 / 8, 4 / 6.
      dense_vs_ort: 1.25,
    });
    // The other one: of 4 / 6, 8 / 8, 4 / 8.
    const slower = rows.filter(({ name }) => name !== ORT_GROUP_QUERY);
    expect(attentionFigures(slower).dense_vs_ort).toBe(1.5);
    expect(attentionFigures(rows.filter(({ n }) => n !== 2048))).toEqual({});
    expect(rows.some(({ name }) => name === PAPER)).toBe(false);
  });
});
