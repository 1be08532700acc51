/** Which bucket a side of a head takes under each rule, and the scales of a bucket's graph. */
import type { SharedModel } from '../../session/shared-model.ts';
import type { AttentionRule } from '../rules.ts';
import {
  BUCKET_SIGMA,
  type BucketScale,
  bucketScales,
  COVERING_SIGMA,
  coveringScale,
  nearestScale,
} from '../scale-buckets.ts';

/** What a rule says of scales; `sigma` is the buckets' ratio where another than the rule's own is wanted. */
export type ScaleChoice = Pick<AttentionRule, 'scale' | 'sigma'>;

/**
 * The bucket of one side of a head; `exact` is none of these.
 * @param lambda the side's own exact scale @param mean centre of the buckets
 */
export function headScale({ scale, sigma }: ScaleChoice, lambda: number, mean: number): BucketScale {
  if (scale === 'single') return bucketScales(mean, BUCKET_SIGMA)[1];
  return scale === 'covering' ? coveringScale(lambda, mean, sigma) : nearestScale(lambda, mean, sigma);
}

/** Declared scales of the graph of a bucket. Under `exact` the inputs are normalised: a byte is 1/127 of its range. */
export function graphScales(
  { scale, sigma = scale === 'covering' ? COVERING_SIGMA : BUCKET_SIGMA }: ScaleChoice,
  bucket: number,
  model: Pick<SharedModel, 'meanLambdaQ' | 'meanLambdaK'>,
): { lambdaQ: number; lambdaK: number } {
  if (scale === 'exact') return { lambdaQ: 1 / 127, lambdaK: 1 / 127 };
  const side = (mean: number, index: number) => (bucketScales(mean, sigma)[index] ?? { lambda: mean }).lambda;
  return {
    lambdaQ: side(model.meanLambdaQ, Math.floor(bucket / 3)),
    lambdaK: side(model.meanLambdaK, bucket % 3),
  };
}
