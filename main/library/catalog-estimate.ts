/** What a model of the catalogue would take of memory once it is imported and loaded. */
import type { MemoryEstimate, WeightFlavour } from '../../contract/engine.ts';
import type { CatalogEntry } from '../../contract/models.ts';

/** Bytes of a weight as it is run: 8 bits with their scales, or the file's own width. */
const FAST_BYTES = 1.06;
/** Bytes that a value of keys or values takes with its copies: float32, bfloat16, INT8 and packed keys. */
const KV_BYTES = 2 * (4 + 2) + 1 + 1.25;
/** Tokens of context that a model is loaded with where nobody chose. */
const DEFAULT_CONTEXT = 8192;
const SCRATCH_BYTES = 250e6;

export function estimateEntry(
  entry: CatalogEntry,
  weights: WeightFlavour,
  wantedContext = DEFAULT_CONTEXT,
): MemoryEstimate {
  const { parameters, bytes, nLayer, nHeadKv, headDim, contextTrained } = entry;
  const contextSize = Math.min(wantedContext, contextTrained);
  return {
    weights,
    contextSize,
    weightsBytes: Math.round(weights === 'fast' ? parameters * FAST_BYTES : Math.max(bytes, parameters)),
    kvBytes: Math.round(nLayer * nHeadKv * headDim * contextSize * KV_BYTES),
    scratchBytes: SCRATCH_BYTES,
  };
}
