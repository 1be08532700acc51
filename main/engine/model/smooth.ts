/**
 * SmoothQuant: moves part of the range of large activation channels into the weights, so that 8-bit activations lose less.
 * A factor s per channel: the activation is divided by s, the weight's column multiplied by it; the product stays.
 */

/** Share of the activation's range that moves into the weights, where no other is asked for. */
const ALPHA = 0.5;
/** Channels that are never used must not give a factor of 0 or infinity. */
const SMALLEST = 1e-5;

/**
 * Factors per channel from the maxima of |activation| and |weight| over everything else; their geometric mean is 1.
 * Both arrays have the same length; every factor is finite and above 0.
 */
export function smoothingFactors(activationMax: Float32Array, weightMax: Float32Array, alpha = ALPHA): Float32Array {
  const logs = Float64Array.from(
    activationMax,
    (a, i) => alpha * Math.log(Math.max(a, SMALLEST)) - (1 - alpha) * Math.log(Math.max(weightMax[i] ?? 0, SMALLEST)),
  );
  const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length;
  return Float32Array.from(logs, (log) => Math.exp(log - mean));
}

/** How attention's output channels [nHead * headDim] share the value channels [nHeadKv * headDim]. */
export interface HeadShape {
  nHead: number;
  nHeadKv: number;
  headDim: number;
}

/** The value channel that feeds output channel `channel`. */
function valueChannel(shape: HeadShape, channel: number): number {
  const group = shape.nHead / shape.nHeadKv;
  const head = Math.floor(channel / shape.headDim);
  return Math.floor(head / group) * shape.headDim + (channel % shape.headDim);
}

/** Maxima per value channel, over the heads that share it. */
export function maxPerValueChannel(perOutput: Float32Array, shape: HeadShape): Float32Array {
  const result = new Float32Array(shape.nHeadKv * shape.headDim);
  perOutput.forEach((value, channel) => {
    const target = valueChannel(shape, channel);
    result[target] = Math.max(result[target] ?? 0, value);
  });
  return result;
}

/** The value channels' factors, repeated for every output channel. */
export function spreadToOutputs(perValue: Float32Array, shape: HeadShape): Float32Array {
  return Float32Array.from(
    { length: shape.nHead * shape.headDim },
    (_, channel) => perValue[valueChannel(shape, channel)] ?? 1,
  );
}
