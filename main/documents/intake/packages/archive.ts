/** Zip archives of documents, read part by part from an open file and never unpacked to disk. What they may take is bounded. */
import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';
import yauzl from 'yauzl';
import { AppError } from '../../../../contract/errors.ts';
import { phrase } from '../../../../contract/phrase.ts';
import { beyondLimit, invalid } from '../errors.ts';
import { MOST_ENTRIES, MOST_PART_BYTES, MOST_RATIO, MOST_UNPACKED_BYTES, RATIO_FROM_BYTES } from '../limits.ts';

/** A part whose packed bytes are wrong; what came before them was given. */
export class DamagedPart extends Error {}

export class Archive {
  readonly #zip: yauzl.ZipFile;
  readonly #entries: ReadonlyMap<string, yauzl.Entry>;
  readonly #name: string;
  #unpacked = 0;

  private constructor(zip: yauzl.ZipFile, entries: ReadonlyMap<string, yauzl.Entry>, name: string) {
    this.#zip = zip;
    this.#entries = entries;
    this.#name = name;
  }

  /** `source` stays open and the caller's; `name` is for messages. Throws AppError 'document-invalid' or 'document-limit'. */
  static async open(source: FileHandle | Buffer, name: string): Promise<Archive> {
    const options = { lazyEntries: true, autoClose: false } as const;
    try {
      const zip = await (Buffer.isBuffer(source)
        ? yauzl.fromBufferPromise(source, options)
        : yauzl.fromFdPromise(source.fd, options));
      if (zip.entryCount > MOST_ENTRIES) {
        throw beyondLimit(
          phrase`${name} is an archive of ${zip.entryCount} parts; documents have ${MOST_ENTRIES} at most.`,
        );
      }
      const entries = new Map<string, yauzl.Entry>();
      // yauzl refuses names that lead out of the archive.
      for await (const entry of zip.eachEntry()) if (!entries.has(entry.fileName)) entries.set(entry.fileName, entry);
      return new Archive(zip, entries, name);
    } catch (error) {
      if (error instanceof AppError) throw error;
      throw invalid(phrase`${name} is damaged: its archive cannot be read.`, error);
    }
  }

  has(part: string): boolean {
    return this.#entries.has(part);
  }

  names(): string[] {
    return [...this.#entries.keys()];
  }

  /**
   * Unpacks a part. Nothing comes for one that is not there.
   * Throws AppError 'document-limit' before it unpacks what is too large, and DamagedPart.
   */
  async *read(part: string): AsyncGenerator<Buffer> {
    const entry = this.#entries.get(part);
    if (entry === undefined) return;
    this.#check(entry);
    try {
      // Sizes are checked by yauzl: an entry never gives more than it states.
      for await (const chunk of await this.#zip.openReadStreamPromise(entry)) yield chunk;
    } catch (error) {
      throw new DamagedPart(part, { cause: error });
    }
  }

  /** A small part as a whole. Throws like `read`. */
  async readAll(part: string): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for await (const chunk of this.read(part)) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  #check({ fileName, compressedSize, uncompressedSize }: yauzl.Entry): void {
    this.#unpacked += uncompressedSize;
    const tight = uncompressedSize > RATIO_FROM_BYTES && uncompressedSize > compressedSize * MOST_RATIO;
    if (!tight && uncompressedSize <= MOST_PART_BYTES && this.#unpacked <= MOST_UNPACKED_BYTES) return;
    const megabytes = Math.round(Math.max(uncompressedSize, this.#unpacked) / 2 ** 20);
    throw beyondLimit(phrase`${this.#name} was not opened: its part ${fileName} would unpack to ${megabytes} MB.`);
  }
}

/** The name of a part that another part refers to, as relationships and manifests do. */
export function resolvePart(from: string, target: string): string {
  const [address = ''] = target.split(/[?#]/);
  const absolute = address.startsWith('/') ? address : path.posix.join('/', path.posix.dirname(from), address);
  return path.posix.normalize(absolute).replace(/^\/+/, '');
}
