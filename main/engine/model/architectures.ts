/** The architectures that the engine runs, and in what they differ. Names are those of `general.architecture`. */

export const ARCHITECTURES = ['llama', 'qwen2', 'qwen3', 'phi3', 'gemma3'] as const;
export type Architecture = (typeof ARCHITECTURES)[number];

interface Traits {
  /** Rotary pairs are neighbours (2i, 2i + 1), not the two halves of a head. */
  ropeInterleaved: boolean;
  /** Query, key and value projections have biases: always, never, or where the file has them. */
  qkvBias: 'always' | 'never' | 'optional';
  /** Each head's query and key are normalised before they are rotated. */
  qkNorm: boolean;
  /** Query, key and value are one tensor, gate and up another, rows below one another. */
  fused: boolean;
  /** What attention and MLP give is normalised before it is added to the residual. */
  postNorm: boolean;
  /** Of the gate: x * sigmoid(x), or GELU in its tanh form. */
  activation: 'silu' | 'gelu';
  /** Embeddings are multiplied by the square root of their length. */
  scaledEmbedding: boolean;
}

const LLAMA: Traits = {
  ropeInterleaved: true,
  qkvBias: 'optional',
  qkNorm: false,
  fused: false,
  postNorm: false,
  activation: 'silu',
  scaledEmbedding: false,
};

export const TRAITS: Readonly<Record<Architecture, Traits>> = {
  llama: LLAMA,
  qwen2: { ...LLAMA, ropeInterleaved: false, qkvBias: 'always' },
  qwen3: { ...LLAMA, ropeInterleaved: false, qkNorm: true },
  // Its sliding window is not used, as in llama.cpp.
  phi3: { ...LLAMA, ropeInterleaved: false, qkvBias: 'never', fused: true },
  gemma3: {
    ...LLAMA,
    ropeInterleaved: false,
    qkvBias: 'never',
    qkNorm: true,
    postNorm: true,
    activation: 'gelu',
    scaledEmbedding: true,
  },
};

export function isArchitecture(name: string): name is Architecture {
  return ARCHITECTURES.some((known) => known === name);
}
