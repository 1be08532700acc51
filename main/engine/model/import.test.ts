/** Tiny llamas through the whole import: what the graphs compute, and what is on disk when things go wrong. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { WeightFlavour } from '../../../contract/engine.ts';
import { type TinyLlamaOptions, writeTinyLlama } from '../testdata/gguf-writer.ts';
import { bundleLogits, calibrateAlone, referenceLogits, worstError } from '../testdata/import-harness.ts';
import { openBundle } from './bundle.ts';
import { type ImportOptions, importModel } from './import.ts';
import { openModelSource } from './import-source.ts';
import { readModelFile } from './model-file.ts';

const root = mkdtempSync(join(tmpdir(), 'import-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const IDS = [1, 17, 250, 299, 3, 77];
const gguf = join(root, 'tiny model.gguf');
let bundlesDir: string;
let tests = 0;
beforeEach(() => {
  bundlesDir = join(root, `bundles ${++tests}`, '模型');
});

function importTiny(weights: WeightFlavour, more: Partial<ImportOptions> = {}): Promise<string> {
  return importModel(gguf, { bundlesDir, id: 'tiny', weights, calibrate: calibrateAlone, ...more });
}

const WIDE: TinyLlamaOptions = { hidden: 256, headDim: 64, ff: 512 };
/** Names after the storage of the projections. */
const MODELS: Record<string, TinyLlamaOptions> = {
  F32: {},
  'F16, output matrix of its own': { types: 'F16', tied: false },
  BF16: { types: 'BF16' },
  Q4_0: { types: 'Q4_0' },
  'Q4_1 with Q8_0 embedding': { types: { default: 'Q4_1', token_embd: 'Q8_0' } },
  'Q5_1, padded vocabulary': { types: 'Q5_1', vocab: 320 },
  'Q8_0, one head group of four': { types: 'Q8_0', kvHeads: 1 },
  'heads wider than the model': { types: 'Q5_0', heads: 6, kvHeads: 3, headDim: 32, hidden: 96 },
  'qwen2 with biases': { architecture: 'qwen2', types: 'Q8_0' },
  'phi3, fused tensors': { architecture: 'phi3', types: 'Q8_0' },
  'gemma3, outputs normalised': { architecture: 'gemma3', types: 'Q8_0' },
  'qwen3, heads normalised': { architecture: 'qwen3', types: 'Q8_0' },
  'mixed as in a Q4_K_M file': {
    ...WIDE,
    tied: false,
    types: {
      default: 'Q4_K',
      attn_v: 'Q6_K',
      ffn_down: 'Q6_K',
      attn_k: 'Q5_0',
      ffn_up: 'Q8_0',
      attn_output: 'F32',
      token_embd: 'Q5_K',
      output: 'Q6_K',
    },
  },
};

describe.each(Object.entries(MODELS))('%s', (_, options) => {
  it('exact: the stored weights, optimised or not', async () => {
    writeTinyLlama(gguf, options);
    const bundle = openBundle(await importTiny('exact'));
    const want = await referenceLogits(gguf, IDS);
    const plain = await bundleLogits(bundle, IDS, 'disabled');
    const optimised = await bundleLogits(bundle, IDS, 'all');
    bundle.close();
    expect(worstError(plain, want)).toBeLessThan(2e-5);
    expect(worstError(optimised, want)).toBeLessThan(2e-5);
    expect(bundle.manifest.notes).toEqual([]);
  });

  it('fast: near the stored weights, optimised or not', async () => {
    writeTinyLlama(gguf, options);
    const bundle = openBundle(await importTiny('fast'));
    const want = await referenceLogits(gguf, IDS);
    const plain = await bundleLogits(bundle, IDS, 'disabled');
    const optimised = await bundleLogits(bundle, IDS, 'all');
    bundle.close();
    expect(worstError(plain, want)).toBeLessThan(0.2);
    expect(worstError(optimised, want)).toBeLessThan(0.2);
    // Float noise of 1e-7 tips single activations over to the next 8-bit step, so the two are equal only up to that.
    expect(worstError(optimised, plain)).toBeLessThan(0.08);
    expect(bundle.manifest.notes[0]).toMatch(/re-quantised from .* to 8 bit/);
  });

  it('embedding rows are those of the file', async () => {
    writeTinyLlama(gguf, options);
    const bundle = openBundle(await importTiny('exact'));
    const source = await openModelSource(await readModelFile(gguf));
    const { embeddingScale, nEmbd, nVocab } = source.config;
    const ids = [0, nVocab - 1, 5, 5];
    const got = bundle.readEmbeddingRows(ids);
    const want = (await Promise.all(ids.map((id) => source.embedding.floatRows(id, 1)))).flatMap((row) => [...row]);
    expect(got.length).toBe(ids.length * nEmbd);
    expect(
      worstError(
        got,
        want.map((value) => value * embeddingScale),
      ),
    ).toBeLessThan(1e-6);
    for (const id of [nVocab, -1, 1.5, Number.NaN]) expect(() => bundle.readEmbeddingRows([id])).toThrow(/vocabulary/);
    bundle.close();
    await source.close();
  });
});

