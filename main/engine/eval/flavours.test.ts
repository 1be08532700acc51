/** Flavours of a tiny model of random weights: its predictions are nearly uniform, so losses are small and the order tells. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadNative } from '../../../native/js/load.ts';
import { type DeviceGraphs, prepareDeviceGraphs } from '../device/device-graphs.ts';
import { Engine } from '../engine.ts';
import type { LinearFlavour } from '../graph/device-flavours.ts';
import { tempDir } from '../testdata/temp-dir.ts';
import { writeTinyLlama } from '../testdata/tiny-llama.ts';
import { type FlavourRow, flavourFigures, measureFlavours } from './flavours.ts';
import { measurePerplexity } from './perplexity.ts';
import { heldOutTexts } from './texts.ts';

const TOKENS = 45;
const dir = tempDir();
const engine = new Engine({ modelsDir: dir, bundlesDir: join(dir, 'bundles') });
let rows: FlavourRow[];

beforeAll(async () => {
  const native = loadNative();
  const gguf = join(dir, 'tiny.gguf');
  writeTinyLlama(gguf, { layers: 3, seed: 5 });
  await engine.load({ model: gguf, weights: 'exact', threads: 1 });
  const graphs: DeviceGraphs[] = [];
  for (const flavour of ['fp16', 'w8a16', 'w4a16'] as LinearFlavour[]) {
    const device = { id: 'CPU', name: 'CPU', executionProvider: 'CPUExecutionProvider' };
    const open = { index: 0, epOptions: {} };
    const { bundle } = engine.model;
    graphs.push(
      await prepareDeviceGraphs({ native, bundle, device, open, flavour, chunk: 16, cacheDir: join(dir, 'devices') }),
    );
  }
  const texts = await heldOutTexts(['prose', 'code']);
  rows = await measureFlavours(engine.model, engine.model, { native, texts, tokens: TOKENS, graphs });
});
afterAll(() => engine.close());

test('a row for each text and flavour, the own graphs first', () => {
  expect(rows.map(({ text, flavour }) => `${text} ${flavour}`)).toEqual(
    ['prose', 'code'].flatMap((text) => ['fast', 'fp16', 'w8a16', 'w4a16'].map((flavour) => `${text} ${flavour}`)),
  );
  expect(rows.every(({ tokens }) => tokens === TOKENS)).toBe(true);
});

test('the own graphs have the perplexity that eval perplexity finds, and differ from themselves in nothing', async () => {
  const full = await measurePerplexity(engine.model, {
    texts: await heldOutTexts(['prose']),
    configurations: [],
    tokens: TOKENS,
  });
  expect(rows[0]?.perplexity).toBeCloseTo(full[0]?.perplexity ?? 0, 3);
  expect(rows[0]).toMatchObject({ ratio: 1, ratioFast: 1, top1: 1 });
  expect(Math.abs(rows[0]?.kl ?? 1)).toBeLessThan(1e-9);
});

test('half precision is nearest to the exact weights, 4 bits are farthest', () => {
  for (const text of ['prose', 'code']) {
    const kl = (flavour: string) => rows.find((row) => row.text === text && row.flavour === flavour)?.kl ?? Number.NaN;
    expect(kl('fp16')).toBeLessThan(1e-5);
    expect(kl('w8a16')).toBeGreaterThan(kl('fp16'));
    expect(kl('w4a16')).toBeGreaterThan(10 * kl('w8a16'));
    expect(kl('w4a16')).toBeLessThan(1);
  }
});

test('figures are means over the texts', () => {
  const own = rows.filter(({ flavour }) => flavour === 'w8a16');
  expect(flavourFigures(rows).w8a16_kl).toBeCloseTo(((own[0]?.kl ?? 0) + (own[1]?.kl ?? 0)) / 2, 12);
});
