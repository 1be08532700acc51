import { describe, expect, it } from 'vitest';
import { mean, quantile, ratios, spread } from './statistics.ts';

describe('statistics', () => {
  it('takes medians and quartiles of unsorted values', () => {
    expect(spread([5, 1, 4, 2, 3])).toEqual({ median: 3, low: 2, high: 4 });
    expect(spread([4, 1, 2, 10])).toEqual({ median: 3, low: 1.75, high: 5.5 });
    expect(spread([7])).toEqual({ median: 7, low: 7, high: 7 });
    expect(quantile([], 0.5)).toBeNaN();
  });

  it('compares within a round: not the ratio of the medians', () => {
    // The second round was three times slower for both sides.
    expect(ratios([10, 30, 12], [5, 15, 4])).toEqual({ median: 2, low: 2, high: 2.5 });
    expect(() => ratios([1, 2], [1])).toThrow(RangeError);
  });

  it('means', () => {
    expect(mean([1, 2, 6])).toBe(3);
  });
});
