import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { dequantize } from '../engine/model/dequant.ts';
import { halfToFloat } from '../engine/model/dequant-half.ts';
import { readGguf } from '../engine/model/gguf.ts';
import { text, writeGguf } from '../engine/testdata/gguf-encode.ts';
import { tempDir } from '../engine/testdata/temp-dir.ts';
import { requantiseToQ40, toHalf, toQ40 } from './requantise.ts';

const dir = tempDir();

describe('requantise', () => {
  it('rounds to halves: exact ones, ties to even, subnormals, infinity', () => {
    expect([0, 1, -2, 0.5, 65504].map(toHalf)).toEqual([0, 0x3c00, 0xc000, 0x3800, 0x7bff]);
    expect(toHalf(1 + 2 ** -11)).toBe(0x3c00);
    expect(toHalf(1 + 3 * 2 ** -11)).toBe(0x3c02);
    expect(toHalf(2 ** -24)).toBe(1);
    expect(toHalf(1e6)).toBe(0x7c00);
    const all = Array.from({ length: 0x7c00 }, (_, bits) => bits);
    expect(all.filter((bits) => toHalf(halfToFloat(bits)) !== bits)).toEqual([]);
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

  it('rewrites a file: Q4_1 tensors become Q4_0 with their values, the others and the metadata stay', async () => {
    // Scale 0.5, minimum -4, codes 0, 1, 2, ... 15 twice: -4 to 3.5, which Q4_0 with d = 0.5 holds exactly.
    const block = Buffer.alloc(20);
    block.writeUInt16LE(toHalf(0.5), 0);
    block.writeUInt16LE(toHalf(-4), 2);
    for (let i = 0; i < 16; i++) block[4 + i] = i | (i << 4);
    const plain = Buffer.from(Float32Array.of(1, 2, 3).buffer);
    const source = path.join(dir, 'a.gguf');
    const target = path.join(dir, 'b.gguf');
    writeGguf(source, {
      metadata: [['general.name', text('w')]],
      tensors: [
        { name: 'w', type: 'Q4_1', shape: [32, 3], data: Buffer.concat([block, block, block]) },
        { name: 'n', type: 'F32', shape: [3], data: plain },
      ],
    });
    await requantiseToQ40(source, target);
    const [w, n] = (await readGguf(target)).tensors;
    const bytes = readFileSync(target);
    expect([w?.type, w?.bytes, n?.type]).toEqual(['Q4_0', 54, 'F32']);
    const values = dequantize('Q4_0', bytes.subarray(w?.offset, (w?.offset ?? 0) + 54), 96);
    expect(values).toEqual(dequantize('Q4_1', Buffer.concat([block, block, block]), 96));
    expect(bytes.subarray(n?.offset, (n?.offset ?? 0) + 12)).toEqual(plain);
    await expect(requantiseToQ40(target, source)).rejects.toMatchObject({ kind: 'bad-input' });
  });
});
