/** Which prompts a curve has, and how long it will take. */
import type { Curve, CurveMode, CurvePlan } from '../../contract/compare.ts';

const LENGTHS = [512, 1024, 2048, 4096, 8192];
/** Tokens a second of a short prompt, where nothing has been measured. */
const GUESS = 500;
/** Tokens of a prompt at which attention takes as long as everything else; a rough rule, for estimates only. */
const HALF: Record<CurveMode, number> = { full: 4096, shadow: 16_384 };

/** As many as the context takes, the last one cut to it: there must be room for the first token of an answer. */
export function curveLengths(contextSize: number): number[] {
  const most = contextSize - 1;
  const within = LENGTHS.filter((length) => length <= most);
  const next = LENGTHS.find((length) => length > most);
  // A last length that is nearly the next one stands for it.
  return next !== undefined && most >= next * 0.9 ? [...within, most] : within;
}

/** The prompts of a curve in the order in which they are run: what is measured can be compared at any time. */
export function curveRuns(lengths: readonly number[]): { mode: CurveMode; tokens: number }[] {
  return lengths.flatMap((tokens) => [
    { mode: 'full' as const, tokens },
    { mode: 'shadow' as const, tokens },
  ]);
}

/** By the last curve, else by the speed of a prompt in tokens a second, else by a guess. */
export function planCurve(contextSize: number, last: Curve | undefined, speed: number | undefined): CurvePlan {
  const lengths = curveLengths(contextSize);
  const seconds = curveRuns(lengths).reduce((sum, { mode, tokens }) => {
    const known = last?.points.find((point) => point.mode === mode && point.tokens === tokens);
    return sum + (known?.seconds ?? (tokens / (speed ?? GUESS)) * (1 + tokens / HALF[mode]));
  }, 0);
  return { lengths, seconds: Math.ceil(seconds), measured: last !== undefined || speed !== undefined };
}
