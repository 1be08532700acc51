/** A configuration made ready for the captured layers. */
import { type AttentionRule, DENSE, NEVER, ruleFor } from '../../engine/attention/rules.ts';
import type { Configuration } from '../../engine/eval/configurations.ts';
import type { LoadedModel } from '../../engine/session/loaded-model.ts';
import type { Captured } from './capture.ts';

export interface Prepared {
  rule: AttentionRule;
  /** Share of the keys that each captured head keeps, [layers * nHead]. */
  ratios: Float32Array;
}

/** Throws AppError 'bad-input' where the model cannot have it. */
export function prepare(model: LoadedModel, { layers }: Captured, { options }: Configuration): Prepared {
  const rule = options.mode === 'full' ? DENSE : ruleFor(model.prepareHeads(options), NEVER);
  const { nHead } = model.shared.shape;
  const ratios = new Float32Array(layers.length * nHead).fill(rule.ratio);
  if (rule.ratios !== 'uniform') {
    const all = new Float32Array(model.shared.headRatios);
    for (const [i, layer] of layers.entries()) ratios.set(all.subarray(layer * nHead, (layer + 1) * nHead), i * nHead);
  }
  return { rule, ratios };
}
