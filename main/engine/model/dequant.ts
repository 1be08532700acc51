/**
 * Storage types of GGUF tensors to numbers, bit for bit as the `gguf` Python package's dequantize does it. Quantised types
 * are unpacked into codes first; both the float values and the 8-bit blocks of the ONNX graphs are made from these.
 */
import { halfToFloat } from './dequant-half.ts';
import { UNPACKERS } from './dequant-unpack.ts';

/** value = (q - 128) * scale + add (no add: 0), one scale (and add) for `blockSize` neighbours of a row. */
export interface TensorBlocks {
  blockSize: number;
  /** [rows, cols] */
  q: Uint8Array;
  /** [rows, cols / blockSize] */
  scale: Float32Array;
  /** [rows, cols / blockSize], or null for types whose values are symmetric about zero. */
  add: Float32Array | null;
}

const FLOAT_TYPES = ['F32', 'F16', 'BF16'];

export const READABLE_TYPES: readonly string[] = [...FLOAT_TYPES, ...UNPACKERS.keys()];

/** `count` values out of `data`, whole blocks of a readable type. */
export function dequantize(type: string, data: Buffer, count: number): Float32Array {
  const unpacker = UNPACKERS.get(type);
  if (unpacker === undefined) return decodeFloats(type, data, count);
  const { codes, scales, mins } = unpacker.unpack(data, count);
  const values = new Float32Array(count);
  const { groupSize } = unpacker;
  for (let group = 0; group < scales.length; group++) {
    const scale = scales[group] as number;
    const end = (group + 1) * groupSize;
    // Products are exact in float32 (11 + 6 + 5 bits at most), so storing rounds once, as float32 arithmetic would.
    if (mins === null) {
      for (let i = group * groupSize; i < end; i++) values[i] = (codes[i] as number) * scale;
    } else {
      const min = mins[group] as number;
      for (let i = group * groupSize; i < end; i++) values[i] = (codes[i] as number) * scale + min;
    }
  }
  return values;
}

/** The 8-bit block form of the same data, lossless but for one float32 rounding of `add`; null for float types. */
export function toBlocks(type: string, data: Buffer, count: number): TensorBlocks | null {
  const unpacker = UNPACKERS.get(type);
  if (unpacker === undefined) return null;
  const { codes, scales, mins } = unpacker.unpack(data, count);
  const shift = 128 - unpacker.centre;
  const q = new Uint8Array(count);
  for (let i = 0; i < count; i++) q[i] = (codes[i] as number) + shift;
  // Codes are moved about zero: where activations are rounded to 8 bits, smaller weights mean smaller errors.
  const add = mins?.map((min, group) => min + unpacker.centre * (scales[group] as number)) ?? null;
  return { blockSize: unpacker.groupSize, q, scale: scales, add };
}

function decodeFloats(type: string, data: Buffer, count: number): Float32Array {
  // A fresh buffer: float views need aligned memory. All platforms are little-endian.
  const own = new Uint8Array(data).buffer;
  if (type === 'F32') return new Float32Array(own);
  const words = new Uint16Array(own);
  const values = new Float32Array(count);
  if (type === 'BF16') {
    const bits = new Uint32Array(values.buffer);
    for (let i = 0; i < count; i++) bits[i] = (words[i] as number) << 16;
  } else {
    for (let i = 0; i < count; i++) values[i] = halfToFloat(words[i] as number);
  }
  return values;
}
