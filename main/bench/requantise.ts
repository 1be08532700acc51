/**
 * A GGUF with its Q4_1 tensors as Q4_0, which llama.cpp computes faster: what its own quantiser writes when it is allowed
 * to requantise (ggml, quantize_row_q4_0_ref), for benchmarks only. Other tensors and all metadata stay.
 */
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { AppError } from '../../contract/errors.ts';
import { dequantize } from '../engine/model/dequant.ts';
import { type GgufFile, type GgufTensor, readGguf } from '../engine/model/gguf.ts';

const BLOCK = 32;
const BLOCK_BYTES = 2 + BLOCK / 2;
const Q4_0 = 2;
const Q4_1 = 3;

/** Writes the requantised copy of `source` to `target`. Throws AppError 'bad-input' where it has no Q4_1 tensor. */
export async function requantiseToQ40(source: string, target: string): Promise<void> {
  const file = await readGguf(source);
  if (!file.tensors.some(({ type }) => type === 'Q4_1')) {
    throw new AppError('bad-input', 'The model has no Q4_1 tensors, so there is nothing to requantise.', {
      action: 'Choose a Q4_1 model.',
    });
  }
  const from = openSync(source, 'r');
  const to = openSync(target, 'w');
  try {
    const header = readBytes(from, 0, file.dataOffset);
    const tensors = [...file.tensors].sort((a, b) => a.offset - b.offset);
    let offset = file.dataOffset;
    for (const tensor of tensors) {
      const old = readBytes(from, tensor.offset, tensor.bytes);
      const data = tensor.type === 'Q4_1' ? toQ40(dequantize('Q4_1', old, elements(tensor))) : old;
      if (tensor.type === 'Q4_1') retype(header, file, tensor, offset);
      else move(header, file, tensor, offset);
      writeSync(to, data, 0, data.length, offset);
      offset = Math.ceil((offset + data.length) / file.alignment) * file.alignment;
    }
    writeSync(to, header, 0, header.length, 0);
  } finally {
    closeSync(from);
    closeSync(to);
  }
}

/** Blocks of 32: a half scale d = m / -8, m the value of greatest magnitude, and codes min(15, trunc(x / d + 8.5)). */
export function toQ40(values: Float32Array): Buffer {
  const bytes = Buffer.alloc((values.length / BLOCK) * BLOCK_BYTES);
  for (let block = 0; block < values.length / BLOCK; block++) {
    const x = values.subarray(block * BLOCK, (block + 1) * BLOCK);
    const greatest = x.reduce((most, value) => (Math.abs(value) > Math.abs(most) ? value : most), 0);
    const d = Math.fround(greatest / -8);
    const inverse = d === 0 ? 0 : Math.fround(1 / d);
    const at = block * BLOCK_BYTES;
    bytes.writeUInt16LE(toHalf(d), at);
    const code = (i: number) => Math.min(15, Math.trunc(Math.fround(Math.fround((x[i] ?? 0) * inverse) + 8.5)));
    for (let i = 0; i < BLOCK / 2; i++) bytes[at + 2 + i] = code(i) | (code(i + BLOCK / 2) << 4);
  }
  return bytes;
}

function elements({ shape }: GgufTensor): number {
  return shape.reduce((product, extent) => product * extent, 1);
}

function retype(header: Buffer, file: GgufFile, tensor: GgufTensor, offset: number): void {
  const end = move(header, file, tensor, offset);
  if (header.readUInt32LE(end - 12) !== Q4_1) throw new RangeError(`the entry of ${tensor.name} was not found`);
  header.writeUInt32LE(Q4_0, end - 12);
}

/** Writes a tensor's new offset into its entry of the header; returns where the entry ends. */
function move(header: Buffer, file: GgufFile, { name, shape, offset: old }: GgufTensor, offset: number): number {
  const known = Buffer.alloc(8 + Buffer.byteLength(name) + 4 + 8 * shape.length);
  known.writeBigUInt64LE(BigInt(Buffer.byteLength(name)));
  let end = 8 + known.write(name, 8);
  end = known.writeUInt32LE(shape.length, end);
  for (const extent of shape) end = known.writeBigUInt64LE(BigInt(extent), end);
  // Entries are the header's last section.
  const at = header.lastIndexOf(known) + known.length + 4;
  if (header.readBigUInt64LE(at) !== BigInt(old - file.dataOffset)) {
    throw new RangeError(`the entry of ${name} was not found`);
  }
  return header.writeBigUInt64LE(BigInt(offset - file.dataOffset), at);
}

function readBytes(fd: number, position: number, count: number): Buffer {
  const bytes = Buffer.alloc(count);
  if (readSync(fd, bytes, 0, count, position) !== count) throw new RangeError('the model file became shorter');
  return bytes;
}

/** IEEE half bits of a float32, round to nearest even. */
export function toHalf(value: number): number {
  const bits = new Uint32Array(Float32Array.of(value).buffer)[0] ?? 0;
  const sign = (bits >>> 16) & 0x8000;
  const magnitude = Math.abs(value);
  // Below the least normal number a half is a multiple of 2^-24.
  if (magnitude < 2 ** -14) return sign | roundEven(magnitude * 2 ** 24);
  const exponent = Math.floor(Math.log2(magnitude));
  const mantissa = roundEven((magnitude / 2 ** exponent - 1) * 1024);
  return sign | Math.min(0x7c00, ((exponent + 15) << 10) + mantissa);
}

function roundEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  return rest > 0.5 || (rest === 0.5 && floor % 2 === 1) ? floor + 1 : floor;
}
