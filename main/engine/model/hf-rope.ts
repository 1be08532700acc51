/** How a model stretches its rotary positions, by its config.json: `rope_scaling`, or `rope_parameters` of newer files. */

import { phrase } from '../../../contract/phrase.ts';
import type { RopeScaling } from './config.ts';
import { quote, unsupportedModel } from './gguf-errors.ts';
import type { JsonFields } from './json-fields.ts';

export interface HfRope {
  theta: number;
  /** Of layers with a sliding window. */
  localTheta: number;
  scaling: RopeScaling;
}

const THETA = { min: 1, max: 1e12 };
const POSITIVE = { min: 1e-6, max: 1e6 };

/** Throws AppError 'model-unsupported' by name for ways that are not known. */
export function readHfRope(config: JsonFields, shape: { headDim: number; contextTrained: number }): HfRope {
  const parameters = config.optionalObject('rope_parameters');
  // Models with two kinds of layers have parameters for each.
  const full = parameters?.optionalObject('full_attention') ?? parameters;
  const local = parameters?.optionalObject('sliding_attention');
  return {
    theta: full?.optionalNumber('rope_theta', THETA) ?? config.optionalNumber('rope_theta', THETA) ?? 10000,
    localTheta:
      local?.optionalNumber('rope_theta', THETA) ?? config.optionalNumber('rope_local_base_freq', THETA) ?? 10000,
    scaling: readScaling(config, config.optionalObject('rope_scaling') ?? full, shape),
  };
}

function readScaling(
  config: JsonFields,
  scaling: JsonFields | undefined,
  shape: { headDim: number; contextTrained: number },
): RopeScaling {
  const type = scaling?.optionalString('rope_type') ?? scaling?.optionalString('type') ?? 'default';
  if (scaling === undefined || type === 'default') return { type: 'none' };
  const original = { min: 1, max: 2 ** 31 - 1 };
  switch (type) {
    case 'linear':
      return { type: 'linear', factor: scaling.number('factor', POSITIVE) };
    case 'llama3':
      return {
        type: 'llama3',
        factor: scaling.number('factor', POSITIVE),
        lowFreqFactor: scaling.number('low_freq_factor', POSITIVE),
        highFreqFactor: scaling.number('high_freq_factor', POSITIVE),
        originalContext: scaling.integer('original_max_position_embeddings', original),
      };
    case 'su':
    case 'longrope': {
      const originalContext =
        scaling.optionalInteger('original_max_position_embeddings', original) ??
        config.integer('original_max_position_embeddings', original);
      return {
        type: 'longrope',
        short: readFactors(scaling, 'short_factor', shape.headDim),
        long: readFactors(scaling, 'long_factor', shape.headDim),
        originalContext,
        attentionFactor:
          scaling.optionalNumber('attention_factor', { min: 0.01, max: 100 }) ??
          attentionFactor(shape.contextTrained / originalContext, originalContext),
      };
    }
    default:
      throw unsupportedModel(
        config.path,
        phrase`rope scaling ${quote(type)} is not supported; supported: default, linear, llama3, longrope`,
      );
  }
}

/** LongRoPE, arXiv 2402.13753, section 3.2: what longer contexts multiply queries and keys by. */
function attentionFactor(stretch: number, originalContext: number): number {
  return stretch <= 1 ? 1 : Math.sqrt(1 + Math.log(stretch) / Math.log(originalContext));
}

function readFactors(scaling: JsonFields, key: string, headDim: number): number[] {
  const factors = scaling.optionalNumbers(key) ?? scaling.missing(key);
  if (factors.length === headDim / 2 && factors.every((factor) => factor > 0)) return factors;
  throw scaling.bad(key, phrase`has ${factors.length} entries, or one that is not positive; ${headDim / 2} are needed`);
}