describe('what is on disk', () => {
  const leftBehind = () => (existsSync(bundlesDir) ? readdirSync(bundlesDir) : []);
  const refuse = () => Promise.reject(new Error('calibrated again'));

  it('a second import of the same file returns the first', async () => {
    writeTinyLlama(gguf);
    const dir = await importTiny('exact');
    expect(await importTiny('exact', { calibrate: refuse })).toBe(dir);
    expect(leftBehind()).toEqual(['tiny']);
    expect(readdirSync(dir).filter((name) => name.startsWith('stats'))).toEqual([]);
  });

  it('two imports at once both succeed', async () => {
    writeTinyLlama(gguf);
    const dirs = await Promise.all([importTiny('exact'), importTiny('exact')]);
    expect(new Set(dirs).size).toBe(1);
    openBundle(dirs[0] ?? '').close();
    expect(leftBehind()).toEqual(['tiny']);
  });

  it('another file under the same id is refused and changes nothing', async () => {
    writeTinyLlama(gguf);
    const dir = await importTiny('exact');
    writeTinyLlama(gguf, { seed: 2 });
    await expect(importTiny('exact')).rejects.toMatchObject({ kind: 'bad-input' });
    openBundle(dir).close();
  });

  it.each(['../up', '', '.hidden', 'a/b', 'a\\b', 'con:'])('the id "%s" is refused', async (id) => {
    writeTinyLlama(gguf);
    await expect(importTiny('exact', { id })).rejects.toMatchObject({ kind: 'bad-input' });
    expect(leftBehind()).toEqual([]);
  });

  it('a broken file is refused before the folder is made', async () => {
    writeTinyLlama(gguf);
    truncateSync(gguf, 20_000);
    await expect(importTiny('exact')).rejects.toMatchObject({ kind: 'model-invalid' });
    expect(existsSync(bundlesDir)).toBe(false);
    writeTinyLlama(gguf);
    openBundle(await importTiny('exact')).close();
  });

  it('a damaged bundle is replaced', async () => {
    writeTinyLlama(gguf);
    const dir = await importTiny('exact');
    truncateSync(join(dir, 'weights.bin'), 1000);
    expect(() => openBundle(dir)).toThrow(/weights\.bin.*1000 bytes/);
    expect(await importTiny('exact')).toBe(dir);
    openBundle(dir).close();
  });

  it('cancelled at any step, it leaves nothing and can be done again', async () => {
    writeTinyLlama(gguf);
    let steps = 0;
    await importTiny('fast', { onProgress: () => steps++ });
    rmSync(bundlesDir, { recursive: true });
    for (const at of [1, 2, Math.floor(steps / 2), steps - 1, steps]) {
      const stop = new AbortController();
      let step = 0;
      const onProgress = () => ++step === at && stop.abort();
      await expect(importTiny('fast', { onProgress, signal: stop.signal })).rejects.toMatchObject({
        kind: 'cancelled',
      });
      expect(leftBehind()).toEqual([]);
    }
    openBundle(await importTiny('fast')).close();
  });

  it('a failing calibration leaves nothing', async () => {
    writeTinyLlama(gguf);
    await expect(importTiny('fast', { calibrate: refuse })).rejects.toThrow('calibrated again');
    expect(leftBehind()).toEqual([]);
  });

  it('what a killed import left is removed by the next, what a living one writes stays', async () => {
    writeTinyLlama(gguf);
    const dead = join(bundlesDir, '.import-4194303999-0a0b0c0d0e0f', 'exact');
    const own = join(bundlesDir, `.import-${process.pid}-0a0b0c0d0e0f`);
    const living = join(bundlesDir, `.import-${process.ppid}-0a0b0c0d0e0f`);
    for (const dir of [dead, own, living]) {
      mkdirSync(dir, { recursive: true });
      writeFileSync(join(dir, 'weights.bin'), 'half');
    }
    await importTiny('exact');
    expect(leftBehind().sort()).toEqual([`.import-${process.ppid}-0a0b0c0d0e0f`, 'tiny']);
  });

  it('progress grows from the first byte of the file to the whole', async () => {
    writeTinyLlama(gguf);
    for (const weights of ['exact', 'fast'] as const) {
      const seen: { done: number; total: number }[] = [];
      await importTiny(weights, { onProgress: (progress) => seen.push(progress) });
      expect(new Set(seen.map(({ total }) => total)).size).toBe(1);
      expect(seen.every(({ done }, i) => done >= (seen[i - 1]?.done ?? 0))).toBe(true);
      expect(seen.at(-1)?.done).toBe(seen.at(-1)?.total);
    }
  });

  it('graphs find their weights from any working directory, and say so when they are gone', async () => {
    writeTinyLlama(gguf);
    const bundle = openBundle(await importTiny('exact'));
    const before = process.cwd();
    process.chdir(tmpdir());
    try {
      expect((await bundleLogits(bundle, IDS)).every(Number.isFinite)).toBe(true);
    } finally {
      process.chdir(before);
    }
    bundle.close();
    rmSync(join(bundle.dir, 'weights.bin'));
    expect(() => openBundle(bundle.dir)).toThrow(/weights\.bin: the file is gone/);
  });
});
