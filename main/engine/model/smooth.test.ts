/** SmoothQuant factors: products stay, nothing becomes infinite, groups share. */
import { expect, it } from 'vitest';
import { maxPerValueChannel, smoothingFactors, spreadToOutputs } from './smooth.ts';

it('splits the range of an outlier channel evenly between both sides, geometric mean 1', () => {
  const activation = new Float32Array([1, 100, 1, 4]);
  const weight = new Float32Array([1, 1, 4, 1]);
  const s = smoothingFactors(activation, weight);
  const products = s.reduce((product, value) => product * value, 1);
  expect(products).toBeCloseTo(1, 5);
  for (let c = 0; c < s.length; c++) {
    const [left, right] = [(activation[c] ?? 0) / (s[c] ?? 0), (weight[c] ?? 0) * (s[c] ?? 0)];
    const [left0, right0] = [(activation[0] ?? 0) / (s[0] ?? 0), (weight[0] ?? 0) * (s[0] ?? 0)];
    expect(left / right).toBeCloseTo(left0 / right0, 4);
  }
});

it('channels that are never used give finite factors above 0', () => {
  const s = smoothingFactors(new Float32Array([0, 1, 3e4, 0]), new Float32Array([0, 0, 1, 1]));
  expect(s.every((value) => Number.isFinite(value) && value > 0)).toBe(true);
});

it('heads of a group share the factors of their value channels', () => {
  const shape = { nHead: 4, nHeadKv: 2, headDim: 2 };
  const perValue = maxPerValueChannel(new Float32Array([1, 2, 3, 0, 5, 6, 4, 9]), shape);
  expect([...perValue]).toEqual([3, 2, 5, 9]);
  expect([...spreadToOutputs(perValue, shape)]).toEqual([3, 2, 3, 2, 5, 9, 5, 9]);
});
