import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ARCHITECTURES } from '../engine/model/architectures.ts';
import { CATALOG, fileNameOf } from './catalog.ts';

/** Bits of a weight, and of those that a mixed file keeps at more: up to 8.5. From the layouts in gguf-types. */
const BITS: Record<string, [least: number, most: number]> = { Q4_1: [5, 8.5], Q4_K_M: [4.5, 8.5], Q8_0: [8.5, 8.7] };

describe('the catalogue', () => {
  it('has models of different sizes, each under its own name', () => {
    expect(CATALOG.length).toBeGreaterThanOrEqual(10);
    expect(new Set(CATALOG.map(({ id }) => id)).size).toBe(CATALOG.length);
    expect(new Set(CATALOG.map((entry) => fileNameOf(entry).toLowerCase())).size).toBe(CATALOG.length);
  });

  it('knows the default model as the set-up does', () => {
    const wanted = JSON.parse(
      readFileSync(join(import.meta.dirname, '..', '..', 'resources', 'default-model.json'), 'utf8'),
    );
    const entry = CATALOG.find(({ sha256 }) => sha256 === wanted.sha256);
    expect(entry).toMatchObject({ bytes: wanted.bytes, licence: wanted.license, url: wanted.sources.url });
    expect(entry && fileNameOf(entry)).toBe(wanted.file);
  });

  describe.each(CATALOG.map((entry) => [entry.id, entry] as const))('%s', (id, entry) => {
    const { parameters, bytes, quantization, url, nLayer, nHeadKv, headDim } = entry;

    it('is of an architecture that runs', () => {
      expect(ARCHITECTURES).toContain(entry.architecture);
    });

    it('is a fixed file of a public address, named like its id', () => {
      expect(url).toMatch(/^https:\/\/huggingface\.co\/[\w.-]+\/[\w.-]+\/resolve\/[0-9a-f]{40}\/[\w.-]+\.gguf$/);
      // A model that is imported and whose file is gone is known by this name.
      expect(fileNameOf(entry).toLowerCase().replaceAll('.q4_1', '-q4_1')).toBe(`${id}.gguf`);
      expect(fileNameOf(entry).toLowerCase()).toContain(quantization.toLowerCase());
      expect(entry.licenceUrl).toMatch(/^https:/);
    });

    it('has a size that its weights explain', () => {
      expect(bytes).toBeLessThan(5e9);
      const [least, most] = BITS[quantization] ?? [0, 0];
      const bits = (bytes * 8) / parameters;
      expect(bits).toBeGreaterThan(least);
      expect(bits).toBeLessThan(most);
      // 17 more for a vocabulary's texts would be no model at all.
      expect(entry.memoryGB * 1e9).toBeGreaterThan(1.5 * parameters);
    });

    it('has layers and heads of a plausible transformer', () => {
      expect(nLayer).toBeGreaterThanOrEqual(16);
      expect(nLayer).toBeLessThanOrEqual(36);
      expect([64, 96, 128, 256]).toContain(headDim);
      expect([1, 2, 3, 4, 5, 8, 32]).toContain(nHeadKv);
      // Key and value projections alone: hidden size is at least the width of keys.
      expect(2 * nLayer * (nHeadKv * headDim) ** 2).toBeLessThan(parameters);
    });

    it('is described in both languages', () => {
      expect(entry.note.en).toMatch(/^[A-Z].*\.$/);
      expect(entry.note['zh-CN']).toMatch(/\p{Script=Han}.*。$/u);
    });
  });
});
