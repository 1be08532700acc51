/** Damage of all kinds to sound files: cuts at every byte, random bytes, sizes on paper. Nothing hangs, grows or is believed. */
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../contract/errors.ts';
import { ByteWriter, encodeGguf, seededRandom, text, texts, tinyLlama } from '../testdata/gguf-writer.ts';
import { refusal } from '../testdata/refusal.ts';
import { tempDir } from '../testdata/temp-dir.ts';
import { readGguf } from './gguf.ts';
import { readConfig } from './read-config.ts';
import { readTokenizerSource } from './tokenizer-source.ts';

const path = join(tempDir(), 'model.gguf');

const read = (bytes: Uint8Array) => {
  writeFileSync(path, bytes);
  return readGguf(path);
};

describe('a cut file (HAND-01)', () => {
  const whole = encodeGguf({
    metadata: [
      ['general.architecture', text('llama')],
      ['tokenizer.ggml.tokens', texts(['a', 'bc'])],
    ],
    tensors: [
      { name: 'first', type: 'F32', shape: [8], data: Buffer.alloc(32) },
      { name: 'last', type: 'F32', shape: [64], data: Buffer.alloc(256) },
    ],
  });

  it('is refused wherever it is cut', async () => {
    for (let length = 0; length < whole.length; length++) {
      const error = await refusal(() => read(whole.subarray(0, length)));
      expect(error.kind, `cut at ${length}`).toBe('model-invalid');
    }
    expect((await read(whole)).tensors.length).toBe(2);
  });

  it('names the tensor, the expected and the actual size', async () => {
    const error = await refusal(() => read(whole.subarray(0, -1)));
    expect(error.message).toMatch(/"last" is cut off/);
    expect(error.message).toContain(`at least ${whole.length} bytes in all; the file has ${whole.length - 1}`);
  });
});

describe('cost', () => {
  it('refuses huge counts in a huge sparse file without reading or allocating them', async () => {
    writeFileSync(
      path,
      new ByteWriter()
        .raw('GGUF')
        .u32(3)
        .u64(0)
        .u64(1)
        .text('k')
        .u32(9)
        .u32(10)
        .u64(2n ** 32n)
        .done(),
    );
    // A file of 64 GB on paper, so that lengths fit into it.
    truncateSync(path, 2 ** 36);
    const before = process.memoryUsage();
    const start = performance.now();
    const error = await refusal(() => readGguf(path));
    expect(error.message).toMatch(/more than any header needs/);
    expect(performance.now() - start).toBeLessThan(1000);
    expect(process.memoryUsage().arrayBuffers - before.arrayBuffers).toBeLessThan(8e6);
  });
});

describe('random damage', () => {
  it('is refused with a reason or harmless: never another error, never slow', async () => {
    const whole = encodeGguf(tinyLlama({ layers: 1, hidden: 32, heads: 2, kvHeads: 1, ff: 32 }));
    const header = (await read(whole)).dataOffset;
    const random = seededRandom(20);
    const kinds = new Map<string, number>();
    const start = performance.now();
    for (let round = 0; round < 400; round++) {
      const broken = Buffer.from(whole);
      // Half the rounds hit the counts and the first keys, where damage reaches furthest.
      const reach = round % 2 === 0 ? 400 : header;
      for (let hit = 0; hit <= random() * 4; hit++) broken[Math.floor(random() * reach)] = Math.floor(random() * 256);
      let outcome = 'accepted';
      try {
        const file = await read(broken);
        readConfig(file);
        readTokenizerSource(file);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        outcome = error.kind;
      }
      kinds.set(outcome, (kinds.get(outcome) ?? 0) + 1);
    }
    expect([...kinds.keys()].sort()).toEqual(['accepted', 'model-invalid', 'model-unsupported']);
    expect(performance.now() - start).toBeLessThan(30_000);
  });
});
