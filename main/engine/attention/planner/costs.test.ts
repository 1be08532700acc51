import { describe, expect, test } from 'vitest';
import { npuCost, PAPER_PHONE, planHeads, stageTime } from './costs.ts';

describe('stage times', () => {
  const grid = {
    keys: [1000, 3000],
    shares: [0.1, 0.3],
    ms: [
      [1, 2],
      [5, 8],
    ],
  };

  test('lie between the points of the grid', () => {
    expect(stageTime(grid, 1000, 0.1)).toBe(1);
    expect(stageTime(grid, 1000, 0.2)).toBeCloseTo(1.5, 12);
    expect(stageTime(grid, 2000, 0.3)).toBeCloseTo(5, 12);
    expect(stageTime(grid, 2000, 0.2)).toBeCloseTo(4, 12);
  });

  test('go on outside it: proportional to keys, straight in the share, never negative', () => {
    expect(stageTime(grid, 6000, 0.1)).toBe(10);
    expect(stageTime(grid, 500, 0.1)).toBe(0.5);
    expect(stageTime(grid, 1000, 0.5)).toBeCloseTo(3, 12);
    expect(stageTime({ ...grid, ms: [[1, 9]] }, 1000, 0)).toBe(0);
  });
});

describe("the paper's phone", () => {
  test('launches 1, 2 and 4 heads in 2, 3 and 4 ms over 2048 keys, half of it over 1024', () => {
    expect(npuCost(PAPER_PHONE, 2048)).toEqual({ 1: 2, 2: 3, 4: 4 });
    expect(npuCost(PAPER_PHONE, 1024)).toEqual({ 1: 1, 2: 1.5, 4: 2 });
  });

  test('a head that keeps twice the keys takes twice the time in qkv', () => {
    const heads = [
      { ratio: 0.2, bucket: 4 },
      { ratio: 0.4, bucket: 1 },
    ];
    const [one, two] = planHeads(PAPER_PHONE, heads, 2000);
    expect(one).toMatchObject({ id: 0, bucket: 4, topk: 2000 / 2048 });
    expect(two).toMatchObject({ id: 1, bucket: 1, topk: 2000 / 2048 });
    expect(one?.qkv).toBeCloseTo((1.65 * 2000) / 2048, 9);
    expect(two?.qkv).toBeCloseTo((2 * 1.65 * 2000) / 2048, 9);
  });

  test('the floor of kept keys counts', () => {
    const [head] = planHeads(PAPER_PHONE, [{ ratio: 0.1, bucket: 0 }], 128, 64);
    expect(head?.qkv).toBeCloseTo(8.25 * (64 / 2048), 9);
  });
});
