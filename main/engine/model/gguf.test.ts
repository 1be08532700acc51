/** The reader on sound files: one written by the `gguf` Python package, our own, and the default model against another reader. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gguf as parseWithOracle } from '@huggingface/gguf';
import { beforeAll, describe, expect, it } from 'vitest';
import { encodeGguf, text, u32, writeTinyLlama } from '../testdata/gguf-writer.ts';
import { realModelPath } from '../testdata/real-model.ts';
import { refusal } from '../testdata/refusal.ts';
import { tempDir } from '../testdata/temp-dir.ts';
import { findTensor, type GgufFile, readGguf } from './gguf.ts';
import type { GgufMetadata } from './gguf-metadata.ts';
import { TENSOR_TYPES } from './gguf-types.ts';

const dir = tempDir();

let file: GgufFile;
let metadata: GgufMetadata;
beforeAll(async () => {
  file = await readGguf(join(__dirname, '../testdata/gguf-py.gguf'));
  metadata = file.metadata;
});

describe('a file by gguf-py with every value type', () => {
  it('has the right scalars', () => {
    expect(metadata.integer('t.u8')).toBe(200);
    expect(metadata.integer('t.i8')).toBe(-100);
    expect(metadata.integer('t.u16')).toBe(60000);
    expect(metadata.integer('t.i16')).toBe(-30000);
    expect(metadata.integer('t.u32')).toBe(4000000000);
    expect(metadata.integer('t.i32')).toBe(-2000000000);
    expect(metadata.integer('t.i64')).toBe(-(2 ** 40));
    expect(metadata.number('t.f32')).toBe(Math.fround(0.1));
    expect(metadata.number('t.f64')).toBe(0.1);
    expect(metadata.optionalBoolean('t.yes')).toBe(true);
    expect(metadata.optionalBoolean('t.no')).toBe(false);
    expect(metadata.string('t.text')).toBe('Grüße, 世界 🌍\n');
    expect(metadata.raw('t.u64')).toEqual({ type: 'uint64', value: 2n ** 63n + 1n });
  });

  it('has the right lists', () => {
    expect(metadata.strings('t.texts')).toEqual(['a', '', 'ñ', '\uFFFD']);
    expect(metadata.optionalIntegers('t.ints')).toEqual([1, -2, 3]);
    expect(metadata.optionalNumbers('t.floats')).toEqual([0.5, -1.5]);
    expect(metadata.raw('t.bools')).toEqual({ type: 'array', of: 'bool', values: [true, false, true] });
    expect(metadata.raw('t.u64s')).toEqual({ type: 'array', of: 'uint64', values: [1, 2n ** 60n] });
  });

  it('has the right tensors', () => {
    expect(file).toMatchObject({ version: 3, alignment: 64, dataOffset: 896, bytes: 2880 });
    expect(file.tensors.map(({ name, shape, offset, bytes }) => [name, shape, offset, bytes])).toEqual([
      ['m.F32', [64, 3], 896, 768],
      ['m.F16', [64, 3], 1664, 384],
      ['m.BF16', [64, 3], 2048, 384],
      ['m.Q8_0', [64, 3], 2432, 204],
      ['m.Q4_1', [64, 3], 2688, 120],
      ['v', [5], 2816, 20],
    ]);
    expect(file.tensors.map(({ type }) => type)).toEqual(['F32', 'F16', 'BF16', 'Q8_0', 'Q4_1', 'F32']);
  });
});

describe('typed access', () => {
  const cases: [string, () => unknown, RegExp][] = [
    ['a missing key', () => metadata.integer('t.none'), /"t\.none" is missing/],
    ['a text as number', () => metadata.number('t.text'), /"t\.text" is string, expected a number/],
    ['a list as scalar', () => metadata.integer('t.ints'), /"t\.ints" is a list of int32, expected a single value/],
    ['a scalar as list', () => metadata.strings('t.u8'), /"t\.u8" is uint8, expected a list of texts/],
    ['a fraction as integer', () => metadata.integer('t.f32'), /"t\.f32" is float32, expected a whole number/],
    ['an integer that JavaScript cannot hold', () => metadata.integer('t.u64'), /9223372036854775809/],
    ['a number out of range', () => metadata.integer('t.u8', { min: 1, max: 100 }), /is 200; 1 to 100 is possible/],
    ['a number as truth value', () => metadata.optionalBoolean('t.u8'), /expected true or false/],
  ];
  for (const [what, attempt, message] of cases) {
    it(`refuses ${what} by name`, async () => {
      const error = await refusal(attempt);
      expect(error.kind).toBe('model-invalid');
      expect(error.message).toMatch(message);
    });
  }
});

describe('layout', () => {
  const data = Buffer.alloc(32);
  const tensor = (name: string) => ({ name, type: 'F32', shape: [8], data });

  it('reads version 2, which differs in nothing that matters', async () => {
    const path = join(dir, 'v2.gguf');
    writeFileSync(
      path,
      encodeGguf({ version: 2, metadata: [['general.architecture', text('llama')]], tensors: [tensor('a')] }),
    );
    expect(await readGguf(path)).toMatchObject({ version: 2, tensors: [{ name: 'a' }] });
  });

  for (const alignment of [8, 32, 4096, 2 * 1024 * 1024]) {
    it(`follows an alignment of ${alignment}`, async () => {
      const path = join(dir, `align${alignment}.gguf`);
      const spec = {
        alignment,
        metadata: [['general.alignment', u32(alignment)] as const],
        tensors: [tensor('a'), tensor('b')],
      };
      writeFileSync(path, encodeGguf(spec));
      const aligned = await readGguf(path);
      expect(findTensor(aligned, 'b')?.offset).toBe(aligned.dataOffset + Math.ceil(32 / alignment) * alignment);
      expect(aligned.dataOffset % alignment).toBe(0);
    });
  }

  it('takes tensors in any order of their data, and the last one without its padding', async () => {
    const path = join(dir, 'order.gguf');
    const vector = { type: 'F32', shape: [3], data: Buffer.alloc(12) };
    const bytes = encodeGguf({
      metadata: [],
      tensors: [
        { ...vector, name: 'a', offset: 32 },
        { ...vector, name: 'b', offset: 0 },
      ],
    });
    writeFileSync(path, bytes.subarray(0, -20));
    const { tensors, dataOffset } = await readGguf(path);
    expect(tensors.map(({ name, offset }) => [name, offset - dataOffset])).toEqual([
      ['a', 32],
      ['b', 0],
    ]);
  });

  it('reads an empty list of tensors and keys', async () => {
    const path = join(dir, 'empty.gguf');
    writeFileSync(path, encodeGguf({ metadata: [], tensors: [] }));
    expect((await readGguf(path)).tensors).toEqual([]);
  });

  it('reads a path with spaces and Chinese characters', async () => {
    const path = join(dir, '模型 tiny.gguf');
    writeTinyLlama(path);
    expect((await readGguf(path)).tensors.length).toBe(20);
  });
});

describe('the default model', () => {
  it('reads as another reader reads it', async () => {
    const path = realModelPath();
    const [ours, oracle] = [await readGguf(path), await parseWithOracle(path, { allowLocalFile: true })];
    expect(ours.dataOffset).toBe(Number(oracle.tensorDataOffset));
    expect(ours.tensors).toEqual(
      oracle.tensorInfos.map(({ name, dtype, shape, offset }, index) => ({
        name,
        type: TENSOR_TYPES.get(dtype)?.name,
        shape: shape.map(Number),
        offset: Number(oracle.tensorDataOffset + offset),
        bytes: ours.tensors[index]?.bytes,
      })),
    );
    // Sizes, which that reader does not tell: data ends where the file ends.
    const last = ours.tensors.at(-1);
    expect((last?.offset ?? 0) + (last?.bytes ?? 0)).toBe(ours.bytes);

    const theirs = Object.entries(oracle.metadata).filter(
      ([key]) => !['version', 'tensor_count', 'kv_count'].includes(key),
    );
    expect([...ours.metadata.keys()]).toEqual(theirs.map(([key]) => key));
    for (const [key, value] of theirs) {
      const raw = ours.metadata.raw(key);
      expect(raw?.type === 'array' ? Array.from(raw.values) : raw?.value, key).toEqual(value);
    }
  });
});
