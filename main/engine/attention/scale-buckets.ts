/**
 * Scale buckets: a pilot graph has its INT8 scales as constants, so a head takes the nearest of a few. The nine pairs are
 * all combinations of {mean * sigma, mean, mean / sigma} for Q and K, and the squared distance of a pair is the sum of
 * the two sides' squared distances; so each side's nearest scale can be found alone.
 */

/** The paper's. */
export const BUCKET_SIGMA = 0.5;
/** Of `coveringScale`: buckets may lie closer together where none is chosen that is much too small. */
export const COVERING_SIGMA = 0.7;
/** Share of the head's own scale that its bucket has at least: so little clipping costs less than coarser steps. */
const COVERING_SHARE = 0.85;

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

/** The three scales of a side. @param mean mean exact scale over calibration text, > 0 */
export function bucketScales(mean: number, sigma: number): [BucketScale, BucketScale, BucketScale] {
  return [
    { index: 0, lambda: Math.fround(mean * sigma) },
    { index: 1, lambda: Math.fround(mean) },
    { index: 2, lambda: Math.fround(mean / sigma) },
  ];
}

/** The bucket scale nearest to `lambda`; the smaller one at a tie (the paper's rule). */
export function nearestScale(lambda: number, mean: number, sigma = BUCKET_SIGMA): BucketScale {
  const scales = bucketScales(mean, sigma);
  return scales.reduce((best, scale) => ((lambda - scale.lambda) ** 2 < (lambda - best.lambda) ** 2 ? scale : best));
}

/** The smallest bucket scale of at least 0.85 lambda, or the largest: a scale that is too small clips, which costs more. */
export function coveringScale(lambda: number, mean: number, sigma = COVERING_SIGMA): BucketScale {
  const scales = bucketScales(mean, sigma);
  return scales.find((scale) => scale.lambda >= COVERING_SHARE * lambda) ?? scales[2];
}

/** Bucket number of a pair, 0 to 8: 3 * iQ + iK. */
export function bucketIndex(q: BucketScale, k: BucketScale): number {
  return 3 * q.index + k.index;
}
