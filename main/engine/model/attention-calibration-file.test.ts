import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { Engine } from '../engine.ts';
import { tempDir } from '../testdata/temp-dir.ts';
import { writeTinyLlama } from '../testdata/tiny-llama.ts';
import type { AttentionCalibration } from './attention-calibration.ts';
import { readAttentionCalibration, writeAttentionCalibration } from './attention-calibration-file.ts';
import { readManifest } from './bundle.ts';
import type { BundleManifest } from './manifest.ts';

const dir = tempDir();
const gguf = path.join(dir, 'tiny.gguf');
const exact = path.join(dir, 'bundles', 'tiny', 'exact');
const file = path.join(dir, 'bundles', 'tiny', 'attention.json');

async function importAs(weights: 'exact' | 'fast'): Promise<void> {
  const engine = new Engine({ modelsDir: dir, bundlesDir: path.join(dir, 'bundles') });
  (await engine.import({ model: gguf, weights })).close();
  await engine.close();
}

let manifest: BundleManifest;
let quick: AttentionCalibration;
beforeAll(async () => {
  writeTinyLlama(gguf, {});
  await importAs('exact');
  manifest = readManifest(exact);
  const read = readAttentionCalibration(exact, manifest);
  if (read === undefined) throw new Error('the import left no calibration');
  quick = read;
});

describe('the calibration of a model', () => {
  it('has its quick part from the import, with the scales of the manifest', () => {
    expect(quick.importance).toBeUndefined();
    expect(quick.meanLambdaQ).toBe(manifest.calibration.meanLambdaQ);
    expect(quick.meanLambdaK).toBe(manifest.calibration.meanLambdaK);
    const curves = quick.lostMass.mass.flat();
    expect(curves).toHaveLength(8);
    for (const curve of curves) {
      // Who keeps more loses less, and who keeps all loses nothing.
      expect(curve).toEqual([...curve].sort((a, b) => b - a));
      expect(curve[0]).toBeGreaterThan(0.1);
      expect(curve.at(-1)).toBe(0);
    }
  });

  it('is kept when another flavour is imported', async () => {
    const full = {
      ...quick,
      importance: {
        tokens: 1,
        head: [
          [0, 1, 2, 3],
          [4, 5, 6, 7],
        ],
        layer: [1, 2],
      },
    };
    await writeAttentionCalibration(exact, full);
    await importAs('fast');
    expect(readAttentionCalibration(exact, manifest)).toEqual(full);
  });

  it.each<[string, () => string]>([
    ['damaged', () => '{"formatVersion": 1'],
    ['of another version', () => JSON.stringify({ ...quick, formatVersion: 2 })],
    ['of another model', () => JSON.stringify({ ...quick, sourceSha256: '0'.repeat(64) })],
    ['of other heads', () => JSON.stringify({ ...quick, headLambdaQ: [[1], [1]] })],
    [
      'with shares above 1',
      () => JSON.stringify({ ...quick, lostMass: { grid: [0.5, 2], mass: quick.lostMass.mass } }),
    ],
  ])('is as good as none where it is %s', (_, content) => {
    writeFileSync(file, content());
    expect(readAttentionCalibration(exact, manifest)).toBeUndefined();
  });

  it('is replaced as a whole', async () => {
    await writeAttentionCalibration(exact, quick);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(quick);
    expect(existsSync(`${file}.tmp`)).toBe(false);
  });
});
