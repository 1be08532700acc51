/** How much memory a loaded model takes, before it is loaded. */
import type { MemoryEstimate, WeightFlavour } from '../../../contract/engine.ts';
import { packedBytes } from '../../../native/js/index.ts';
import { type ModelConfig, windowOf } from './config.ts';

const FLOAT = 4;
const BF16 = 2;

/** Measured (engine-process.memory.test.ts): sessions, threads, JavaScript; a token's text and merges; a position's scores. */
const FIXED_BYTES = 128e6;
const BYTES_PER_TOKEN = 260;
const BYTES_PER_POSITION = 4096;

/** @param weightsBytes what sessions hold of weights, see memory-shape.ts */
export function estimateMemory(
  config: ModelConfig,
  weightsBytes: number,
  { weights, contextSize }: { weights: WeightFlavour; contextSize: number },
): MemoryEstimate {
  const context = Math.min(contextSize, config.contextTrained);
  return {
    weights,
    contextSize: context,
    weightsBytes,
    kvBytes: cacheBytes(config, weights, context),
    scratchBytes: scratchBytes(config.nTokens, context),
  };
}

/** Keys and values of a full context with the copies that the default attention makes of them, and the tables of rotation. */
export function cacheBytes(
  config: Pick<ModelConfig, 'nLayer' | 'nHeadKv' | 'headDim' | 'slidingWindow'>,
  weights: WeightFlavour,
  context: number,
): number {
  const { nLayer, nHeadKv, headDim, slidingWindow } = config;
  const plain = 2 * FLOAT * context * headDim;
  // Layers with a window attend densely and need no copies.
  const copies = packedBytes(context, headDim) + (weights === 'fast' ? 2 * BF16 * context * headDim : 0);
  const layers = Array.from({ length: nLayer }, (_, layer) => windowOf({ slidingWindow }, layer));
  const copying = layers.filter((window) => window === 0).length;
  const tables = (slidingWindow === null ? 1 : 2) * FLOAT * context * headDim;
  return nHeadKv * (nLayer * plain + copying * copies) + tables;
}

/** Everything else. @param nTokens size of the vocabulary */
export function scratchBytes(nTokens: number, context: number): number {
  return FIXED_BYTES + BYTES_PER_TOKEN * nTokens + BYTES_PER_POSITION * context;
}
