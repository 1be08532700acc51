import { expect, it } from 'vitest';
import type { CatalogEntry } from '../../contract/models.ts';
import { CATALOG } from './catalog.ts';
import { estimateEntry } from './catalog-estimate.ts';

const entry = (id: string): CatalogEntry => CATALOG.find((known) => known.id.startsWith(id)) as CatalogEntry;

it('knows the weights as an import writes them', () => {
  // weights.bin of the default model in the fast flavour has 139,804,416 bytes.
  const { weightsBytes } = estimateEntry(entry('smollm2-135m'), 'fast');
  expect(Math.abs(weightsBytes - 139_804_416)).toBeLessThan(0.02 * 139_804_416);
  expect(estimateEntry(entry('smollm2-135m'), 'exact').weightsBytes).toBe(4 * 134_515_008);
});

it('tells models with many key heads from those with few', () => {
  const kv = (id: string) => estimateEntry(entry(id), 'fast').kvBytes;
  // float32 keys and values alone: layers x heads x width x 8,192 tokens x 2 x 4 bytes.
  expect(kv('phi-3.5')).toBeGreaterThan(32 * 32 * 96 * 8192 * 8);
  expect(kv('phi-3.5')).toBeLessThan(2 * 32 * 32 * 96 * 8192 * 8);
  expect(kv('gemma-3-1b')).toBeGreaterThan(26 * 1 * 256 * 8192 * 8);
  expect(kv('gemma-3-1b')).toBeLessThan(1.3 * 26 * 1 * 256 * 8192 * 8);
  expect(estimateEntry(entry('gemma-3-1b'), 'fast').contextSize).toBe(8192);
});
