/** The quantised block layouts of GGUF: packed bytes to codes, scales and minima. value = code * scale (+ min). */
import { halfToFloat } from './dequant-half.ts';

export interface Unpacked {
  /** [count] */
  codes: Int8Array;
  /** [count / groupSize] */
  scales: Float32Array;
  /** [count / groupSize]; null for symmetric types. */
  mins: Float32Array | null;
}

export interface Unpacker {
  /** Neighbouring values with one scale. */
  groupSize: number;
  /** Half the range of the codes where they start at 0; 0 where they lie about zero already. */
  centre: number;
  unpack(data: Buffer, count: number): Unpacked;
}

/** Takes blocks apart one after another: `block(at, first, group)`: bytes from `at`, codes from `first`, scales from `group`. */
function unpacker(
  layout: { blockSize: number; blockBytes: number; groupSize: number; centre: number },
  block: (data: Buffer, at: number, out: Unpacked, first: number, group: number) => void,
): Unpacker {
  const { blockSize, blockBytes, groupSize, centre } = layout;
  return {
    groupSize,
    centre,
    unpack(data, count) {
      const groups = count / groupSize;
      const mins = centre === 0 ? null : new Float32Array(groups);
      const out: Unpacked = { codes: new Int8Array(count), scales: new Float32Array(groups), mins };
      for (let index = 0; index < count / blockSize; index++) {
        block(data, index * blockBytes, out, index * blockSize, (index * blockSize) / groupSize);
      }
      return out;
    },
  };
}

function half(data: Buffer, at: number): number {
  return halfToFloat((data[at] as number) | ((data[at + 1] as number) << 8));
}

/** 16 bytes of nibbles: low ones are values 0 to 15, high ones 16 to 31; bit i of `fifth` adds 16 to value i. */
function nibbles(data: Buffer, at: number, codes: Int8Array, first: number, fifth: number, minus: number): void {
  for (let i = 0; i < 16; i++) {
    const byte = data[at + i] as number;
    codes[first + i] = ((byte & 15) | (((fifth >>> i) & 1) << 4)) - minus;
    codes[first + 16 + i] = ((byte >> 4) | (((fifth >>> (i + 16)) & 1) << 4)) - minus;
  }
}

/** Scale (low) and minimum (high) of the eight groups of a K block: 6 bits each, packed in 12 bytes. */
function scalesAndMins(data: Buffer, at: number, out: Unpacked, group: number): void {
  const d = half(data, at);
  const dmin = half(data, at + 2);
  for (let j = 0; j < 8; j++) {
    const a = data[at + 4 + (j & 3)] as number;
    const b = data[at + 8 + (j & 3)] as number;
    const c = data[at + 12 + (j & 3)] as number;
    const scale = j < 4 ? a & 63 : (c & 15) | ((a >> 6) << 4);
    const min = j < 4 ? b & 63 : (c >> 4) | ((b >> 6) << 4);
    out.scales[group + j] = d * scale;
    if (out.mins !== null) out.mins[group + j] = -(dmin * min);
  }
}

export const UNPACKERS: ReadonlyMap<string, Unpacker> = new Map([
  [
    'Q4_0',
    unpacker({ blockSize: 32, blockBytes: 18, groupSize: 32, centre: 0 }, (data, at, out, first, group) => {
      out.scales[group] = half(data, at);
      nibbles(data, at + 2, out.codes, first, 0, 8);
    }),
  ],
  [
    'Q4_1',
    unpacker({ blockSize: 32, blockBytes: 20, groupSize: 32, centre: 8 }, (data, at, out, first, group) => {
      out.scales[group] = half(data, at);
      if (out.mins !== null) out.mins[group] = half(data, at + 2);
      nibbles(data, at + 4, out.codes, first, 0, 0);
    }),
  ],
  [
    'Q5_0',
    unpacker({ blockSize: 32, blockBytes: 22, groupSize: 32, centre: 0 }, (data, at, out, first, group) => {
      out.scales[group] = half(data, at);
      nibbles(data, at + 6, out.codes, first, data.readUInt32LE(at + 2), 16);
    }),
  ],
  [
    'Q5_1',
    unpacker({ blockSize: 32, blockBytes: 24, groupSize: 32, centre: 16 }, (data, at, out, first, group) => {
      out.scales[group] = half(data, at);
      if (out.mins !== null) out.mins[group] = half(data, at + 2);
      nibbles(data, at + 8, out.codes, first, data.readUInt32LE(at + 4), 0);
    }),
  ],
  [
    'Q8_0',
    unpacker({ blockSize: 32, blockBytes: 34, groupSize: 32, centre: 0 }, (data, at, out, first, group) => {
      out.scales[group] = half(data, at);
      for (let i = 0; i < 32; i++) out.codes[first + i] = data[at + 2 + i] as number;
    }),
  ],
  [
    'Q4_K',
    unpacker({ blockSize: 256, blockBytes: 144, groupSize: 32, centre: 8 }, (data, at, out, first, group) => {
      scalesAndMins(data, at, out, group);
      for (let i = 0; i < 128; i++) {
        const byte = data[at + 16 + i] as number;
        // 32 bytes hold two groups: low nibbles the one, high nibbles the next.
        const to = first + (i >> 5) * 64 + (i & 31);
        out.codes[to] = byte & 15;
        out.codes[to + 32] = byte >> 4;
      }
    }),
  ],
  [
    'Q5_K',
    unpacker({ blockSize: 256, blockBytes: 176, groupSize: 32, centre: 16 }, (data, at, out, first, group) => {
      scalesAndMins(data, at, out, group);
      for (let i = 0; i < 128; i++) {
        const byte = data[at + 48 + i] as number;
        const pair = i >> 5;
        // Bit g of byte l is the fifth bit of value l of group g.
        const fifth = (data[at + 16 + (i & 31)] as number) >> (2 * pair);
        const to = first + pair * 64 + (i & 31);
        out.codes[to] = (byte & 15) | ((fifth & 1) << 4);
        out.codes[to + 32] = (byte >> 4) | ((fifth & 2) << 3);
      }
    }),
  ],
  [
    'Q6_K',
    unpacker({ blockSize: 256, blockBytes: 210, groupSize: 16, centre: 0 }, (data, at, out, first, group) => {
      const d = half(data, at + 208);
      for (let j = 0; j < 16; j++) out.scales[group + j] = d * data.readInt8(at + 192 + j);
      for (let i = 0; i < 64; i++) {
        // Each half of the block: 64 bytes of low nibbles, 32 bytes of the two upper bits, 128 values.
        const half = i >> 5;
        const l = i & 31;
        const low = data[at + half * 64 + l] as number;
        const low32 = data[at + half * 64 + 32 + l] as number;
        const high = data[at + 128 + half * 32 + l] as number;
        const to = first + half * 128 + l;
        out.codes[to] = ((low & 15) | ((high & 3) << 4)) - 32;
        out.codes[to + 32] = ((low32 & 15) | (((high >> 2) & 3) << 4)) - 32;
        out.codes[to + 64] = ((low >> 4) | (((high >> 4) & 3) << 4)) - 32;
        out.codes[to + 96] = ((low32 >> 4) | ((high >> 6) << 4)) - 32;
      }
    }),
  ],
]);
