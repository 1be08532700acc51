/** The scale bucket of every head, from the greatest scales that calibration found. */
import { bucketIndex, nearestScale } from '../attention/scale-buckets.ts';
import type { AttentionCalibration } from '../model/attention-calibration.ts';

/** Buckets, [layers][heads]. */
export function headBuckets(calibration: AttentionCalibration): number[][] {
  const { headLambdaQ, headLambdaK, meanLambdaQ, meanLambdaK } = calibration;
  return headLambdaQ.map((heads, layer) => {
    const keyHeads = headLambdaK[layer] ?? [];
    return heads.map((lambdaQ, head) => {
      const lambdaK = keyHeads[Math.floor((head * keyHeads.length) / heads.length)] ?? meanLambdaK;
      return bucketIndex(nearestScale(lambdaQ, meanLambdaQ), nearestScale(lambdaK, meanLambdaK));
    });
  });
}
