/** Rotary position embedding as a table, so that kernels need no trigonometry. */
import type { ModelConfig } from '../model/config.ts';

/**
 * Rows of headDim/2 cosines followed by headDim/2 sines, one row per position, float32 [positions, headDim].
 * angle = position * theta^(-2i / headDim), frequencies scaled as the model says. Sources: RoFormer (arXiv 2104.09864);
 * llama3 scaling as in transformers' modeling_rope_utils.
 */
export function ropeTable(
  config: Pick<ModelConfig, 'headDim' | 'ropeTheta' | 'ropeScaling'>,
  positions: number,
): Float32Array {
  const half = config.headDim / 2;
  const frequencies = ropeFrequencies(config);
  const table = new Float32Array(new SharedArrayBuffer(positions * config.headDim * 4));
  for (let p = 0; p < positions; p++) {
    const row = p * config.headDim;
    for (let i = 0; i < half; i++) {
      const angle = p * (frequencies[i] ?? 0);
      table[row + i] = Math.cos(angle);
      table[row + half + i] = Math.sin(angle);
    }
  }
  return table;
}

/** Radians per position of each rotary pair, float64 [headDim / 2]. */
export function ropeFrequencies(config: Pick<ModelConfig, 'headDim' | 'ropeTheta' | 'ropeScaling'>): Float64Array {
  const half = config.headDim / 2;
  const scaling = config.ropeScaling;
  return new Float64Array(half).map((_, i) => {
    const plain = config.ropeTheta ** ((-2 * i) / config.headDim);
    switch (scaling.type) {
      case 'none':
        return plain;
      case 'linear':
        return plain / scaling.factor;
      case 'llama3': {
        const wavelength = (2 * Math.PI) / plain;
        const shortest = scaling.originalContext / scaling.highFreqFactor;
        const longest = scaling.originalContext / scaling.lowFreqFactor;
        if (wavelength < shortest) return plain;
        if (wavelength > longest) return plain / scaling.factor;
        const smooth =
          (scaling.originalContext / wavelength - scaling.lowFreqFactor) /
          (scaling.highFreqFactor - scaling.lowFreqFactor);
        return (1 - smooth) * (plain / scaling.factor) + smooth * plain;
      }
      case 'factors':
        return plain / (scaling.factors[i] ?? Number.NaN);
    }
  });
}
