import { expect, test } from 'vitest';
import { halfToFloat } from '../model/dequant-half.ts';
import { packInt4, roundPerChannel, toHalf, toHalfTransposed } from './device-rounding.ts';

test('every float16 is its own nearest', () => {
  const wrong: number[] = [];
  for (let bits = 0; bits < 65536; bits++) {
    const value = halfToFloat(bits);
    if (Number.isNaN(value) ? !Number.isNaN(halfToFloat(toHalf(value))) : toHalf(value) !== bits) wrong.push(bits);
  }
  expect(wrong).toEqual([]);
});

test.each([
  [1 + 2 ** -11, 0x3c00, 'a tie goes to the even neighbour below'],
  [1 + 3 * 2 ** -11, 0x3c02, 'a tie goes to the even neighbour above'],
  [1 + 2 ** -11 + 2 ** -20, 0x3c01, 'just above a tie goes up'],
  [65519, 0x7bff, 'the greatest finite one'],
  [65520, 0x7c00, 'beyond: infinity'],
  [2 ** -25, 0, 'half of the least: even is 0'],
  [1.5 * 2 ** -24, 2, 'ties between subnormals, too'],
  [-0.333251953125, 0xb555, 'negative'],
])('%d is %i: %s', (value, bits) => {
  expect(toHalf(value)).toBe(bits);
});

test('integers per channel: codes, scales, factors and divisors by hand', () => {
  const w = { rows: 2, cols: 2, values: Float32Array.of(1, -2, 0, 0), columnFactor: Float32Array.of(4, 1) };
  const { q, scale } = roundPerChannel({ ...w, rowDivisor: Float32Array.of(2, 1) }, 127);
  // The first row is 4, -2: step 4/127, so -2 is code -63.5, which Math.round takes to -63. Stored transposed.
  expect([...q]).toEqual([127, 0, -63, 0]);
  expect(scale[0]).toBeCloseTo(4 / 127 / 2, 7);
  expect(scale[1]).toBe(1);
});

test('4 bits: an outlier is clipped where that leaves less error, and codes never exceed 7', () => {
  const values = Float32Array.from({ length: 64 }, (_, i) => (i === 0 ? 1 : 0.5 + 0.1 * ((i % 7) - 3)));
  const { q, scale } = roundPerChannel({ rows: 1, cols: 64, values }, 7);
  const error = (step: number) =>
    values.reduce((sum, value) => sum + (value - Math.max(-7, Math.min(7, Math.round(value / step))) * step) ** 2, 0);
  expect(Math.max(...q)).toBe(7);
  expect(error(scale[0] ?? 0)).toBeLessThanOrEqual(error(1 / 7));
});

test('two 4 bit integers to a byte, the first in the low half', () => {
  expect([...packInt4(Int8Array.of(1, -1, 7, -7, 3))]).toEqual([0xf1, 0x97, 0x03]);
});

test('half precision is transposed', () => {
  const half = toHalfTransposed({ rows: 2, cols: 3, values: Float32Array.of(1, 2, 3, 4, 5, 6) });
  expect([...half].map(halfToFloat)).toEqual([1, 4, 2, 5, 3, 6]);
});
