/** Which bucket a side of a head takes under each rule, and the scales of a bucket's graph. */
import type { ScaleRule } from '../../../../contract/engine.ts';
import type { SharedModel } from '../../session/shared-model.ts';
import {
  BUCKET_SIGMA,
  type BucketScale,
  bucketScales,
  COVERING_SIGMA,
  coveringScale,
  nearestScale,
} from '../scale-buckets.ts';

/** The scale of one side of a head. @param lambda the side's own exact scale @param mean centre of the buckets */
export function headScale(rule: Exclude<ScaleRule, 'exact'>, lambda: number, mean: number): BucketScale {
  if (rule === 'single') return bucketScales(mean, BUCKET_SIGMA)[1];
  return rule === 'covering' ? coveringScale(lambda, mean) : nearestScale(lambda, mean);
}

/** Declared scales of the graph of a bucket. Under `exact` the inputs are normalised: a byte is 1/127 of its range. */
export function graphScales(
  rule: ScaleRule,
  bucket: number,
  model: Pick<SharedModel, 'meanLambdaQ' | 'meanLambdaK'>,
): { lambdaQ: number; lambdaK: number } {
  if (rule === 'exact') return { lambdaQ: 1 / 127, lambdaK: 1 / 127 };
  const sigma = rule === 'covering' ? COVERING_SIGMA : BUCKET_SIGMA;
  const side = (mean: number, index: number) => (bucketScales(mean, sigma)[index] ?? { lambda: mean }).lambda;
  return {
    lambdaQ: side(model.meanLambdaQ, Math.floor(bucket / 3)),
    lambdaK: side(model.meanLambdaK, bucket % 3),
  };
}
