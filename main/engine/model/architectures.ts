/** The architectures that the engine runs, and in what they differ. Names are those of `general.architecture`. */

export const ARCHITECTURES = ['llama', 'qwen2', 'qwen3', 'phi3'] as const;
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
}

export const TRAITS: Readonly<Record<Architecture, Traits>> = {
  llama: { ropeInterleaved: true, qkvBias: 'optional', qkNorm: false, fused: false },
  qwen2: { ropeInterleaved: false, qkvBias: 'always', qkNorm: false, fused: false },
  qwen3: { ropeInterleaved: false, qkvBias: 'optional', qkNorm: true, fused: false },
  // Its sliding window is not used: llama.cpp does not use it either, and answers are as good.
  phi3: { ropeInterleaved: false, qkvBias: 'never', qkNorm: false, fused: true },
};

export function isArchitecture(name: string): name is Architecture {
  return ARCHITECTURES.some((known) => known === name);
}
