import type { MemoryEstimate, ModelInfo, WeightFlavour } from '../../contract/engine.ts';
import { CATALOG } from '../library/catalog.ts';
import { estimateEntry } from '../library/catalog-estimate.ts';
import type { Downloads } from '../library/downloads.ts';
import type { FreeMemory } from '../library/fit.ts';
import { offersOf } from '../library/offers.ts';
import type { Handlers } from './router.ts';

export interface CatalogOptions {
  readonly downloads: Downloads;
  readonly models: () => Promise<readonly ModelInfo[]>;
  readonly weights: () => WeightFlavour;
  readonly freeMemory: () => Promise<FreeMemory>;
}

/** The catalogue of models and their downloads. */
export function catalogHandlers({
  downloads,
  models,
  weights,
  freeMemory,
}: CatalogOptions): Handlers<'models.catalog' | 'models.download' | 'models.pause' | 'models.cancel-download'> {
  return {
    'models.catalog': async () =>
      offersOf(CATALOG, {
        // Without an engine there is still a catalogue.
        models: await models().catch(() => []),
        free: await freeMemory(),
        estimate: (entry): MemoryEstimate => estimateEntry(entry, weights()),
      }),
    'models.download': ({ entryId }) => downloads.start(entryId),
    'models.pause': ({ entryId }) => downloads.pause(entryId),
    'models.cancel-download': ({ entryId }) => downloads.cancel(entryId),
  };
}
