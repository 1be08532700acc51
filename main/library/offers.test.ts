import { expect, it } from 'vitest';
import type { MemoryEstimate, ModelInfo } from '../../contract/engine.ts';
import { CATALOG } from './catalog.ts';
import { entryOf, offersOf } from './offers.ts';

const free = { availableBytes: 110, devices: [] };
const memory: MemoryEstimate = { weights: 'fast', contextSize: 1, weightsBytes: 70, kvBytes: 20, scratchBytes: 10 };
const model = (more: Partial<ModelInfo>): ModelInfo => ({
  id: 'x',
  name: 'X',
  architecture: 'llama',
  weights: [],
  bytes: 0,
  contextTrained: 1,
  origin: 'folder',
  ...more,
});
const offers = (models: ModelInfo[]) =>
  offersOf(CATALOG, { models, free, estimate: () => memory }).filter(({ installed }) => installed);

it('says what fits', () => {
  const all = offersOf(CATALOG, { models: [], free, estimate: () => memory });
  expect(all.map(({ id }) => id)).toEqual(CATALOG.map(({ id }) => id));
  expect(all[0]?.fit).toEqual({ level: 'tight', memory, availableBytes: 110, devices: [] });
});

it('knows what is here by the name and the size of its file, wherever that lies', () => {
  const here = { sourcePath: '/a/hub/snapshots/1/SMOLLM2-360m-instruct-q8_0.gguf', sourceBytes: 386_404_992 };
  expect(offers([model({ id: 'found', ...here })]).map(({ id, installed }) => [id, installed])).toEqual([
    ['smollm2-360m-instruct-q8_0', 'found'],
  ]);
  expect(entryOf(model(here), CATALOG)?.id).toBe('smollm2-360m-instruct-q8_0');
  expect(offers([model({ ...here, sourceBytes: 5 })])).toEqual([]);
});

it('knows an import whose file is gone by its name, and claims no checksum of it', () => {
  const imported = model({ id: 'smollm2-360m-instruct-q8_0' });
  expect(offers([imported]).map(({ installed }) => installed)).toEqual(['smollm2-360m-instruct-q8_0']);
  expect(entryOf(imported, CATALOG)).toBeUndefined();
});
