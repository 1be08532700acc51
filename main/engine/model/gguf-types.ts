/** What a GGUF file is made of: value types of its metadata, storage types of its tensors, and the shapes readers return. */
import type { GgufMetadata } from './gguf-metadata.ts';

/** A storage type: `blockSize` elements (along a row) share `blockBytes` bytes. */
export interface TensorType {
  name: string;
  blockSize: number;
  blockBytes: number;
}

/** By the number stored in the file. Numbers that are missing belong to types that were withdrawn or never existed. */
export const TENSOR_TYPES: ReadonlyMap<number, TensorType> = new Map(
  (
    [
      [0, 'F32', 1, 4],
      [1, 'F16', 1, 2],
      [2, 'Q4_0', 32, 18],
      [3, 'Q4_1', 32, 20],
      [6, 'Q5_0', 32, 22],
      [7, 'Q5_1', 32, 24],
      [8, 'Q8_0', 32, 34],
      [9, 'Q8_1', 32, 40],
      [10, 'Q2_K', 256, 84],
      [11, 'Q3_K', 256, 110],
      [12, 'Q4_K', 256, 144],
      [13, 'Q5_K', 256, 176],
      [14, 'Q6_K', 256, 210],
      [15, 'Q8_K', 256, 292],
      [16, 'IQ2_XXS', 256, 66],
      [17, 'IQ2_XS', 256, 74],
      [18, 'IQ3_XXS', 256, 98],
      [19, 'IQ1_S', 256, 50],
      [20, 'IQ4_NL', 32, 18],
      [21, 'IQ3_S', 256, 110],
      [22, 'IQ2_S', 256, 82],
      [23, 'IQ4_XS', 256, 136],
      [24, 'I8', 1, 1],
      [25, 'I16', 1, 2],
      [26, 'I32', 1, 4],
      [27, 'I64', 1, 8],
      [28, 'F64', 1, 8],
      [29, 'IQ1_M', 256, 56],
      [30, 'BF16', 1, 2],
      [34, 'TQ1_0', 256, 54],
      [35, 'TQ2_0', 256, 66],
      [39, 'MXFP4', 32, 17],
      [40, 'NVFP4', 64, 36],
      [41, 'Q1_0', 128, 18],
    ] as const
  ).map(([id, name, blockSize, blockBytes]) => [id, { name, blockSize, blockBytes }]),
);

/** Types that were withdrawn from the format; named so that the message can say more than a number. */
export const WITHDRAWN_TENSOR_TYPES: ReadonlyMap<number, string> = new Map([
  [4, 'Q4_2'],
  [5, 'Q4_3'],
  [31, 'Q4_0_4_4'],
  [32, 'Q4_0_4_8'],
  [33, 'Q4_0_8_8'],
  [36, 'IQ4_NL_4_4'],
  [37, 'IQ4_NL_4_8'],
  [38, 'IQ4_NL_8_8'],
]);

/** Metadata value types; the index is the number stored in the file. */
export const VALUE_TYPES = [
  'uint8',
  'int8',
  'uint16',
  'int16',
  'uint32',
  'int32',
  'float32',
  'bool',
  'string',
  'array',
  'uint64',
  'int64',
  'float64',
] as const;
export type ValueType = (typeof VALUE_TYPES)[number];

/** Integers beyond 2^53 stay BigInt: nothing is ever rounded. */
export type Scalar = number | bigint | boolean | string;

/**
 * One metadata value. `badText` is set when a string (of an array: its first such entry, by index) is not valid UTF-8;
 * such a value may lie in the file, but reading it is refused.
 */
export type MetadataValue =
  | { type: Exclude<ValueType, 'array'>; value: Scalar; badText?: number }
  | { type: 'array'; of: Exclude<ValueType, 'array'>; values: ArrayLike<Scalar>; badText?: number };

export interface GgufTensor {
  name: string;
  /** E.g. 'Q4_1'. */
  type: string;
  /** Extents, the row length first (ne0): a matrix of R rows with C columns is [C, R]. */
  shape: readonly number[];
  /** Bytes from the start of the file. */
  offset: number;
  /** Size of the data. */
  bytes: number;
}

export interface GgufFile {
  path: string;
  /** Size of the file. */
  bytes: number;
  version: number;
  alignment: number;
  /** Where tensor data starts, from the start of the file. */
  dataOffset: number;
  metadata: GgufMetadata;
  /** In file order; names are unique, data ranges lie in the file and do not overlap. */
  tensors: readonly GgufTensor[];
}
