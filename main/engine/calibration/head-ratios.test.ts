import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AttentionCalibration } from '../model/attention-calibration.ts';
import { headRatios } from './head-ratios.ts';

const golden = JSON.parse(
  readFileSync(path.join(__dirname, '..', 'testdata', 'golden', 'calibration.json'), 'utf8'),
) as { head_importance: number[][]; layer_importance: number[]; ratio20_importance: number[][] };

function calibration(change: Partial<AttentionCalibration>): AttentionCalibration {
  return {
    formatVersion: 1,
    sourceSha256: 'a'.repeat(64),
    textSha256: 'b'.repeat(64),
    tokens: 1,
    meanLambdaQ: 1,
    meanLambdaK: 1,
    headLambdaQ: [],
    headLambdaK: [],
    meanKey: [],
    lostMass: { grid: [], mass: [] },
    staticRanges: [],
    ...change,
  };
}

const mean = (values: ArrayLike<number>) => Array.from(values).reduce((sum, x) => sum + x, 0) / values.length;

describe('ratios by importance', () => {
  const importance = { tokens: 1152, head: golden.head_importance, layer: golden.layer_importance };

  // Golden importance has five digits, golden ratios four.
  it('are those of the reference for 20 %', () => {
    const ratios = headRatios(calibration({ importance }), 'importance', 0.2);
    const wanted = golden.ratio20_importance.flat();
    expect(ratios).toHaveLength(wanted.length);
    for (const [i, value] of wanted.entries()) expect(ratios?.[i]).toBeCloseTo(value, 3);
  });

  it.each([0.005, 0.05, 0.1, 0.5, 0.9, 1])('have mean %d, none above 1, none below the floor', (r) => {
    const ratios = headRatios(calibration({ importance }), 'importance', r) ?? new Float32Array();
    expect(mean(ratios)).toBeCloseTo(r, 6);
    expect(Math.max(...ratios)).toBeLessThanOrEqual(1);
    expect(Math.min(...ratios)).toBeGreaterThanOrEqual(Math.fround(Math.min(r, 0.01)));
  });

  it('are uniform where no head matters', () => {
    const none = { tokens: 1, head: [[-1, 0]], layer: [2] };
    expect([...(headRatios(calibration({ importance: none }), 'importance', 0.25) ?? [])]).toEqual([0.25, 0.25]);
  });

  it('are not there before the full calibration', () => {
    expect(headRatios(calibration({}), 'importance', 0.2)).toBeUndefined();
  });
});

describe('ratios by lost mass', () => {
  const grid = [0.1, 0.2, 0.4, 1];

  it('go where the lost mass falls most, also past a flat stretch', () => {
    // From 0.1: head 0 wins 4 per ratio up to 0.2; head 1 nothing up to 0.2, but 0.6 / 0.3 = 2 up to 0.4; head 2 is done.
    const mass = [
      [
        [0.5, 0.1, 0.09, 0],
        [0.8, 0.8, 0.2, 0],
        [0, 0, 0, 0],
      ],
    ];
    const ratios = (r: number) =>
      Array.from(headRatios(calibration({ lostMass: { grid, mass } }), 'lost-mass', r) ?? [], (x) => +x.toFixed(5));
    expect(ratios(0.4 / 3)).toEqual([0.2, 0.1, 0.1]);
    expect(ratios(0.5 / 3)).toEqual([0.2, 0.2, 0.1]);
    expect(ratios(0.7 / 3)).toEqual([0.2, 0.4, 0.1]);
    // 0.2 / 0.6 per ratio for head 1 beats 0.09 / 0.8 for head 0.
    expect(ratios(1.3 / 3)).toEqual([0.2, 1, 0.1]);
    // Head 2 has nothing to win: it gets what the others cannot take.
    expect(ratios(2.4 / 3)).toEqual([1, 1, 0.4]);
  });

  it('lose no more mass than any other choice of grid values with the same mean, for convex curves', () => {
    const curves = [
      [0.6, 0.3, 0.1, 0],
      [0.4, 0.35, 0.3, 0],
      [0.9, 0.2, 0.05, 0],
    ];
    const levels = [0, 1, 2, 3].flatMap((a) => [0, 1, 2, 3].flatMap((b) => [0, 1, 2, 3].map((c) => [a, b, c])));
    const lossOf = (choice: readonly number[]) => choice.reduce((sum, level, h) => sum + (curves[h]?.[level] ?? 0), 0);
    const shareOf = (choice: readonly number[]) => choice.reduce((sum, level) => sum + (grid[level] ?? 0), 0);
    const ratios = headRatios(calibration({ lostMass: { grid, mass: [curves] } }), 'lost-mass', 0.9 / 3);
    const chosen = Array.from(ratios ?? [], (x) => grid.findIndex((g) => Math.abs(g - x) < 1e-6));
    const best = Math.min(...levels.filter((choice) => shareOf(choice) <= 0.9 + 1e-9).map(lossOf));
    expect(lossOf(chosen)).toBeCloseTo(best, 12);
  });

  it('are uniform below the grid and 1 at ratio 1', () => {
    const lostMass = {
      grid,
      mass: [
        [
          [0.5, 0.1, 0, 0],
          [0.5, 0.4, 0.3, 0],
        ],
      ],
    };
    expect([...(headRatios(calibration({ lostMass }), 'lost-mass', 0.0625) ?? [])]).toEqual([0.0625, 0.0625]);
    expect([...(headRatios(calibration({ lostMass }), 'lost-mass', 1) ?? [])]).toEqual([1, 1]);
  });
});
