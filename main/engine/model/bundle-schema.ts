/** What a bundle's JSON files must look like: they lie on the user's disk, so they are parsed, never trusted. */
import * as v from 'valibot';
import { WeightFlavour } from '../../../contract/engine.ts';
import { ARCHITECTURES } from './architectures.ts';
import type { RopeScaling } from './config.ts';
import type { BundleManifest, TokenizerSource } from './manifest.ts';

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const extent = v.pipe(v.number(), v.safeInteger(), v.minValue(1));
const positive = v.pipe(v.number(), v.finite(), v.gtValue(0));
/** Files lie in the bundle's own folder: no path may lead out of it. */
const fileName = v.pipe(v.string(), v.regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/));
const sha256 = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));

const ropeScaling: v.GenericSchema<unknown, RopeScaling> = v.variant('type', [
  v.object({ type: v.literal('none') }),
  v.object({ type: v.literal('linear'), factor: positive }),
  v.object({
    type: v.literal('llama3'),
    factor: positive,
    lowFreqFactor: positive,
    highFreqFactor: positive,
    originalContext: extent,
  }),
  v.object({ type: v.literal('factors'), factors: v.array(positive) }),
  v.object({
    type: v.literal('longrope'),
    short: v.array(positive),
    long: v.array(positive),
    originalContext: extent,
    attentionFactor: positive,
  }),
]);

const embedding = v.variant('kind', [
  v.object({ kind: v.literal('float32'), file: fileName, offset: count }),
  v.object({
    kind: v.literal('blocks'),
    blockSize: extent,
    file: fileName,
    qOffset: count,
    scaleOffset: count,
    addOffset: v.nullable(count),
  }),
]);

export const ManifestSchema: v.GenericSchema<unknown, BundleManifest> = v.object({
  formatVersion: count,
  id: v.string(),
  name: v.string(),
  weights: WeightFlavour,
  source: v.object({ fileName: v.string(), bytes: count, sha256 }),
  config: v.object({
    architecture: v.picklist(ARCHITECTURES),
    nLayer: extent,
    nEmbd: extent,
    nHead: extent,
    nHeadKv: extent,
    headDim: extent,
    nFf: extent,
    nVocab: extent,
    nTokens: extent,
    contextTrained: extent,
    rmsEps: v.pipe(v.number(), v.minValue(0)),
    ropeTheta: positive,
    ropeScaling,
    ropeInterleaved: v.boolean(),
    qkvBias: v.boolean(),
    qkNorm: v.boolean(),
    activation: v.picklist(['silu', 'gelu']),
    embeddingScale: positive,
    slidingWindow: v.nullable(v.object({ keys: extent, globalEvery: extent, ropeTheta: positive })),
    tiedEmbeddings: v.boolean(),
  }),
  graphs: v.object({ blocks: v.pipe(v.array(fileName), v.minLength(2)), head: fileName }),
  embedding,
  calibration: v.object({ textSha256: v.string(), tokens: count, meanLambdaQ: positive, meanLambdaK: positive }),
  files: v.array(v.object({ name: fileName, bytes: count, sha256: v.exactOptional(sha256) })),
  notes: v.array(v.string()),
});

export const TokenizerSchema: v.GenericSchema<unknown, TokenizerSource> = v.object({
  model: v.string(),
  pre: v.exactOptional(v.string()),
  cuts: v.exactOptional(v.object({ patterns: v.array(v.string()), ignoreMerges: v.boolean() })),
  normalizer: v.exactOptional(v.literal('NFC')),
  tokens: v.array(v.string()),
  types: v.exactOptional(v.array(v.number())),
  scores: v.exactOptional(v.array(v.number())),
  merges: v.exactOptional(v.array(v.string())),
  bosId: v.exactOptional(count),
  eosId: v.exactOptional(count),
  endIds: v.array(count),
  unknownId: v.exactOptional(count),
  paddingId: v.exactOptional(count),
  addBos: v.exactOptional(v.boolean()),
  addEos: v.exactOptional(v.boolean()),
  addSpacePrefix: v.exactOptional(v.boolean()),
  metaspace: v.exactOptional(v.picklist(['first', 'always'])),
  chatTemplate: v.exactOptional(v.string()),
});
