/**
 * What calibration knows of a model's attention: attention.json beside the flavours' folders, since it belongs to the
 * source model and not to one flavour of its weights. Import writes the quick part, the full calibration replaces it.
 */
import * as v from 'valibot';

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const positive = v.pipe(v.number(), v.finite(), v.gtValue(0));
const sha256 = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
const share = v.pipe(v.number(), v.minValue(0), v.maxValue(1));
/** [layer][head] */
const perHead = <S extends v.GenericSchema<unknown, number>>(value: S) => v.array(v.array(value));

/**
 * Greatest |x| of a layer's queries, keys, values, scaled scores (q . k / sqrt(headDim); of the rows whose lost mass was
 * measured) and attention outputs.
 */
export const StaticRanges = v.object({ q: positive, k: positive, v: positive, scores: positive, out: positive });
export type StaticRanges = v.InferOutput<typeof StaticRanges>;

export const AttentionCalibrationSchema = v.object({
  formatVersion: v.literal(1),
  /** Of the GGUF that the model was imported from. */
  sourceSha256: sha256,
  /** Of the calibration text, UTF-8. */
  textSha256: sha256,
  /** Tokens that the statistics were taken over. */
  tokens: count,
  /** Mean exact INT8 scales over layers, heads and chunks of 128 rows: centres of the scale buckets. */
  meanLambdaQ: positive,
  meanLambdaK: positive,
  /** Greatest exact scale of each head: [nLayer][nHead] and [nLayer][nHeadKv]. */
  headLambdaQ: perHead(positive),
  headLambdaK: perHead(positive),
  /** Mean key after the rotary embedding, [nLayer][nHeadKv][headDim]. */
  meanKey: v.array(perHead(v.pipe(v.number(), v.finite()))),
  /** Mean attention mass outside the exact top keep_count(grid[g], visible) keys, [nLayer][nHead][grid]. */
  lostMass: v.object({ grid: v.pipe(v.array(share), v.minLength(2)), mass: v.array(perHead(share)) }),
  /** [nLayer] */
  staticRanges: v.pipe(v.array(StaticRanges), v.minLength(1)),
  /**
   * Loss increase in nats per token with the attention output of a head [nLayer][nHead] or of a whole layer [nLayer] set
   * to zero, over `tokens` tokens. Absent until the full calibration has run.
   */
  importance: v.exactOptional(
    v.object({
      tokens: count,
      head: perHead(v.pipe(v.number(), v.finite())),
      layer: v.array(v.pipe(v.number(), v.finite())),
    }),
  ),
});
export type AttentionCalibration = v.InferOutput<typeof AttentionCalibrationSchema>;
