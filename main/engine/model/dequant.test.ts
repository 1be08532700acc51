/** Storage types against values that the `gguf` Python package (0.19.0) made from the same bytes (testdata/dequant.json). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { toHalf } from '../testdata/gguf-writer.ts';
import { dequantize, READABLE_TYPES, toBlocks } from './dequant.ts';
import { halfToFloat } from './dequant-half.ts';

interface Reference {
  type: string;
  rows: number;
  cols: number;
  data: string;
  values: string;
}
const references = JSON.parse(readFileSync(join(__dirname, '../testdata/dequant.json'), 'utf8')) as Reference[];
const bytesOf = (base64: string) => Buffer.from(base64, 'base64');
const bitsOf = (values: Float32Array) =>
  Buffer.from(values.buffer, values.byteOffset, values.byteLength).toString('hex');

/** A block by hand: float16 fields first, then bytes. */
const block = (halves: number[], bytes: number[]) => {
  const head = Buffer.alloc(halves.length * 2);
  halves.forEach((value, index) => {
    head.writeUInt16LE(toHalf(value), index * 2);
  });
  return Buffer.concat([head, Buffer.from(bytes)]);
};
/** Nibbles 0 to 15 as low and again as high halves. */
const NIBBLES = Array.from({ length: 16 }, (_, nibble) => nibble * 17);
const RISING = Array.from({ length: 32 }, (_, index) => index % 16);

describe('dequantize', () => {
  it('has a reference for every readable type', () => {
    expect(references.map(({ type }) => type).sort()).toEqual([...READABLE_TYPES].sort());
  });

  for (const { type, rows, cols, data, values } of references) {
    it(`equals gguf-py bit for bit: ${type}`, () => {
      expect(bitsOf(dequantize(type, bytesOf(data), rows * cols))).toBe(bytesOf(values).toString('hex'));
    });
  }

  it('puts low nibbles first and takes 8 off: Q4_0 (HAND-07)', () => {
    expect([...dequantize('Q4_0', block([1], NIBBLES), 32)]).toEqual(RISING.map((nibble) => nibble - 8));
  });

  it('adds the minimum: Q4_1 (HAND-07)', () => {
    expect([...dequantize('Q4_1', block([0.5, -2], NIBBLES), 32)]).toEqual(RISING.map((nibble) => nibble / 2 - 2));
  });

  it('takes signed bytes: Q8_0 (HAND-07)', () => {
    const bytes = Array.from({ length: 32 }, (_, index) => (index - 16) & 255);
    expect([...dequantize('Q8_0', block([0.25], bytes), 32)]).toEqual(
      Array.from({ length: 32 }, (_, i) => (i - 16) / 4),
    );
  });

  it('knows every float16', () => {
    const wrong: number[] = [];
    for (let bits = 0; bits < 65536; bits++) {
      const value = halfToFloat(bits);
      const right = Number.isNaN(value) ? (bits & 0x7fff) > 0x7c00 : toHalf(value) === bits;
      if (!right) wrong.push(bits);
    }
    expect(wrong).toEqual([]);
  });
});

describe('toBlocks', () => {
  for (const { type, rows, cols, data, values } of references) {
    const blocks = toBlocks(type, bytesOf(data), rows * cols);
    if (['F32', 'F16', 'BF16'].includes(type)) {
      it(`has no block form of ${type}`, () => expect(blocks).toBeNull());
      continue;
    }
    it(`gives the values of ${type} back`, () => {
      if (blocks === null) throw new Error('no blocks');
      const { q, scale, add, blockSize } = blocks;
      expect(blockSize).toBe(type === 'Q6_K' ? 16 : 32);
      expect(scale.length).toBe((rows * cols) / blockSize);
      expect(add === null).toBe(['Q4_0', 'Q5_0', 'Q8_0', 'Q6_K'].includes(type));
      const expected = new Float32Array(new Uint8Array(bytesOf(values)).buffer);
      let worst = 0;
      for (let i = 0; i < q.length; i++) {
        const group = Math.floor(i / blockSize);
        const product = ((q[i] ?? 0) - 128) * (scale[group] ?? 0);
        const value = product + (add?.[group] ?? 0);
        // Relative to the terms: a value that is their small difference cannot be nearer than their rounding.
        const size = Math.max(Math.abs(product), Math.abs(add?.[group] ?? 0), 1e-30);
        worst = Math.max(worst, Math.abs(value - (expected[i] ?? 0)) / size);
      }
      expect(worst).toBeLessThan(add === null ? 1e-30 : 1e-6);
    });
  }

  it('keeps codes about 128, so that the zero point is explicit (HAND-07)', () => {
    const blocks = toBlocks('Q4_0', block([1], NIBBLES), 32);
    expect([...(blocks?.q ?? [])]).toEqual(RISING.map((nibble) => 120 + nibble));
    const affine = toBlocks('Q4_1', block([0.5, -2], NIBBLES), 32);
    expect([...(affine?.q ?? [])]).toEqual(RISING.map((nibble) => 120 + nibble));
    expect([...(affine?.add ?? [])]).toEqual([-2 + 8 * 0.5]);
  });
});
