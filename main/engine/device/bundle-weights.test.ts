/** Weights read back from the graphs of a bundle, against the tensors of the file that it was imported from. */
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { WeightFlavour } from '../../../contract/engine.ts';
import { Engine } from '../engine.ts';
import { openModelSource, type Matrix as Stored } from '../model/import-source.ts';
import { readModelFile } from '../model/model-file.ts';
import { refusal } from '../testdata/refusal.ts';
import { tempDir } from '../testdata/temp-dir.ts';
import { writeTinyLlama } from '../testdata/tiny-llama.ts';
import { BundleWeights, type LayerValues, type Matrix } from './bundle-weights.ts';

const dir = tempDir();
const engine = new Engine({ modelsDir: dir, bundlesDir: join(dir, 'bundles') });
afterAll(() => engine.close());

const PROJECTIONS = ['query', 'key', 'value', 'out', 'gate', 'up', 'down'] as const;

async function imported(name: string, types: Parameters<typeof writeTinyLlama>[1], weights: WeightFlavour) {
  const gguf = join(dir, `${name}.gguf`);
  writeTinyLlama(gguf, { layers: 2, seed: 8, ...types });
  const bundle = await engine.import({ model: gguf, weights });
  const back = new BundleWeights(bundle);
  const layer = await back.layer(1);
  await back.close();
  bundle.close();
  const source = await openModelSource(await readModelFile(gguf));
  const original = source.layers[1];
  if (original === undefined) throw new Error('there are two layers');
  const wanted: Record<string, Float32Array> = {};
  for (const part of [...PROJECTIONS, 'attnNorm', 'ffnNorm'] as const) wanted[part] = await all(original[part]);
  await source.close();
  return { layer, wanted };
}

const all = (matrix: Stored) => matrix.floatRows(0, matrix.rows);

test.each<[string, string | Record<string, string>]>([
  ['floats', 'F32'],
  ['blocks of 4 bits with an offset', 'Q4_1'],
  ['forms that differ within a layer', { default: 'Q8_0', attn_k: 'F32', ffn_up: 'Q4_1', ffn_down: 'F16' }],
])('exact weights: %s', async (name, types) => {
  const { layer, wanted } = await imported(`exact ${name}`.replaceAll(' ', '-'), { types }, 'exact');
  for (const part of PROJECTIONS) {
    const { values } = layer[part];
    expect(worst(values, wanted[part]), part).toBeLessThan(1e-6);
  }
  expect([...layer.attnNorm]).toEqual([...(wanted.attnNorm ?? [])]);
});

test('fast weights: rounded and smoothed, the products are those of the file', async () => {
  const { layer, wanted } = await imported('fast', {}, 'fast');
  // Smoothing moves factors between a normalisation and the columns behind it.
  for (const [norm, part] of [
    ['attnNorm', 'query'],
    ['attnNorm', 'key'],
    ['ffnNorm', 'gate'],
    ['ffnNorm', 'up'],
  ] as const) {
    const expected = timesColumns(wanted[part], wanted[norm]);
    expect(worst(timesColumns(layer[part].values, layer[norm]), expected), part).toBeLessThan(
      0.02 * greatest(expected),
    );
  }
  expect(worst(layer.down.values, wanted.down)).toBeLessThan(0.02 * greatest(wanted.down));

  expect(shape(layer)).toEqual({ query: [64, 64], key: [32, 64], value: [32, 64], out: [64, 64], down: [64, 128] });
});

test('a graph that is not one of ours is an error that says what to do', async () => {
  const gguf = join(dir, 'broken.gguf');
  writeTinyLlama(gguf, { seed: 9 });
  const bundle = await engine.import({ model: gguf, weights: 'exact' });
  const back = new BundleWeights(
    Object.assign(Object.create(bundle), { blockPaths: [bundle.headPath, bundle.headPath] }),
  );
  const { kind, action } = await refusal(() => back.layer(0));
  expect([kind, action]).toEqual(['model-invalid', 'Remove the model and import it again.']);
  await back.close();
  bundle.close();
});

function shape(layer: LayerValues): Record<string, [number, number]> {
  const of = ({ rows, cols }: Matrix): [number, number] => [rows, cols];
  const { query, key, value, out, down } = layer;
  return { query: of(query), key: of(key), value: of(value), out: of(out), down: of(down) };
}

function timesColumns(values: Float32Array = new Float32Array(0), factors: Float32Array = new Float32Array(0)) {
  return values.map((value, i) => value * (factors[i % factors.length] ?? Number.NaN));
}

function greatest(values: Float32Array = new Float32Array(0)): number {
  return values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
}

function worst(actual: Float32Array, expected: Float32Array = new Float32Array(0)): number {
  expect(actual.length).toBe(expected.length);
  return actual.reduce((most, value, i) => Math.max(most, Math.abs(value - (expected[i] ?? Number.NaN))), 0);
}
