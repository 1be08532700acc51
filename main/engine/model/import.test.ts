/** Tiny llamas through the whole import: what the graphs compute, and what is on disk when things go wrong. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { WeightFlavour } from '../../../contract/engine.ts';
import { type TinyLlamaOptions, writeTinyLlama } from '../testdata/gguf-writer.ts';
import { openBundle } from './bundle.ts';
import { readGguf } from './gguf.ts';
import { type ImportOptions, importModel } from './import.ts';
import { bundleLogits, calibrateAlone, referenceLogits, worstError } from './import-harness.ts';
import { openModelSource } from './import-source.ts';

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
    expect(worstError(plain, want)).toBeLessThan(0.15);
    expect(worstError(optimised, want)).toBeLessThan(0.15);
    expect(worstError(optimised, plain)).toBeLessThan(0.03);
    expect(bundle.manifest.notes[0]).toMatch(/re-quantised from .* to 8 bit/);
  });

  it('embedding rows are those of the file', async () => {
    writeTinyLlama(gguf, options);
    const bundle = openBundle(await importTiny('exact'));
    const source = await openModelSource(await readGguf(gguf));
    const { nEmbd, nVocab } = source.config;
    const ids = [0, nVocab - 1, 5, 5];
    const got = bundle.readEmbeddingRows(ids);
    const want = (await Promise.all(ids.map((id) => source.embedding.floatRows(id, 1)))).flatMap((row) => [...row]);
    expect(got.length).toBe(ids.length * nEmbd);
    expect(worstError(got, want)).toBeLessThan(1e-6);
    for (const id of [nVocab, -1, 1.5, Number.NaN]) expect(() => bundle.readEmbeddingRows([id])).toThrow(/vocabulary/);
    bundle.close();
    await source.close();
  });
});
