/**
 * Writes GGUF files for tests: sound ones from a description, broken ones by overriding single fields or byte by byte
 * (`ByteWriter`). It checks nothing on purpose: hostile files must be writable.
 */
import { writeFileSync } from 'node:fs';
import { TENSOR_TYPES, VALUE_TYPES, type ValueType } from '../model/gguf-types.ts';

export type SpecScalar = number | bigint | boolean | string;
/** A typed metadata value; see the short constructors below. */
export type SpecValue =
  | { type: Exclude<ValueType, 'array'>; value: SpecScalar }
  | { type: 'array'; of: Exclude<ValueType, 'array'>; values: readonly SpecScalar[] };

export interface SpecTensor {
  name: string;
  /** A type's name, or any number to write as it is. */
  type: string | number;
  /** Row length first. */
  shape: readonly (number | bigint)[];
  data: Uint8Array;
  /** Offset in the data section to write instead of the true one. */
  offset?: number | bigint;
}

export interface GgufSpec {
  version?: number;
  /** Padding that the writer uses; it writes no general.alignment key by itself. */
  alignment?: number;
  /** A list and not a map: keys may occur twice. */
  metadata: readonly (readonly [key: string, value: SpecValue])[];
  tensors: readonly SpecTensor[];
}

export const u32 = (value: number): SpecValue => ({ type: 'uint32', value });
export const u64 = (value: bigint): SpecValue => ({ type: 'uint64', value });
export const f32 = (value: number): SpecValue => ({ type: 'float32', value });
export const bool = (value: boolean): SpecValue => ({ type: 'bool', value });
export const text = (value: string): SpecValue => ({ type: 'string', value });
export const texts = (values: readonly string[]): SpecValue => ({ type: 'array', of: 'string', values });
export const i32s = (values: readonly number[]): SpecValue => ({ type: 'array', of: 'int32', values });
export const f32s = (values: readonly number[]): SpecValue => ({ type: 'array', of: 'float32', values });

/** Appends little-endian fields. */
export class ByteWriter {
  readonly #parts: Uint8Array[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  raw(bytes: Uint8Array | string): this {
    const part = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes;
    this.#parts.push(part);
    this.#length += part.length;
    return this;
  }

  /** Zeros up to a multiple of `alignment`. */
  pad(alignment: number): this {
    return this.raw(Buffer.alloc((alignment - (this.#length % alignment)) % alignment));
  }

  u32(value: number): this {
    const part = Buffer.alloc(4);
    part.writeUInt32LE(value);
    return this.raw(part);
  }

  u64(value: number | bigint): this {
    const part = Buffer.alloc(8);
    part.writeBigUInt64LE(BigInt.asUintN(64, BigInt(value)));
    return this.raw(part);
  }

  /** Length as u64, then UTF-8. */
  text(value: string): this {
    const part = Buffer.from(value, 'utf8');
    return this.u64(part.length).raw(part);
  }

  /** A key, its type and its value. */
  entry(key: string, value: SpecValue): this {
    this.text(key).u32(VALUE_TYPES.indexOf(value.type));
    if (value.type !== 'array') return this.scalar(value.type, value.value);
    this.u32(VALUE_TYPES.indexOf(value.of)).u64(value.values.length);
    for (const item of value.values) this.scalar(value.of, item);
    return this;
  }

  scalar(type: Exclude<ValueType, 'array'>, value: SpecScalar): this {
    if (type === 'string') return this.text(String(value));
    return this.raw(encodeScalar(type, value));
  }

  done(): Buffer {
    return Buffer.concat(this.#parts);
  }
}

function encodeScalar(type: Exclude<ValueType, 'array' | 'string'>, value: SpecScalar): Buffer {
  const part = Buffer.alloc(8);
  switch (type) {
    case 'uint8':
      return part.subarray(0, part.writeUInt8(Number(value)));
    case 'bool':
      return part.subarray(0, part.writeUInt8(Number(value)));
    case 'int8':
      return part.subarray(0, part.writeInt8(Number(value)));
    case 'uint16':
      return part.subarray(0, part.writeUInt16LE(Number(value)));
    case 'int16':
      return part.subarray(0, part.writeInt16LE(Number(value)));
    case 'uint32':
      return part.subarray(0, part.writeUInt32LE(Number(value)));
    case 'int32':
      return part.subarray(0, part.writeInt32LE(Number(value)));
    case 'float32':
      return part.subarray(0, part.writeFloatLE(Number(value)));
    case 'float64':
      return part.subarray(0, part.writeDoubleLE(Number(value)));
    case 'uint64':
      return part.subarray(0, part.writeBigUInt64LE(BigInt(value)));
    case 'int64':
      return part.subarray(0, part.writeBigInt64LE(BigInt(value)));
  }
}

/** The bytes of the file that `spec` describes. */
export function encodeGguf(spec: GgufSpec): Buffer {
  const alignment = spec.alignment ?? 32;
  const header = new ByteWriter()
    .raw('GGUF')
    .u32(spec.version ?? 3)
    .u64(spec.tensors.length)
    .u64(spec.metadata.length);
  for (const [key, value] of spec.metadata) header.entry(key, value);
  const data = new ByteWriter();
  for (const tensor of spec.tensors) {
    header.text(tensor.name).u32(tensor.shape.length);
    for (const extent of tensor.shape) header.u64(extent);
    header.u32(typeNumber(tensor.type)).u64(tensor.offset ?? data.length);
    data.raw(tensor.data).pad(alignment);
  }
  return header.pad(alignment).raw(data.done()).done();
}

export function writeGguf(path: string, spec: GgufSpec): void {
  writeFileSync(path, encodeGguf(spec));
}

function typeNumber(type: string | number): number {
  if (typeof type === 'number') return type;
  for (const [id, known] of TENSOR_TYPES) if (known.name === type) return id;
  throw new Error(`no tensor type ${type}`);
}
