/**
 * Strict reader of safetensors headers (github.com/huggingface/safetensors), not of the tensors' data. Whatever the header
 * says is checked against the bytes that the file has before it is believed.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { basename } from 'node:path';
import { AppError } from '../../../contract/errors.ts';
import { phrase, said } from '../../../contract/phrase.ts';
import { invalidModel, quote, unsupportedModel } from './gguf-errors.ts';
import type { StoredTensor } from './model-file.ts';

/** A thousand times what a large model needs; the format itself allows 100 MB. */
const LONGEST_HEADER = 32 * 1024 * 1024;
const MOST_DIMENSIONS = 8;

/** Bytes of an element. Names are those of the format; of these only the plain float types can be run. */
const ELEMENT_BYTES: Readonly<Record<string, number>> = {
  F64: 8,
  F32: 4,
  F16: 2,
  BF16: 2,
  F8_E4M3: 1,
  F8_E5M2: 1,
  F8_E8M0: 1,
  I64: 8,
  I32: 4,
  I16: 2,
  I8: 1,
  U64: 8,
  U32: 4,
  U16: 2,
  U8: 1,
  BOOL: 1,
};

export interface SafetensorsFile {
  path: string;
  /** Size of the file. */
  bytes: number;
  /** In the order of their data, which lies in the file without gaps or overlaps. Names are the file's. */
  tensors: readonly StoredTensor[];
}

/**
 * Reads the header of `path`. Throws AppError 'model-missing' (no such file, no access), 'model-invalid' (broken) or
 * 'model-unsupported' (an unknown element type), naming the tensor.
 */
export async function readSafetensors(path: string): Promise<SafetensorsFile> {
  let handle: FileHandle;
  try {
    handle = await open(path, 'r');
  } catch (cause) {
    throw new AppError('model-missing', phrase`${basename(path)}: the file is missing or cannot be read.`, {
      action: 'Download the model again.',
      detail: path,
      cause,
    });
  }
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw invalidModel(path, 'this is a folder or device, not a file');
    const { header, dataOffset } = await readHeader(handle, path, stats.size);
    return { path, bytes: stats.size, tensors: placed(path, header, dataOffset, stats.size) };
  } finally {
    await handle.close();
  }
}

async function readHeader(
  handle: FileHandle,
  path: string,
  fileBytes: number,
): Promise<{ header: Record<string, unknown>; dataOffset: number }> {
  if (fileBytes < 8) throw invalidModel(path, phrase`the file is only ${fileBytes} bytes long, not a model`);
  const length = (await readExactly(handle, path, 0, 8)).readBigUInt64LE();
  if (length > BigInt(LONGEST_HEADER)) {
    throw invalidModel(
      path,
      phrase`its header is said to have ${length} bytes; at most ${LONGEST_HEADER} are possible`,
    );
  }
  const dataOffset = 8 + Number(length);
  if (dataOffset > fileBytes) {
    throw invalidModel(path, phrase`its header is said to end at byte ${dataOffset}; the file has ${fileBytes}`);
  }
  const bytes = await readExactly(handle, path, 8, Number(length));
  let header: unknown;
  try {
    header = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw invalidModel(path, 'its header is not JSON text');
  }
  if (!isObject(header)) throw invalidModel(path, 'its header is not a list of tensors');
  return { header, dataOffset };
}

async function readExactly(handle: FileHandle, path: string, at: number, length: number): Promise<Buffer> {
  const data = Buffer.alloc(length);
  for (let done = 0; done < length; ) {
    const { bytesRead } = await handle.read(data, done, length - done, at + done);
    if (bytesRead === 0)
      throw invalidModel(path, phrase`the file became shorter while it was read (byte ${at + done})`);
    done += bytesRead;
  }
  return data;
}

/** All tensors, after proving that their data fill the file from `dataOffset` to its end, one behind the other. */
function placed(path: string, header: Record<string, unknown>, dataOffset: number, fileBytes: number): StoredTensor[] {
  const tensors = Object.entries(header)
    .filter(([name]) => name !== '__metadata__')
    .map(([name, entry]) => readEntry(path, name, entry, dataOffset))
    .sort((a, b) => a.offset - b.offset);
  let end = dataOffset;
  let previous = said('the header');
  for (const { name, offset, bytes } of tensors) {
    const what = phrase`tensor ${quote(name)}`;
    if (offset + bytes > fileBytes) {
      throw invalidModel(
        path,
        phrase`the data of ${what} are cut off: they end at byte ${offset + bytes}; the file has ${fileBytes}`,
      );
    }
    if (offset !== end) {
      const relation = said(offset < end ? 'overlaps' : 'leaves a gap after');
      throw invalidModel(path, phrase`${what} ${relation} ${previous}: it starts at byte ${offset}, expected ${end}`);
    }
    end = offset + bytes;
    previous = what;
  }
  if (end !== fileBytes) {
    throw invalidModel(path, phrase`${fileBytes - end} bytes follow ${previous}, which belong to no tensor`);
  }
  return tensors;
}

function readEntry(path: string, name: string, entry: unknown, dataOffset: number): StoredTensor {
  const what = phrase`tensor ${quote(name)}`;
  if (!isObject(entry)) throw invalidModel(path, phrase`${what} has no description`);
  const { dtype, shape, data_offsets: offsets } = entry;
  if (typeof dtype !== 'string') throw invalidModel(path, phrase`${what} has no type`);
  const elementBytes = Object.hasOwn(ELEMENT_BYTES, dtype) ? ELEMENT_BYTES[dtype] : undefined;
  if (elementBytes === undefined) {
    throw unsupportedModel(path, phrase`${what} has type ${quote(dtype)}, which this version does not know`);
  }
  if (!Array.isArray(shape) || shape.length > MOST_DIMENSIONS || !shape.every((extent) => isWhole(extent, 1))) {
    throw invalidModel(
      path,
      phrase`${what} has the shape ${quote(JSON.stringify(shape) ?? 'nothing')}, which is not possible`,
    );
  }
  if (!Array.isArray(offsets) || offsets.length !== 2 || !offsets.every((offset) => isWhole(offset, 0))) {
    throw invalidModel(path, phrase`${what} does not say where its data lie`);
  }
  const [begin, end] = offsets as [number, number];
  const bytes = shape.reduce((product: bigint, extent: number) => product * BigInt(extent), BigInt(elementBytes));
  if (bytes !== BigInt(end - begin)) {
    throw invalidModel(
      path,
      phrase`${what}, ${dtype} [${shape.join(', ')}], needs ${bytes} bytes; it has ${end - begin}`,
    );
  }
  return { name, type: dtype, shape: [...shape].reverse(), offset: dataOffset + begin, bytes: end - begin, file: path };
}

function isWhole(value: unknown, least: number): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= least;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
