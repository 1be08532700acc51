/** Reads the metadata section of a GGUF header: `count` keys with typed values, each checked as it comes. */

import { type Phrase, phrase } from '../../../contract/phrase.ts';
import type { GgufCursor } from './gguf-cursor.ts';
import { invalidModel, quote, unsupportedModel } from './gguf-errors.ts';
import { type MetadataValue, type Scalar, VALUE_TYPES, type ValueType } from './gguf-types.ts';

/** The format's own limit. */
const LONGEST_KEY = 65535;
/** Key length, a key of one byte, type, the smallest value. */
const SMALLEST_ENTRY = 8 + 1 + 4 + 1;

type SingleType = Exclude<ValueType, 'array'>;
const SIZES: Record<Exclude<SingleType, 'string'>, number> = {
  uint8: 1,
  int8: 1,
  bool: 1,
  uint16: 2,
  int16: 2,
  uint32: 4,
  int32: 4,
  float32: 4,
  uint64: 8,
  int64: 8,
  float64: 8,
};

/** All metadata in file order. Throws AppError 'model-invalid' or 'model-unsupported' naming the key. */
export function readMetadata(cursor: GgufCursor, path: string, count: bigint): Map<string, MetadataValue> {
  cursor.require(count * BigInt(SMALLEST_ENTRY), phrase`the metadata (${count} keys announced)`);
  const values = new Map<string, MetadataValue>();
  for (let index = 0; index < Number(count); index++) {
    const key = readKey(cursor, path, index);
    if (values.has(key)) throw invalidModel(path, phrase`metadata key ${quote(key)} occurs twice`);
    const what = phrase`metadata key ${quote(key)}`;
    const type = readType(cursor, path, what);
    values.set(key, type === 'array' ? readArray(cursor, path, what) : readSingle(cursor, path, type, what));
  }
  return values;
}

function readKey(cursor: GgufCursor, path: string, index: number): string {
  const { text, valid } = cursor.text(phrase`the name of metadata key ${index}`);
  if (text.length === 0) throw invalidModel(path, phrase`metadata key ${index} has an empty name`);
  if (text.length > LONGEST_KEY)
    throw invalidModel(path, phrase`metadata key ${index} has a name of ${text.length} characters`);
  if (!valid)
    throw invalidModel(path, phrase`metadata key ${index} has a name that is not valid UTF-8: ${quote(text)}`);
  return text;
}

function readType(cursor: GgufCursor, path: string, what: Phrase): ValueType {
  const id = cursor.u32(phrase`the type of ${what}`);
  const type = VALUE_TYPES[id];
  if (type === undefined) throw invalidModel(path, phrase`${what} has the unknown value type ${id}`);
  return type;
}

function readSingle(cursor: GgufCursor, path: string, type: SingleType, what: Phrase): MetadataValue {
  if (type === 'string') {
    const { text, valid } = cursor.text(phrase`the text of ${what}`);
    return { type, value: text, ...(valid ? {} : { badText: 0 }) };
  }
  const value = decode(cursor.bytes(SIZES[type], what), path, type, what)[0] as Scalar;
  return { type, value };
}

function readArray(cursor: GgufCursor, path: string, what: Phrase): MetadataValue {
  const of = readType(cursor, path, phrase`the entries of ${what}`);
  const count = cursor.u64(phrase`the length of ${what}`);
  if (of === 'array') throw unsupportedModel(path, phrase`${what} is a list of lists, which is not supported`);
  if (of !== 'string') {
    cursor.require(count * BigInt(SIZES[of]), phrase`${what} (${count} entries announced)`);
    return { type: 'array', of, values: decode(cursor.bytes(Number(count) * SIZES[of], what), path, of, what) };
  }
  cursor.require(count * 8n, phrase`${what} (${count} texts announced)`);
  const values: string[] = [];
  // One label for all entries: building one per entry would cost more than reading it.
  const entries = phrase`the entries of ${what}`;
  let badText: number | undefined;
  for (let index = 0; index < Number(count); index++) {
    const { text, valid } = cursor.text(entries);
    if (!valid) badText ??= index;
    values.push(text);
  }
  return { type: 'array', of, values, ...(badText === undefined ? {} : { badText }) };
}

/** Little-endian values as the host reads them (every platform this runs on is little-endian). */
function decode(raw: Buffer, path: string, type: Exclude<SingleType, 'string'>, what: Phrase): ArrayLike<Scalar> {
  const own = new Uint8Array(raw).buffer;
  switch (type) {
    case 'uint8':
      return new Uint8Array(own);
    case 'int8':
      return new Int8Array(own);
    case 'uint16':
      return new Uint16Array(own);
    case 'int16':
      return new Int16Array(own);
    case 'uint32':
      return new Uint32Array(own);
    case 'int32':
      return new Int32Array(own);
    case 'float32':
      return new Float32Array(own);
    case 'float64':
      return new Float64Array(own);
    case 'uint64':
      return Array.from(new BigUint64Array(own), exact);
    case 'int64':
      return Array.from(new BigInt64Array(own), exact);
    case 'bool':
      return Array.from(new Uint8Array(own), (byte, index) => {
        if (byte <= 1) return byte === 1;
        throw invalidModel(
          path,
          phrase`${what} holds ${byte} where only 0 (false) or 1 (true) can be (entry ${index})`,
        );
      });
  }
}

function exact(value: bigint): number | bigint {
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}
