/** Reads the tensor section of a GGUF header and proves that the data it promises lies in the file, without gaps or overlaps. */

import { type Phrase, phrase, said } from '../../../contract/phrase.ts';
import type { GgufCursor } from './gguf-cursor.ts';
import { invalidModel, quote, unsupportedModel } from './gguf-errors.ts';
import { type GgufTensor, TENSOR_TYPES, type TensorType, WITHDRAWN_TENSOR_TYPES } from './gguf-types.ts';

/** The format's own limits. */
const LONGEST_NAME = 64;
const MOST_DIMENSIONS = 4;
/** Name length, a name of one byte, dimension count, type, offset. */
const SMALLEST_ENTRY = 8 + 1 + 4 + 4 + 8;

/** `offset` counts from the start of the data section here. */
type Entry = GgufTensor;

/** Tensor entries in file order with offsets from the start of the data section, checked one by one. */
export function readTensorEntries(cursor: GgufCursor, path: string, count: bigint): Entry[] {
  cursor.require(count * BigInt(SMALLEST_ENTRY), phrase`the tensor list (${count} tensors announced)`);
  const entries: Entry[] = [];
  const names = new Set<string>();
  for (let index = 0; index < Number(count); index++) {
    const entry = readEntry(cursor, path, index);
    if (names.has(entry.name)) throw invalidModel(path, phrase`tensor ${quote(entry.name)} occurs twice`);
    names.add(entry.name);
    entries.push(entry);
  }
  return entries;
}

function readEntry(cursor: GgufCursor, path: string, index: number): Entry {
  const { text: name, valid } = cursor.text(phrase`the name of tensor ${index}`);
  if (name.length === 0) throw invalidModel(path, phrase`tensor ${index} has an empty name`);
  if (!valid) throw invalidModel(path, phrase`tensor ${index} has a name that is not valid UTF-8: ${quote(name)}`);
  if (Buffer.byteLength(name) > LONGEST_NAME) {
    throw invalidModel(path, phrase`tensor ${index} has a name longer than ${LONGEST_NAME} bytes: ${quote(name)}`);
  }
  const what = phrase`tensor ${quote(name)}`;
  const dimensions = cursor.u32(phrase`the number of dimensions of ${what}`);
  if (dimensions > MOST_DIMENSIONS) {
    throw invalidModel(path, phrase`${what} has ${dimensions} dimensions; at most ${MOST_DIMENSIONS} are possible`);
  }
  const extents: bigint[] = [];
  for (let axis = 0; axis < dimensions; axis++) extents.push(cursor.u64(phrase`the shape of ${what}`));
  const type = lookUpType(path, what, cursor.u32(phrase`the type of ${what}`));
  const offset = cursor.u64(phrase`the offset of ${what}`);
  if (offset > BigInt(Number.MAX_SAFE_INTEGER))
    throw invalidModel(path, phrase`${what} is said to start at byte ${offset} of the data`);
  const bytes = dataBytes(path, what, extents, type);
  return { name, type: type.name, shape: extents.map(Number), offset: Number(offset), bytes };
}

function lookUpType(path: string, what: Phrase, id: number): TensorType {
  const type = TENSOR_TYPES.get(id);
  if (type !== undefined) return type;
  const withdrawn = WITHDRAWN_TENSOR_TYPES.get(id);
  throw unsupportedModel(
    path,
    withdrawn === undefined
      ? phrase`${what} has type number ${id}, which this version does not know`
      : phrase`${what} has type ${withdrawn}, which was withdrawn from the format`,
    'Get a version of this model in a common type such as Q4_K_M or Q8_0.',
  );
}

/** Exact size of the data; every product is made in BigInt, so that nothing wraps or rounds. */
function dataBytes(path: string, what: Phrase, extents: readonly bigint[], type: TensorType): number {
  const shape = `[${extents.join(', ')}]`;
  let elements = 1n;
  for (const extent of extents) {
    if (extent === 0n) throw invalidModel(path, phrase`${what} has an extent of zero in its shape ${shape}`);
    if (BigInt.asIntN(64, extent) < 0n) {
      throw invalidModel(
        path,
        phrase`${what} has a negative extent (${BigInt.asIntN(64, extent)}) in its shape ${shape}`,
      );
    }
    elements *= extent;
  }
  const rowLength = extents[0] ?? 1n;
  if (rowLength % BigInt(type.blockSize) !== 0n) {
    throw invalidModel(
      path,
      phrase`${what} has rows of ${rowLength} elements, which ${type.name} blocks of ${type.blockSize} do not divide`,
    );
  }
  const bytes = (elements / BigInt(type.blockSize)) * BigInt(type.blockBytes);
  if (bytes > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw invalidModel(path, phrase`${what} has the shape ${shape}, ${bytes} bytes, more than any file can hold`);
  }
  return Number(bytes);
}

/**
 * Moves entries to absolute offsets after proving the layout: each tensor starts at the aligned end of the one before
 * it (a type number that a vendor reused for another layout shows here) and ends within the file.
 */
export function placeTensors(
  path: string,
  entries: readonly Entry[],
  dataOffset: number,
  alignment: number,
  fileBytes: number,
): GgufTensor[] {
  const placed = entries.map((entry) => ({ ...entry, offset: dataOffset + entry.offset }));
  let expected = dataOffset;
  let previous = said('the header');
  for (const { name, type, shape, offset, bytes } of [...placed].sort((a, b) => a.offset - b.offset)) {
    const what = phrase`tensor ${quote(name)}`;
    if ((offset - dataOffset) % alignment !== 0) {
      throw invalidModel(
        path,
        phrase`${what} starts at byte ${offset - dataOffset} of the data, which is not a multiple of the alignment ${alignment}`,
      );
    }
    if (offset + bytes > fileBytes) {
      throw invalidModel(
        path,
        phrase`the data of ${what} is cut off or misplaced: ${bytes} bytes from byte ${offset} expected, so at least ${offset + bytes} bytes in all; the file has ${fileBytes}`,
      );
    }
    if (offset !== expected) {
      const relation = said(offset < expected ? 'overlaps' : 'leaves a gap after');
      throw invalidModel(
        path,
        phrase`${what} (${type}, [${shape.join(', ')}]) ${relation} ${previous}: it starts at byte ${offset}, expected ${expected}. Sizes and types in this file do not fit its offsets`,
      );
    }
    expected = offset + bytes;
    expected += (alignment - ((expected - dataOffset) % alignment)) % alignment;
    previous = what;
  }
  return placed;
}
