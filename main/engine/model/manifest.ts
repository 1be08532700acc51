/** manifest.json of an imported model: what a bundle folder holds. Written last, so a folder without one is not a bundle. */
import type { WeightFlavour } from '../../../contract/engine.ts';
import type { AttentionCalibration } from './attention-calibration.ts';
import type { ModelConfig } from './config.ts';

export const BUNDLE_VERSION = 3;

export interface BundleManifest {
  formatVersion: number;
  id: string;
  name: string;
  weights: WeightFlavour;
  source: { fileName: string; bytes: number; sha256: string };
  config: ModelConfig;
  /**
   * blocks: nLayer + 1 graph files. blocks[0]: x -> qkv. blocks[i]: (att, x) -> (y, qkv), layer i-1's output part and
   * layer i's projections. blocks[nLayer]: (att, x) -> y. All float32, `rows` dynamic: x, y [rows, nEmbd],
   * att [rows, nHead * headDim], qkv [rows, (nHead + 2 * nHeadKv) * headDim].
   * head: x [rows, nEmbd] -> logits [rows, nVocab], final norm included.
   */
  graphs: { blocks: string[]; head: string };
  embedding: EmbeddingLayout;
  /** Mean exact INT8 scales over the calibration text, the centres of the scale buckets. */
  calibration: { textSha256: string; tokens: number; meanLambdaQ: number; meanLambdaK: number };
  /** Every other file of the folder; a size or checksum that differs means the bundle is damaged. Earlier imports have no checksums. */
  files: { name: string; bytes: number; sha256?: string }[];
  /** What the user should know of the conversion, e.g. a second quantisation. */
  notes: string[];
}

/**
 * What a calibration run over a text measured. Channel maxima are max |x| of what enters a projection, over all rows but
 * the first four tokens (the massive activation of token 0 would drown everything else).
 */
export interface CalibrationStats {
  textSha256: string;
  tokens: number;
  meanLambdaQ: number;
  meanLambdaK: number;
  /** Per layer: qkv and gateUp [nEmbd], out [nHead * headDim]. */
  layers: { qkv: Float32Array; out: Float32Array; gateUp: Float32Array }[];
  /** What the run says of the heads, for attention.json; absent where it was too short to say anything. */
  attention?: AttentionCalibration;
}

/**
 * Where the rows of the embedding lie. 'float32': [nVocab, nEmbd] at `offset` of `file`. 'blocks': value =
 * (q - 128) * scale + add, with q uint8 [nVocab, nEmbd], scale and add float32 [nVocab, nEmbd / blockSize].
 */
export type EmbeddingLayout =
  | { kind: 'float32'; file: string; offset: number }
  | { kind: 'blocks'; blockSize: number; file: string; qOffset: number; scaleOffset: number; addOffset: number | null };

/** tokenizer.json of a bundle: the tokenizer.* keys of a GGUF as they are, or the same of a published tokenizer.json. */
export interface TokenizerSource {
  /** gpt2: vocabulary of bytes; llama: SentencePiece. */
  model: string;
  pre?: string;
  /** Expressions that cut a text, in place of those that `pre` names. */
  cuts?: { patterns: string[]; ignoreMerges: boolean };
  /** Unicode form that texts are brought into first. */
  normalizer?: 'NFC';
  tokens: string[];
  types?: number[];
  scores?: number[];
  merges?: string[];
  bosId?: number;
  eosId?: number;
  /** eot, eom and other ids that end a turn. */
  endIds: number[];
  unknownId?: number;
  paddingId?: number;
  addBos?: boolean;
  addEos?: boolean;
  addSpacePrefix?: boolean;
  /** The space is left out where the text has one there; `first`: it comes before the whole text only, not after control tokens. */
  metaspace?: 'first' | 'always';
  chatTemplate?: string;
}
