/** Head-specific ratios: how a mean share of kept keys is spread over the heads of a model, by either of two rules. */
import type { AttentionCalibration } from '../model/attention-calibration.ts';

/** Rules that need calibration; the third, uniform, needs none. */
export type CalibratedRule = 'lost-mass' | 'importance';

/** Share of the keys that every head keeps at least, and the upper clamp of an importance product (reference/ratios.py). */
const FLOOR = 0.01;
const MOST_IMPORTANCE = 1e-3;
/** What a sum of ratios may be short of its target for rounding. */
const ROUNDING = 1e-9;

/**
 * Ratios of all heads, [nLayer * nHead], each in (0, 1], with mean `r` (up to float32 rounding).
 * @param r 0 < r <= 1
 * @returns undefined where the calibration has not measured what the rule needs
 */
export function headRatios(
  calibration: AttentionCalibration,
  rule: CalibratedRule,
  r: number,
): Float32Array | undefined {
  if (rule === 'lost-mass') {
    const { grid, mass } = calibration.lostMass;
    return Float32Array.from(byLostMass(grid, mass.flat(), r));
  }
  const { importance } = calibration;
  return importance && Float32Array.from(byImportance(importance.head, importance.layer, r));
}

/**
 * The paper's rule: ratio_i = floor + (what is left of r * N) * c_i / sum(c), c_i = clamp(headImp_i * layerImp, 0, 1e-3).
 * Negative importance counts as 0; what exceeds 1 goes to the other heads.
 */
function byImportance(head: readonly number[][], layer: readonly number[], r: number): number[] {
  const weights = head.flatMap((heads, l) =>
    heads.map((value) => Math.min(Math.max(value, 0) * Math.max(layer[l] ?? 0, 0), MOST_IMPORTANCE)),
  );
  return spread(weights, Math.min(FLOOR, r), r);
}

/** floor plus shares proportional to the weights, none above 1, with mean r. Heads without any weight share alike. */
function spread(weights: readonly number[], floor: number, r: number): number[] {
  const ratios = weights.map(() => floor);
  let free = weights.map((_, i) => i);
  let left = r * weights.length - floor * weights.length;
  while (free.length > 0) {
    const sum = free.reduce((total, i) => total + (weights[i] ?? 0), 0);
    const share = (i: number) => (sum > 0 ? (weights[i] ?? 0) / sum : 1 / free.length);
    const full = free.filter((i) => floor + left * share(i) > 1);
    if (full.length === 0) {
      for (const i of free) ratios[i] = floor + left * share(i);
      break;
    }
    for (const i of full) ratios[i] = 1;
    left -= full.length * (1 - floor);
    free = free.filter((i) => !full.includes(i));
  }
  return ratios;
}

/**
 * Greedy: raises the head whose lost mass falls most per ratio, from one grid value to any higher one (curves need not be
 * convex), until the mean is r (reference/experiments/ratios.py by_mass). Where no head has mass left to win, the rest is
 * shared alike.
 * @param lost [nLayer * nHead][grid]
 */
function byLostMass(grid: readonly number[], lost: readonly number[][], r: number): number[] {
  const at = (index: number) => grid[index] ?? 1;
  if (r <= at(0)) return lost.map(() => r);
  const ratios = lost.map(() => at(0));
  const levels = lost.map(() => 0);
  let left = (r - at(0)) * lost.length;
  // The best step of a head changes only when that head is raised.
  const steps = lost.map((curve) => bestStep(grid, curve, 0));
  while (left > ROUNDING) {
    let head = 0;
    for (let i = 1; i < steps.length; i++) if ((steps[i]?.gain ?? 0) > (steps[head]?.gain ?? 0)) head = i;
    const step = steps[head];
    if (step === undefined || step.gain <= 0) break;
    const rise = Math.min(at(step.level) - at(levels[head] ?? 0), left);
    ratios[head] = (ratios[head] ?? 0) + rise;
    left -= rise;
    levels[head] = step.level;
    steps[head] = bestStep(grid, lost[head] ?? [], step.level);
  }
  return left > ROUNDING ? shareRest(ratios, left) : ratios;
}

/** The higher grid level with the most mass won per ratio; the lowest of equals. */
function bestStep(grid: readonly number[], curve: readonly number[], from: number): { level: number; gain: number } {
  let best = { level: from, gain: 0 };
  for (let level = from + 1; level < grid.length; level++) {
    const gain = ((curve[from] ?? 0) - (curve[level] ?? 0)) / ((grid[level] ?? 1) - (grid[from] ?? 0));
    if (gain > best.gain) best = { level, gain };
  }
  return best;
}

/** Adds `rest` to the ratios, alike for all, none above 1. */
function shareRest(ratios: readonly number[], rest: number): number[] {
  const out = ratios.slice();
  for (let left = rest; left > ROUNDING; ) {
    const free = out.map((_, i) => i).filter((i) => (out[i] ?? 1) < 1 - ROUNDING);
    if (free.length === 0) break;
    const each = left / free.length;
    for (const i of free) {
      const rise = Math.min(each, 1 - (out[i] ?? 1));
      out[i] = (out[i] ?? 0) + rise;
      left -= rise;
    }
  }
  return out;
}
