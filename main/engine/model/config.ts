/** What the engine must know of a model's shape; read from GGUF metadata by `readConfig`. */
import type { Architecture } from './architectures.ts';

export type RopeScaling =
  | { type: 'none' }
  | { type: 'linear'; factor: number }
  | { type: 'llama3'; factor: number; lowFreqFactor: number; highFreqFactor: number; originalContext: number }
  /** One divisor for each rotary frequency (headDim / 2), as Llama 3 files carry them in rope_freqs.weight. */
  | { type: 'factors'; factors: number[] }
  /**
   * Divisors for contexts up to originalContext and for longer ones (headDim / 2 each); all queries and keys are
   * multiplied by attentionFactor (LongRoPE, arXiv 2402.13753).
   */
  | { type: 'longrope'; short: number[]; long: number[]; originalContext: number; attentionFactor: number };

/** Layers that see only the last `keys` positions: all but every `globalEvery`-th. They rotate by a base of their own. */
export interface SlidingWindow {
  keys: number;
  globalEvery: number;
  ropeTheta: number;
}

export interface ModelConfig {
  architecture: Architecture;
  nLayer: number;
  /** Width of the residual stream (hidden size). */
  nEmbd: number;
  nHead: number;
  nHeadKv: number;
  headDim: number;
  /** Width of the gated MLP. */
  nFf: number;
  /** Rows of the embedding and of the output matrix; may exceed the tokenizer's vocabulary (padding). */
  nVocab: number;
  /** Tokens that the tokenizer knows; ids from here to nVocab - 1 are padding and never sampled. */
  nTokens: number;
  /** Context length the model was trained for, in tokens. */
  contextTrained: number;
  rmsEps: number;
  ropeTheta: number;
  ropeScaling: RopeScaling;
  /** True: rotary pairs are neighbours (2i, 2i+1), the order llama.cpp stores for llama. */
  ropeInterleaved: boolean;
  /** Query, key and value projections have biases. */
  qkvBias: boolean;
  /** Each head's query and key are normalised before they are rotated. */
  qkNorm: boolean;
  /** Of the MLP's gate: x * sigmoid(x), or GELU in its tanh form. */
  activation: 'silu' | 'gelu';
  /** What embedding rows are multiplied by. */
  embeddingScale: number;
  /** null: every layer sees all positions. */
  slidingWindow: SlidingWindow | null;
  /** The output matrix is the embedding. */
  tiedEmbeddings: boolean;
}

/** Number of weights in matrices, as models are named by it; norms and biases are a thousandth of that. */
export function parametersOf(config: ModelConfig): number {
  const { nLayer, nEmbd, nHead, nHeadKv, headDim, nFf, nVocab, tiedEmbeddings } = config;
  const attention = nEmbd * headDim * (2 * nHead + 2 * nHeadKv);
  return nLayer * (attention + 3 * nEmbd * nFf) + nVocab * nEmbd * (tiedEmbeddings ? 1 : 2);
}

/** Keys that a layer's row sees at most, its own among them; 0: all. */
export function windowOf({ slidingWindow }: Pick<ModelConfig, 'slidingWindow'>, layer: number): number {
  if (slidingWindow === null || (layer + 1) % slidingWindow.globalEvery === 0) return 0;
  return slidingWindow.keys;
}
