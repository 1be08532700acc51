import { expect, test } from 'vitest';
import { ropeFrequencies, ropeTable } from './rope-table.ts';

const plain = { headDim: 8, ropeTheta: 10000, ropeScaling: { type: 'none' } } as const;

test('cosines, then sines, a row per position', () => {
  const table = ropeTable(plain, 3);
  const angle = 2 * 10000 ** (-2 / 8);
  expect(table[2 * 8 + 1]).toBeCloseTo(Math.cos(angle), 6);
  expect(table[2 * 8 + 4 + 1]).toBeCloseTo(Math.sin(angle), 6);
  expect(Array.from(table.subarray(0, 8))).toEqual([1, 1, 1, 1, 0, 0, 0, 0]);
});

test('linear scaling divides every frequency', () => {
  const scaled = ropeFrequencies({ ...plain, ropeScaling: { type: 'linear', factor: 2 } }, 9);
  for (const [i, f] of ropeFrequencies(plain, 9).entries()) expect(scaled[i]).toBeCloseTo(f / 2, 12);
});

test('llama3 scaling leaves short wavelengths, divides long ones and blends between (transformers, Llama-3.2-1B settings)', () => {
  const llama3 = { type: 'llama3', factor: 32, lowFreqFactor: 1, highFreqFactor: 4, originalContext: 8192 } as const;
  const scaled = ropeFrequencies({ headDim: 64, ropeTheta: 500000, ropeScaling: llama3 }, 9);
  const base = ropeFrequencies({ headDim: 64, ropeTheta: 500000, ropeScaling: { type: 'none' } }, 9);
  expect(scaled[0]).toBe(base[0]);
  expect(scaled[31]).toBeCloseTo((base[31] ?? 0) / 32, 15);
  // Pair 17: wavelength 2*pi*500000^(34/64) = 6709.6, between 8192/4 and 8192/1.
  const smooth = (8192 / (2 * Math.PI * 500000 ** (34 / 64)) - 1) / 3;
  expect(scaled[17]).toBeCloseTo((1 - smooth) * ((base[17] ?? 0) / 32) + smooth * (base[17] ?? 0), 15);
});

test('a factor for each pair divides its frequency', () => {
  const scaled = ropeFrequencies({ ...plain, ropeScaling: { type: 'factors', factors: [1, 2, 4, 8] } }, 9);
  for (const [i, f] of ropeFrequencies(plain, 9).entries()) expect(scaled[i]).toBeCloseTo(f / 2 ** i, 15);
});
