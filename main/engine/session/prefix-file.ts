/**
 * A prompt's keys and values as a file: a line of JSON with what it was made by, the token ids, then K and V of each layer and
 * KV head, and at the end the SHA-256 of all before it. Written beside its place first, so that it is whole or not there.
 */
import { createHash, randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as v from 'valibot';
import type { AttentionShape, KvBuffers } from './shared-model.ts';

const FORMAT = 1;
/** The line of JSON, padded with spaces. */
const HEADER_BYTES = 512;
const DIGEST_BYTES = 32;
const FLOAT = 4;

const Header = v.object({
  format: v.literal(FORMAT),
  /** What keys and values depend on beside the tokens. */
  made: v.string(),
  tokens: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(2 ** 24)),
});

/** Where keys and values of a model lie in memory. */
export interface KvMemory {
  readonly shape: Pick<AttentionShape, 'nLayer' | 'nHeadKv' | 'headDim'>;
  readonly capacity: number;
  readonly kv: Pick<KvBuffers, 'k' | 'v'>;
}

/** Bytes of keys and values of one token. */
export function bytesPerToken({ nLayer, nHeadKv, headDim }: KvMemory['shape']): number {
  return 2 * nLayer * nHeadKv * headDim * FLOAT;
}

/** Writes the first `ids.length` positions. Throws what the file system throws; then there is no file. */
export async function writePrefix(path: string, made: string, ids: readonly number[], memory: KvMemory): Promise<void> {
  const temporary = `${path}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`;
  await mkdir(dirname(path), { recursive: true });
  let file: FileHandle | undefined;
  try {
    file = await open(temporary, 'wx');
    const digest = createHash('sha256');
    const header = JSON.stringify({ format: FORMAT, made, tokens: ids.length } satisfies v.InferInput<typeof Header>);
    const idBytes = new Uint8Array(Int32Array.from(ids).buffer);
    await append(file, digest, Buffer.from(header.padEnd(HEADER_BYTES - 1).concat('\n'), 'latin1'));
    await append(file, digest, idBytes);
    // Shared memory is copied: not every run time writes from it.
    for (const part of partsOf(memory, ids.length)) await append(file, digest, part.slice());
    await append(file, undefined, digest.digest());
    await file.close();
    file = undefined;
    await rename(temporary, path);
  } catch (error) {
    await file?.close().catch(() => undefined);
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** The tokens of a file; undefined where it is none of ours, of another version, or made by something else. */
export async function readPrefixIds(path: string, made: string): Promise<Int32Array | undefined> {
  return withFile(path, async (file) => {
    const header = headerOf(await take(file, new Uint8Array(HEADER_BYTES)));
    if (header === undefined || header.made !== made) return undefined;
    const ids = new Int32Array(header.tokens);
    await take(file, new Uint8Array(ids.buffer));
    return ids;
  });
}

/**
 * Reads a file's keys and values into memory. @returns whether all of it is what was written; where not, memory holds
 * anything. A fired signal counts as not.
 */
export async function readPrefix(path: string, memory: KvMemory, signal?: AbortSignal): Promise<boolean> {
  const whole = await withFile(path, async (file) => {
    const digest = createHash('sha256');
    const start = await take(file, new Uint8Array(HEADER_BYTES));
    const tokens = headerOf(start)?.tokens ?? 0;
    if (tokens === 0 || tokens > memory.capacity) return false;
    digest.update(start);
    digest.update(await take(file, new Uint8Array(tokens * Int32Array.BYTES_PER_ELEMENT)));
    const bytes = new Uint8Array(tokens * memory.shape.headDim * FLOAT);
    for (const part of partsOf(memory, tokens)) {
      if (signal?.aborted) return false;
      digest.update(await take(file, bytes));
      part.set(bytes);
    }
    const written = await take(file, new Uint8Array(DIGEST_BYTES));
    return digest.digest().equals(written) && (await file.read(Buffer.alloc(1), 0, 1)).bytesRead === 0;
  });
  return whole ?? false;
}

/** Keys and values of the first `tokens` positions, a piece for each layer and KV head. */
function* partsOf({ shape, capacity, kv }: KvMemory, tokens: number): Generator<Uint8Array> {
  const { nLayer, nHeadKv, headDim } = shape;
  for (let layer = 0; layer < nLayer; layer += 1) {
    for (const buffer of [kv.k[layer], kv.v[layer]]) {
      if (buffer === undefined) continue;
      for (let head = 0; head < nHeadKv; head += 1) {
        yield new Uint8Array(buffer, head * capacity * headDim * FLOAT, tokens * headDim * FLOAT);
      }
    }
  }
}

function headerOf(bytes: Uint8Array): v.InferOutput<typeof Header> | undefined {
  try {
    const parsed = v.safeParse(Header, JSON.parse(Buffer.from(bytes).toString('latin1')));
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}

async function append(file: FileHandle, digest: ReturnType<typeof createHash> | undefined, bytes: Uint8Array) {
  digest?.update(bytes);
  for (let at = 0; at < bytes.length; ) at += (await file.write(bytes, at)).bytesWritten;
}

class EndOfFile extends Error {}

/** Fills `bytes`. Throws EndOfFile. */
async function take(file: FileHandle, bytes: Uint8Array): Promise<Uint8Array> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesRead } = await file.read(bytes, at, bytes.length - at);
    if (bytesRead === 0) throw new EndOfFile();
    at += bytesRead;
  }
  return bytes;
}

/** Undefined where the file cannot be read, or ends too early. */
async function withFile<T>(path: string, work: (file: FileHandle) => Promise<T>): Promise<T | undefined> {
  const file = await open(path, 'r').catch(() => undefined);
  try {
    return file && (await work(file));
  } catch {
    return undefined;
  } finally {
    await file?.close().catch(() => undefined);
  }
}
