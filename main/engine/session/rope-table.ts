/** Rotary position embedding as a table, so that kernels need no trigonometry. */
import { type ModelConfig, type RopeScaling, windowOf } from '../model/config.ts';

/** The table of each layer, see ropeTable; layers that rotate alike share one. */
export function ropeTables(
  config: Pick<ModelConfig, 'nLayer' | 'headDim' | 'ropeTheta' | 'ropeScaling' | 'slidingWindow'>,
  positions: number,
): Float32Array[] {
  const global = ropeTable(config, positions);
  const { slidingWindow } = config;
  const local =
    slidingWindow &&
    ropeTable({ ...config, ropeTheta: slidingWindow.ropeTheta, ropeScaling: { type: 'none' } }, positions);
  return Array.from({ length: config.nLayer }, (_, layer) => (windowOf(config, layer) > 0 && local) || global);
}

/**
 * Rows of headDim/2 cosines followed by headDim/2 sines, one row per position, float32 [positions, headDim].
 * angle = position * theta^(-2i / headDim), frequencies scaled as the model says; `positions` is the context's length,
 * which LongRoPE depends on. Sources: RoFormer (arXiv 2104.09864); llama3 scaling as in transformers' modeling_rope_utils.
 */
export function ropeTable(
  config: Pick<ModelConfig, 'headDim' | 'ropeTheta' | 'ropeScaling'>,
  positions: number,
): Float32Array {
  const half = config.headDim / 2;
  const frequencies = ropeFrequencies(config, positions);
  const size = config.ropeScaling.type === 'longrope' ? config.ropeScaling.attentionFactor : 1;
  const table = new Float32Array(new SharedArrayBuffer(positions * config.headDim * 4));
  for (let p = 0; p < positions; p++) {
    const row = p * config.headDim;
    for (let i = 0; i < half; i++) {
      const angle = p * (frequencies[i] ?? 0);
      table[row + i] = size * Math.cos(angle);
      table[row + half + i] = size * Math.sin(angle);
    }
  }
  return table;
}

/** Radians per position of each rotary pair in a context of `positions`, float64 [headDim / 2]. */
export function ropeFrequencies(
  config: Pick<ModelConfig, 'headDim' | 'ropeTheta' | 'ropeScaling'>,
  positions: number,
): Float64Array {
  const frequencies = new Float64Array(config.headDim / 2);
  for (let i = 0; i < frequencies.length; i++) {
    frequencies[i] = scaled(config.ropeTheta ** ((-2 * i) / config.headDim), i, config.ropeScaling, positions);
  }
  return frequencies;
}

function scaled(frequency: number, pair: number, scaling: RopeScaling, positions: number): number {
  switch (scaling.type) {
    case 'none':
      return frequency;
    case 'linear':
      return frequency / scaling.factor;
    case 'factors':
      return frequency / (scaling.factors[pair] ?? Number.NaN);
    case 'longrope': {
      const { short, long, originalContext } = scaling;
      return frequency / ((positions > originalContext ? long : short)[pair] ?? Number.NaN);
    }
    case 'llama3': {
      const { factor, lowFreqFactor, highFreqFactor, originalContext } = scaling;
      const wavelength = (2 * Math.PI) / frequency;
      if (wavelength < originalContext / highFreqFactor) return frequency;
      if (wavelength > originalContext / lowFreqFactor) return frequency / factor;
      const smooth = (originalContext / wavelength - lowFreqFactor) / (highFreqFactor - lowFreqFactor);
      return (1 - smooth) * (frequency / factor) + smooth * frequency;
    }
  }
}
