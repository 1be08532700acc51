/** The architectures that the engine runs, and in what they differ. Names are those of `general.architecture`. */

export const ARCHITECTURES = ['llama', 'qwen2', 'qwen3'] as const;
export type Architecture = (typeof ARCHITECTURES)[number];

interface Traits {
  /** Rotary pairs are neighbours (2i, 2i + 1), not the two halves of a head. */
  ropeInterleaved: boolean;
  /** Query, key and value projections have biases: always, or where the file has them. */
  qkvBias: 'always' | 'optional';
  /** Each head's query and key are normalised before they are rotated. */
  qkNorm: boolean;
}

export const TRAITS: Readonly<Record<Architecture, Traits>> = {
  llama: { ropeInterleaved: true, qkvBias: 'optional', qkNorm: false },
  qwen2: { ropeInterleaved: false, qkvBias: 'always', qkNorm: false },
  qwen3: { ropeInterleaved: false, qkvBias: 'optional', qkNorm: true },
};

export function isArchitecture(name: string): name is Architecture {
  return ARCHITECTURES.some((known) => known === name);
}
