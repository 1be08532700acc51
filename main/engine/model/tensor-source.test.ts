/** Reading rows out of a file: any range gives the same rows, damage is named, and so is a file that shrinks. */
import { closeSync, openSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { encodeFloats, encodeGguf, randomTensor, seededRandom, toHalf } from '../testdata/gguf-writer.ts';
import { refusal } from '../testdata/refusal.ts';
import { tempDir } from '../testdata/temp-dir.ts';
import { dequantize, READABLE_TYPES, toBlocks } from './dequant.ts';
import { readGguf } from './gguf.ts';
import { TensorReader } from './tensor-source.ts';

const path = join(tempDir(), 'model.gguf');
const ROWS = 5;
const COLS = 512;

let handle: FileHandle | undefined;
afterEach(() => handle?.close());

/** A reader of the second of two tensors, so that its data does not start the data section. */
async function readerOf(type: string, data: Buffer, shape: number[] = [COLS, ROWS]): Promise<TensorReader> {
  const first = { name: 'first', type: 'F32', shape: [3], data: Buffer.alloc(12) };
  writeFileSync(path, encodeGguf({ metadata: [], tensors: [first, { name: 'the.weight', type, shape, data }] }));
  const { tensors } = await readGguf(path);
  handle = await open(path, 'r');
  const tensor = tensors[1];
  if (tensor === undefined) throw new Error('no tensor');
  return new TensorReader(path, tensor, handle);
}

describe('TensorReader', () => {
  for (const type of READABLE_TYPES) {
    it(`gives any range of ${type} rows as the whole has them`, async () => {
      const data = randomTensor(type, ROWS * COLS, 1, seededRandom(3));
      const reader = await readerOf(type, data);
      expect([reader.rows, reader.cols]).toEqual([ROWS, COLS]);
      const whole = dequantize(type, data, ROWS * COLS);
      for (const [first, count] of [
        [0, ROWS],
        [0, 1],
        [2, 2],
        [4, 1],
        [5, 0],
      ] as const) {
        expect(await reader.dequantizeRows(first, count)).toEqual(whole.subarray(first * COLS, (first + count) * COLS));
      }
      const blocks = toBlocks(type, data, ROWS * COLS);
      const part = await reader.toBlocks(1, 3);
      if (blocks === null) expect(part).toBeNull();
      else {
        const perRow = COLS / blocks.blockSize;
        expect(part?.q).toEqual(blocks.q.subarray(COLS, 4 * COLS));
        expect(part?.scale).toEqual(blocks.scale.subarray(perRow, 4 * perRow));
        expect(part?.add).toEqual(blocks.add?.subarray(perRow, 4 * perRow) ?? null);
      }
    });
  }

  it('treats a vector as one row', async () => {
    const reader = await readerOf('F32', encodeFloats('F32', Float32Array.of(1, 2, 3)), [3]);
    expect([...(await reader.dequantizeRows(0, 1))]).toEqual([1, 2, 3]);
  });

  it('refuses NaN and infinity by tensor and row', async () => {
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      const reader = await readerOf('F32', encodeFloats('F32', Float32Array.of(1, 2, 3, bad)), [2, 2]);
      const error = await refusal(() => reader.dequantizeRows(1, 1));
      expect(error.message).toContain(`"the.weight" holds ${bad} in row 1`);
      expect(error.kind).toBe('model-invalid');
      await handle?.close();
    }
    const data = randomTensor('Q8_0', ROWS * COLS, 1, seededRandom(3));
    data.writeUInt16LE(toHalf(Number.POSITIVE_INFINITY), 2 * (COLS / 32) * 34);
    const reader = await readerOf('Q8_0', data);
    expect((await refusal(() => reader.toBlocks(0, ROWS))).message).toContain('"the.weight" holds Infinity in row 2');
  });

  it('reads what lies beyond 4 GiB of a file', async () => {
    // The first tensor is a hole in the file, which takes no room on the disk.
    const far = 2 ** 32 + 2 ** 20;
    const values = Float32Array.of(1, 2, 3, 4);
    const empty = { type: 'F32', data: Buffer.alloc(0) };
    const header = encodeGguf({
      metadata: [],
      tensors: [
        { ...empty, name: 'hole', shape: [far / 4] },
        { ...empty, name: 'the.weight', shape: [2, 2], offset: far },
      ],
    });
    const file = join(tempDir(), 'far.gguf');
    writeFileSync(file, header);
    const fd = openSync(file, 'r+');
    writeSync(fd, encodeFloats('F32', values), 0, 16, header.length + far);
    closeSync(fd);
    const tensor = (await readGguf(file)).tensors[1];
    if (tensor === undefined) throw new Error('no tensor');
    expect(tensor.offset).toBe(header.length + far);
    handle = await open(file, 'r');
    expect(await new TensorReader(file, tensor, handle).dequantizeRows(1, 1)).toEqual(values.subarray(2));
  });

  it('names the tensor when the file became shorter', async () => {
    const reader = await readerOf('Q8_0', randomTensor('Q8_0', ROWS * COLS, 1, seededRandom(3)));
    truncateSync(path, reader.tensor.offset + reader.tensor.bytes - 1);
    expect((await reader.dequantizeRows(0, 1)).length).toBe(COLS);
    expect((await refusal(() => reader.dequantizeRows(4, 1))).message).toMatch(
      /became shorter while tensor "the\.weight"/,
    );
  });

  it('does not read beyond the tensor', async () => {
    const reader = await readerOf('F32', encodeFloats('F32', Float32Array.of(1, 2, 3, 4)), [2, 2]);
    await expect(reader.dequantizeRows(1, 2)).rejects.toThrow(RangeError);
    await expect(reader.dequantizeRows(-1, 1)).rejects.toThrow(RangeError);
    await expect(reader.dequantizeRows(0, 0.5)).rejects.toThrow(RangeError);
  });
});
