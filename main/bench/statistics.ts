/** Medians and quartiles of repeated measurements. Ratios are taken within a round, so that a busy moment hurts both sides. */

/** Median with the lower and upper quartile. */
export interface Spread {
  median: number;
  low: number;
  high: number;
}

/** Quantile by linear interpolation between the sorted values, 0 <= q <= 1. NaN for no values. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const place = q * (sorted.length - 1);
  const below = sorted[Math.floor(place)] ?? Number.NaN;
  const above = sorted[Math.ceil(place)] ?? Number.NaN;
  return below + (above - below) * (place - Math.floor(place));
}

export function spread(values: readonly number[]): Spread {
  return { median: quantile(values, 0.5), low: quantile(values, 0.25), high: quantile(values, 0.75) };
}

/** Of a[i] / b[i], round by round. Throws RangeError where the lists differ in length. */
export function ratios(a: readonly number[], b: readonly number[]): Spread {
  if (a.length !== b.length) throw new RangeError(`${a.length} and ${b.length} rounds cannot be compared`);
  return spread(a.map((value, i) => value / (b[i] ?? Number.NaN)));
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
