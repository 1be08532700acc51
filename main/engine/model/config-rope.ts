/** How a model stretches its rotary positions: from the rope.scaling keys or the rope_freqs tensor. */
import { closeSync, openSync, readSync } from 'node:fs';
import { phrase } from '../../../contract/phrase.ts';
import type { RopeScaling } from './config.ts';
import { ROPE_FACTORS, ROPE_LONG, ROPE_SHORT } from './config-tensors.ts';
import { dequantize } from './dequant.ts';
import { findTensor } from './gguf.ts';
import { invalidModel, quote, unsupportedModel } from './gguf-errors.ts';
import type { GgufFile, GgufTensor } from './gguf-types.ts';

/** Throws AppError 'model-unsupported' by name for ways that are not known. `key` puts the architecture before a name. */
export function readRopeScaling(file: GgufFile, key: (name: string) => string, headDim: number): RopeScaling {
  if (findTensor(file, ROPE_LONG) ?? findTensor(file, ROPE_SHORT)) return readLongRope(file, key, headDim);
  const scaling = readScalingKeys(file, key);
  const tensor = findTensor(file, ROPE_FACTORS);
  if (tensor === undefined) return scaling;
  if (scaling.type === 'linear') {
    throw unsupportedModel(
      file.path,
      phrase`linear rope scaling together with the tensor "${ROPE_FACTORS}" is not supported`,
    );
  }
  return { type: 'factors', factors: readFactors(file, tensor, headDim) };
}

function readLongRope(file: GgufFile, key: (name: string) => string, headDim: number): RopeScaling {
  const factors = (name: string) => {
    const tensor = findTensor(file, name);
    if (tensor === undefined) throw invalidModel(file.path, phrase`tensor "${name}" is missing`);
    return readFactors(file, tensor, headDim);
  };
  const { metadata } = file;
  return {
    type: 'longrope',
    short: factors(ROPE_SHORT),
    long: factors(ROPE_LONG),
    originalContext: metadata.integer(key('rope.scaling.original_context_length'), { min: 1 }),
    attentionFactor: metadata.optionalNumber(key('rope.scaling.attn_factor'), { min: 0.01, max: 100 }) ?? 1,
  };
}

function readScalingKeys(file: GgufFile, key: (name: string) => string): RopeScaling {
  const { metadata } = file;
  const attention = metadata.optionalNumber(key('rope.scaling.attn_factor')) ?? 1;
  if (attention !== 1 && attention !== 0) {
    throw unsupportedModel(
      file.path,
      phrase`metadata key "${key('rope.scaling.attn_factor')}" is ${attention}; only 1 is supported`,
    );
  }
  // Files from before rope.scaling.type had only a factor, and it was linear.
  const type = metadata.optionalString(key('rope.scaling.type')) ?? 'linear';
  const factorRange = { min: 0, max: 1e6 };
  const factor =
    metadata.optionalNumber(key('rope.scaling.factor'), factorRange) ??
    metadata.optionalNumber(key('rope.scale_linear'), factorRange) ??
    0;
  switch (type) {
    case 'none':
      return { type: 'none' };
    case 'linear':
      // 0 stands for "not set".
      return factor === 0 || factor === 1 ? { type: 'none' } : { type: 'linear', factor };
    case 'llama3': {
      const positive = { min: 1e-6, max: 1e6 };
      return {
        type: 'llama3',
        factor: metadata.number(key('rope.scaling.factor'), positive),
        lowFreqFactor: metadata.number(key('rope.scaling.low_freq_factor'), positive),
        highFreqFactor: metadata.number(key('rope.scaling.high_freq_factor'), positive),
        originalContext: metadata.integer(key('rope.scaling.original_context_length'), { min: 1 }),
      };
    }
    default:
      throw unsupportedModel(
        file.path,
        phrase`rope scaling ${quote(type)} (metadata key "${key('rope.scaling.type')}") is not supported; supported: none, linear, llama3`,
      );
  }
}

/** [headDim / 2] divisors; its shape and type have been checked. A few hundred bytes, hence a blocking read. */
function readFactors(file: GgufFile, tensor: GgufTensor, headDim: number): number[] {
  const data = Buffer.alloc(tensor.bytes);
  const fd = openSync(file.path, 'r');
  try {
    const got = readSync(fd, data, 0, data.length, tensor.offset);
    if (got !== data.length)
      throw invalidModel(file.path, phrase`the file became shorter while tensor "${tensor.name}" was read`);
  } finally {
    closeSync(fd);
  }
  const factors = Array.from(dequantize(tensor.type, data, headDim / 2));
  const bad = factors.find((factor) => !(factor > 0 && Number.isFinite(factor)));
  if (bad !== undefined)
    throw invalidModel(file.path, phrase`tensor "${tensor.name}" holds ${bad}; only positive numbers are possible`);
  return factors;
}
