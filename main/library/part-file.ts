/**
 * A file that is still arriving: `<file>.download`, and beside it `<file>.download.json`, which says what it is to become.
 * Its SHA-256 grows with it. It gets its own name only as a whole.
 */
import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as v from 'valibot';
import { writeFailure } from './download-errors.ts';

/** What is to arrive. `sha256` may become known only when a server tells it. */
export interface Wanted {
  readonly url: string;
  readonly bytes: number;
  readonly sha256?: string;
}

const State = v.object({
  url: v.string(),
  bytes: v.number(),
  sha256: v.optional(v.string()),
  /** Of the server's file, and which server that was. */
  etag: v.optional(v.string()),
  host: v.optional(v.string()),
});
type State = v.InferOutput<typeof State>;

export class PartFile {
  readonly file: string;
  #state: State;
  #handle: FileHandle;
  #hash: Hash;
  #received = 0;
  #head = Buffer.alloc(0);

  private constructor(file: string, state: State, handle: FileHandle) {
    this.file = file;
    this.#state = state;
    this.#handle = handle;
    this.#hash = createHash('sha256');
  }

  /** Opens what has arrived of `wanted`, or begins. Reads all of it once, for the checksum. Throws AppError. */
  static async open(file: string, wanted: Wanted, signal: AbortSignal): Promise<PartFile> {
    return onDisk(file, async () => {
      await mkdir(dirname(file), { recursive: true });
      const before = await readState(file);
      const continued = before !== undefined && isSame(before, wanted) ? before : undefined;
      const state = { ...continued, ...wanted };
      await writeState(file, state);
      // To append: after a truncation too it is written at the end.
      const part = new PartFile(file, state, await open(partOf(file), 'a+'));
      try {
        if (continued === undefined) await part.restart();
        else await part.#readIn(signal);
      } catch (error) {
        await part.close();
        throw error;
      }
      return part;
    });
  }

  /** Bytes that have arrived. */
  get received(): number {
    return this.#received;
  }

  /** The first bytes, at most 4. */
  get head(): Buffer {
    return this.#head;
  }

  get sha256(): string | undefined {
    return this.#state.sha256;
  }

  /** The validator under which `host` sent what is here. */
  etagAt(host: string): string | undefined {
    return this.#state.host === host ? this.#state.etag : undefined;
  }

  /** Remembers what the server says of its file. */
  async note(told: { host: string; etag: string | undefined; sha256: string | undefined }): Promise<void> {
    const { etag: _, ...rest } = this.#state;
    const sha256 = told.sha256 ?? rest.sha256;
    this.#state = {
      ...rest,
      host: told.host,
      ...(told.etag === undefined ? {} : { etag: told.etag }),
      ...(sha256 === undefined ? {} : { sha256 }),
    };
    await onDisk(this.file, () => writeState(this.file, this.#state));
  }

  async append(chunk: Uint8Array): Promise<void> {
    await onDisk(this.file, async () => {
      for (let at = 0; at < chunk.length; ) at += (await this.#handle.write(chunk, at)).bytesWritten;
    });
    this.#take(chunk);
  }

  /** Begins again from nothing. */
  async restart(): Promise<void> {
    await onDisk(this.file, () => this.#handle.truncate(0));
    this.#hash = createHash('sha256');
    this.#received = 0;
    this.#head = Buffer.alloc(0);
  }

  /** SHA-256 of what has arrived, in hexadecimal. */
  digest(): string {
    return this.#hash.copy().digest('hex');
  }

  close(): Promise<void> {
    return this.#handle.close();
  }

  /** Gives the file its name, safely on disk. */
  async finish(): Promise<void> {
    await onDisk(this.file, async () => {
      await this.#handle.sync();
      await this.#handle.close();
      await rename(partOf(this.file), this.file);
      await rm(stateOf(this.file), { force: true });
    });
  }

  async discard(): Promise<void> {
    await this.#handle.close();
    await discardPart(this.file);
  }

  async #readIn(signal: AbortSignal): Promise<void> {
    // A longer one is no beginning of what is wanted.
    if ((await this.#handle.stat()).size > this.#state.bytes) return this.restart();
    for await (const chunk of createReadStream(partOf(this.file), { highWaterMark: 2 ** 20 })) {
      if (signal.aborted) break;
      this.#take(chunk as Buffer);
    }
  }

  #take(chunk: Uint8Array): void {
    this.#hash.update(chunk);
    this.#received += chunk.length;
    if (this.#head.length < 4) this.#head = Buffer.concat([this.#head, chunk.subarray(0, 4 - this.#head.length)]);
  }
}

/** Deletes what has arrived of `file`. */
export async function discardPart(file: string): Promise<void> {
  for (const path of [partOf(file), stateOf(file)]) await rm(path, { force: true, maxRetries: 3 });
}

/** Bytes that have arrived of `file`; 0 where nothing has. */
export async function partBytes(file: string): Promise<number> {
  const [state, part] = await Promise.all([readState(file), stat(partOf(file)).catch(() => undefined)]);
  return state === undefined ? 0 : (part?.size ?? 0);
}

const partOf = (file: string) => `${file}.download`;
const stateOf = (file: string) => `${file}.download.json`;

function isSame(state: State, wanted: Wanted): boolean {
  if (state.bytes !== wanted.bytes) return false;
  // The same checksum is the same file, wherever it comes from.
  return wanted.sha256 === undefined ? state.url === wanted.url : state.sha256 === wanted.sha256;
}

async function readState(file: string): Promise<State | undefined> {
  try {
    return v.parse(State, JSON.parse(await readFile(stateOf(file), 'utf8')));
  } catch {
    return undefined;
  }
}

async function writeState(file: string, state: State): Promise<void> {
  await writeFile(`${stateOf(file)}.tmp`, JSON.stringify(state));
  await rename(`${stateOf(file)}.tmp`, stateOf(file));
}

async function onDisk<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw writeFailure(error, dirname(file));
  }
}
