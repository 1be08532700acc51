/** From what a request asks to how a pass attends. */
import type { AttentionOptions } from '../../../contract/engine.ts';
import type { AttentionRule } from '../session/forward.ts';
import { DENSE } from '../session/forward.ts';

/**
 * Keys that a row keeps at least under `shadow`. With fewer the loss on short prompts grows (shared measurements:
 * perplexity +9 % without a floor, +4 % with 64, ratio 0.2).
 */
export const MIN_KEYS = 64;

/** Identity of a rule: KV entries made under one are not reused under another. */
export function ruleName(options: AttentionOptions): string {
  return options.mode === 'full' ? 'full' : `shadow ${options.ratio}`;
}

/**
 * The rule for rows of a prompt whose last row is at `lastRow` of the pass (Infinity: not in this pass). The last token
 * of a prompt attends densely like every decoded token, since the answer's first word hangs on it alone.
 */
export function ruleFor(options: AttentionOptions, lastRow: number): AttentionRule {
  return options.mode === 'full' ? DENSE : { ratio: options.ratio, minKeys: MIN_KEYS, denseFrom: lastRow };
}
