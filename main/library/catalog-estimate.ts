/** What a model of the catalogue would take of memory once it is imported and loaded. */
import type { MemoryEstimate, WeightFlavour } from '../../contract/engine.ts';
import type { CatalogEntry } from '../../contract/models.ts';
import { cacheBytes, scratchBytes } from '../engine/model/memory-estimate.ts';

/** Bytes of a weight in memory: 8 bits with their scales, or float32. */
export const WEIGHT_BYTES: Readonly<Record<WeightFlavour, number>> = { fast: 1.04, exact: 4 };
/** Tokens of context that a model is loaded with where nobody chose. */
const DEFAULT_CONTEXT = 8192;
/** A large vocabulary; the catalogue does not say how large each is, and it matters little. */
const VOCABULARY = 150_000;
/** Gemma 3 sees all positions in every sixth layer only. How far the others see does not change what is kept. */
const GEMMA_WINDOW = { keys: 1, globalEvery: 6, ropeTheta: 1 };

export function estimateEntry(entry: CatalogEntry, weights: WeightFlavour): MemoryEstimate {
  const { architecture, parameters, nLayer, nHeadKv, headDim, contextTrained } = entry;
  const contextSize = Math.min(DEFAULT_CONTEXT, contextTrained);
  const slidingWindow = architecture === 'gemma3' ? GEMMA_WINDOW : null;
  return {
    weights,
    contextSize,
    weightsBytes: Math.round(parameters * WEIGHT_BYTES[weights]),
    kvBytes: Math.round(cacheBytes({ nLayer, nHeadKv, headDim, slidingWindow }, weights, contextSize)),
    scratchBytes: scratchBytes(VOCABULARY, contextSize),
  };
}
