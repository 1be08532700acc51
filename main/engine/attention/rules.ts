/** From what a request asks to how a pass attends: every default of the engine's attention is here. */

import type { AttentionMode, AttentionOptions, RatioRule, ScaleRule, UsedAttention } from '../../../contract/engine.ts';
import type { AppError } from '../../../contract/errors.ts';
import { deviceOfPilot } from '../../../contract/pilot-name.ts';

/** How a pass attends; plain data that crosses to the worker threads. */
export interface AttentionRule {
  mode: AttentionMode;
  /** Mean share of the visible keys that a row keeps; the share of each head is in the model's `headRatios`. */
  ratio: number;
  ratios: RatioRule;
  /** Keys that a row keeps at least. */
  minKeys: number;
  /** Nats below a row's best score beyond which no key is kept (the tail has them); 0 keeps any. */
  reach: number;
  /** Row (of the pass) from which on attention is dense; rows of a pass never reach LAST_ROW. */
  denseFrom: number;
  pilot: string;
  scale: ScaleRule;
  /** Ratio of neighbouring bucket scales; absent: the scale rule's own. */
  sigma?: number;
  tail: boolean;
  sharing: boolean;
  exactSelection: boolean;
  pipeline: boolean;
  fuse: boolean;
}

/** `denseFrom` of a pass that has no dense row. A number that JSON can carry. */
export const NEVER = Number.MAX_SAFE_INTEGER;

/** What `shadow` is as shipped; docs/decisions/0010 has the measurements behind each value. */
const SHADOW: Omit<AttentionRule, 'mode' | 'ratio' | 'denseFrom'> = {
  ratios: 'lost-mass',
  minKeys: 64,
  reach: 6,
  pilot: 'native',
  scale: 'exact',
  tail: true,
  sharing: false,
  exactSelection: false,
  pipeline: true,
  fuse: true,
};

const BASELINE = { ...SHADOW, ratios: 'uniform', minKeys: 1, reach: 0, tail: false, exactSelection: true } as const;

export const DENSE: AttentionRule = { ...BASELINE, mode: 'full', ratio: 1, denseFrom: 0 };

/** Share of the keys that a mode keeps where none is asked for: for the baselines the paper's. */
export function defaultRatio(mode: AttentionMode): number {
  return mode === 'shadow' ? 0.07 : 0.2;
}

/** Whether all rows of a pass attend densely in float. */
export function isDense(rule: AttentionRule): boolean {
  return rule.mode === 'full' || rule.denseFrom <= 0;
}

/** Whether a rule is the fused path: all of `shadow` in one native call, with its own scales and whole bins of scores. */
export function isFused({ mode, pilot, exactSelection, scale }: AttentionRule): boolean {
  return mode === 'shadow' && pilot === 'native' && !exactSelection && scale === 'exact';
}

/** Share that head `index` of all (layer * nHead + head) keeps. @param headRatios of the model, set for the request */
export function ratioOf({ ratios, ratio }: AttentionRule, headRatios: Float32Array, index: number): number {
  return ratios === 'uniform' ? ratio : (headRatios[index] ?? ratio);
}

/**
 * The rule for rows of a prompt whose last row is row `lastRow` of the pass (NEVER: not in this pass). The last token
 * of a prompt attends densely like every decoded token, since the answer's first word hangs on it alone.
 */
export function ruleFor(options: AttentionOptions, lastRow: number): AttentionRule {
  const { mode, ...asked } = options;
  if (mode === 'full') return DENSE;
  const defaults = mode === 'shadow' ? SHADOW : BASELINE;
  const given = Object.fromEntries(
    Object.entries(asked).filter(([, value]) => value !== undefined),
  ) as Partial<AttentionRule>;
  const rule = { ...defaults, ratio: asked.ratio, ...given, mode, denseFrom: lastRow };
  // A device's heads are attended one by one, as their scores come.
  return rule.pilot === 'native' ? rule : { ...rule, sharing: false };
}

/**
 * What an answer tells of its attention: the options as they counted, defaults included.
 * @param problem why the pilot device was left for the native pilot, where that is so
 */
export function usedAttention(options: AttentionOptions, problem?: AppError): UsedAttention {
  const { denseFrom, mode, ratio, minKeys, ...rest } = ruleFor(options, NEVER);
  if (mode === 'full' || mode === 'npu-full') return { mode, ratio: 1, pilotDevice: null };
  if (mode === 'block') return { mode, ratio, pilotDevice: null };
  if (mode === 'sparse') return { mode, ratio, minKeys, pilotDevice: null };
  const used = { mode, ratio, minKeys, ...rest };
  if (problem) return { ...used, pilot: 'native', pilotDevice: pilotDevice('native'), pilotProblem: problem.message };
  return { ...used, pilotDevice: pilotDevice(rest.pilot) };
}

function pilotDevice(pilot: string): string {
  return pilot === 'native' ? 'CPU' : deviceOfPilot(pilot);
}

/** Identity of a rule: KV entries made under one are not reused under another. */
export function ruleName(options: AttentionOptions): string {
  const { pipeline, fuse, denseFrom, ...essence } = ruleFor(options, NEVER);
  return JSON.stringify(essence);
}
