/** Random tensor data in every storage type the engine reads: random codes under scales that give a wished magnitude. */
import { TENSOR_TYPES } from '../model/gguf-types.ts';

/** Uniform numbers in [0, 1). */
export type Random = () => number;

/** Mulberry32: small, seeded, good enough for weights. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Where the float16 fields lie in a block and how large they are against a root mean square of 1. */
const SCALES: Record<string, { at: number; factor: number }[]> = {
  Q4_0: [{ at: 0, factor: 1 / 4.6 }],
  Q4_1: [
    { at: 0, factor: 1 / 4.6 },
    { at: 2, factor: -7.5 / 4.6 },
  ],
  Q5_0: [{ at: 0, factor: 1 / 9.2 }],
  Q5_1: [
    { at: 0, factor: 1 / 9.2 },
    { at: 2, factor: -15.5 / 9.2 },
  ],
  Q8_0: [{ at: 0, factor: 1 / 74 }],
  Q4_K: [
    { at: 0, factor: 1 / 255 },
    { at: 2, factor: 7.5 / 255 },
  ],
  Q5_K: [
    { at: 0, factor: 1 / 520 },
    { at: 2, factor: 15.5 / 520 },
  ],
  Q6_K: [{ at: 208, factor: 1 / 1369 }],
};

/** `count` elements of `type` (a multiple of its block size) with zero mean and a root mean square near `rms`. */
export function randomTensor(type: string, count: number, rms: number, random: Random): Buffer {
  const layout = [...TENSOR_TYPES.values()].find((known) => known.name === type);
  if (layout === undefined) throw new Error(`no tensor type ${type}`);
  if (type === 'F32' || type === 'F16' || type === 'BF16') {
    // Uniform on [-a, a] has a root mean square of a / sqrt(3).
    const values = Float32Array.from({ length: count }, () => (2 * random() - 1) * rms * Math.sqrt(3));
    return encodeFloats(type, values);
  }
  const data = Buffer.alloc((count / layout.blockSize) * layout.blockBytes);
  for (let at = 0; at < data.length; at++) data[at] = Math.floor(random() * 256);
  for (let block = 0; block < data.length; block += layout.blockBytes) {
    const spread = 0.5 + random();
    for (const { at, factor } of SCALES[type] ?? []) data.writeUInt16LE(toHalf(factor * rms * spread), block + at);
  }
  return data;
}

/** Values as F32, F16 or BF16 data, rounded to nearest even. */
export function encodeFloats(type: 'F32' | 'F16' | 'BF16', values: Float32Array): Buffer {
  if (type === 'F32') return Buffer.from(values.buffer.slice(values.byteOffset, values.byteOffset + values.byteLength));
  const data = Buffer.alloc(values.length * 2);
  values.forEach((value, index) => {
    data.writeUInt16LE(type === 'F16' ? toHalf(value) : toBfloat(value), index * 2);
  });
  return data;
}

/** Nearest bfloat16 of a finite number, ties to even. */
function toBfloat(value: number): number {
  const bits = floatBits(value);
  return (bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16;
}

/** Nearest float16, ties to even; too large becomes infinity. */
export function toHalf(value: number): number {
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const size = Math.abs(value);
  if (!Number.isFinite(size) || size >= 65520) return sign | 0x7c00;
  // Subnormals share the exponent of the smallest normal number.
  const exponent = Math.max(Math.floor(Math.log2(size)), -14);
  const steps = roundHalfToEven(size / 2 ** (exponent - 10));
  return size < 2 ** -25 ? sign : sign | (steps + ((exponent + 14) << 10));
}

function roundHalfToEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  return rest > 0.5 || (rest === 0.5 && floor % 2 === 1) ? floor + 1 : floor;
}

function floatBits(value: number): number {
  return new Uint32Array(Float32Array.of(value).buffer)[0] ?? 0;
}
