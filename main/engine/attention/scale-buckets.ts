/**
 * Scale buckets: a pilot graph has its INT8 scales as constants, so a head takes the nearest of a few. The nine pairs are
 * all combinations of {mean * sigma, mean, mean / sigma} for Q and K, and the squared distance of a pair is the sum of
 * the two sides' squared distances; so each side's nearest scale can be found alone.
 */

export const BUCKET_SIGMA = 0.5;

export interface BucketScale {
  /** 0 small, 1 mean, 2 large. */
  index: 0 | 1 | 2;
  /** float32 value of the scale. */
  lambda: number;
}

/** max|x| to the exact INT8 scale: max|x| / 127 in float32 (golden/README.md). */
export function exactScale(maxAbs: number): number {
  return Math.fround(Math.fround(maxAbs) / 127);
}

/**
 * The bucket scale nearest to `lambda`; the smaller one at a tie.
 * @param mean mean exact scale over calibration text, > 0
 */
export function nearestScale(lambda: number, mean: number, sigma = BUCKET_SIGMA): BucketScale {
  const scales = [Math.fround(mean * sigma), Math.fround(mean), Math.fround(mean / sigma)] as const;
  let best: BucketScale = { index: 0, lambda: scales[0] };
  for (const index of [1, 2] as const) {
    if ((lambda - scales[index]) ** 2 < (lambda - best.lambda) ** 2) best = { index, lambda: scales[index] };
  }
  return best;
}

/** Bucket number of a pair, 0 to 8: 3 * iQ + iK. */
export function bucketIndex(q: BucketScale, k: BucketScale): number {
  return 3 * q.index + k.index;
}
