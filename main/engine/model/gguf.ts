/**
 * Strict reader of GGUF files (versions 2 and 3): header, metadata and the table of tensors, not their data. Whatever the
 * file says is checked against the bytes it has before it is believed, so a broken or hostile file is refused at once with
 * a reason and costs no memory. Runs on the engine thread.
 */
import { closeSync, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { basename } from 'node:path';
import { AppError } from '../../../contract/errors.ts';
import { phrase, said } from '../../../contract/phrase.ts';
import { GgufCursor } from './gguf-cursor.ts';
import { invalidModel } from './gguf-errors.ts';
import { checkMagic, MAGIC_BYTES } from './gguf-magic.ts';
import { GgufMetadata } from './gguf-metadata.ts';
import { placeTensors, readTensorEntries } from './gguf-tensors.ts';
import type { GgufFile, GgufTensor } from './gguf-types.ts';
import { readMetadata } from './gguf-values.ts';

export type { GgufFile, GgufTensor } from './gguf-types.ts';

const DEFAULT_ALIGNMENT = 32;
/** A huge page; nothing larger has a use. */
const LARGEST_ALIGNMENT = 2 * 1024 * 1024;

/**
 * Reads the header of `path`. Throws AppError 'model-missing' (no such file, no access), 'model-invalid' (broken) or
 * 'model-unsupported' (another version, byte order or type number).
 */
export async function readGguf(path: string): Promise<GgufFile> {
  const fd = openModel(path);
  try {
    return readHeader(fd, path);
  } catch (error) {
    throw error instanceof AppError ? error : unreadable(path, error);
  } finally {
    closeSync(fd);
  }
}

/** The tensor of that name, where the file has one. */
export function findTensor(file: GgufFile, name: string): GgufTensor | undefined {
  return file.tensors.find((tensor) => tensor.name === name);
}

function openModel(path: string): number {
  let stats: Stats;
  try {
    // Before open: opening a pipe would wait for its writer.
    stats = statSync(path);
  } catch (error) {
    throw unreadable(path, error);
  }
  if (stats.isDirectory()) throw invalidModel(path, 'this is a folder, not a model file', 'Choose a .gguf file.');
  if (!stats.isFile()) throw invalidModel(path, 'this is a device or pipe, not a model file', 'Choose a .gguf file.');
  try {
    return openSync(path, 'r');
  } catch (error) {
    throw unreadable(path, error);
  }
}

function unreadable(path: string, error: unknown): AppError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return new AppError('model-missing', phrase`${basename(path)}: there is no such file.`, {
      action: 'Check the path, or import the model again.',
      detail: path,
      cause: error,
    });
  }
  return new AppError('model-missing', phrase`${basename(path)}: the file cannot be read (${code}).`, {
    action: 'Check the permissions of the file and the health of the disk.',
    detail: path,
    cause: error,
  });
}

function readHeader(fd: number, path: string): GgufFile {
  const { size } = fstatSync(fd);
  const head = Buffer.alloc(MAGIC_BYTES);
  const version = checkMagic(path, head.subarray(0, readSync(fd, head, 0, MAGIC_BYTES, 0)));

  const cursor = new GgufCursor(fd, path, size);
  cursor.bytes(8, said('the magic and version'));
  const tensorCount = cursor.u64(said('the tensor count'));
  const keyCount = cursor.u64(said('the metadata count'));
  const metadata = new GgufMetadata(path, readMetadata(cursor, path, keyCount));
  const entries = readTensorEntries(cursor, path, tensorCount);

  const alignment = readAlignment(path, metadata);
  const dataOffset = Math.ceil(cursor.position / alignment) * alignment;
  const tensors = placeTensors(path, entries, dataOffset, alignment, size);
  return { path, bytes: size, version, alignment, dataOffset, metadata, tensors };
}

function readAlignment(path: string, metadata: GgufMetadata): number {
  const key = 'general.alignment';
  const alignment = metadata.optionalInteger(key) ?? DEFAULT_ALIGNMENT;
  if (alignment >= 8 && alignment <= LARGEST_ALIGNMENT && Math.log2(alignment) % 1 === 0) return alignment;
  throw invalidModel(
    path,
    phrase`metadata key "${key}" is ${alignment}; it must be a power of two from 8 to ${LARGEST_ALIGNMENT}`,
  );
}
