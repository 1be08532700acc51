import { describe, expect, it } from 'vitest';
import { dequantize } from '../engine/model/dequant.ts';
import { halfToFloat } from '../engine/model/dequant-half.ts';
import { toHalf, toQ40 } from './requantise.ts';

describe('requantise', () => {
  it('rounds to halves: exact ones, ties to even, subnormals, infinity', () => {
    expect([0, 1, -2, 0.5, 65504].map(toHalf)).toEqual([0, 0x3c00, 0xc000, 0x3800, 0x7bff]);
    expect(toHalf(1 + 2 ** -11)).toBe(0x3c00);
    expect(toHalf(1 + 3 * 2 ** -11)).toBe(0x3c02);
    expect(toHalf(2 ** -24)).toBe(1);
    expect(toHalf(1e6)).toBe(0x7c00);
    for (let bits = 0; bits < 0x7c00; bits++) expect(toHalf(halfToFloat(bits))).toBe(bits);
  });

  it('makes the blocks of ggml: the value of greatest magnitude is exact, codes are cut off, not rounded', () => {
    const values = Float32Array.from({ length: 32 }, (_, i) => (i - 8) / 2);
    // Greatest magnitude 11.5 (i = 31): d = -1.4375.
    const bytes = toQ40(values);
    expect(bytes.readUInt16LE(0)).toBe(toHalf(-1.4375));
    const code = (i: number) => Math.min(15, Math.trunc((values[i] ?? 0) / -1.4375 + 8.5));
    for (let i = 0; i < 16; i++) expect(bytes[2 + i]).toBe(code(i) | (code(i + 16) << 4));
    expect(dequantize('Q4_0', bytes, 32)[31]).toBeCloseTo(11.5, 6);
  });

  it('leaves a block of zeros zero', () => {
    expect(dequantize('Q4_0', toQ40(new Float32Array(32)), 32).every((value) => value === 0)).toBe(true);
  });
});
