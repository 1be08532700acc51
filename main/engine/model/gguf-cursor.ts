/**
 * Reads the header of a GGUF file front to back in bounded pieces. No length found in the file is trusted: each is
 * checked against the bytes that are left before anything is allocated. Blocking reads: a header is a few MB and the
 * page cache serves it; runs on the engine thread.
 */
import { readSync } from 'node:fs';
import { type Phrase, phrase } from '../../../contract/phrase.ts';
import { invalidModel } from './gguf-errors.ts';

const PIECE = 1 << 18;

/** No real header comes near this (256k tokens with merges: 20 MB); it bounds memory for well-formed giants. */
export const LARGEST_HEADER = 256 * 1024 * 1024;

export interface Text {
  text: string;
  /** False: the bytes are not UTF-8 and `text` is a stand-in. */
  valid: boolean;
}

export class GgufCursor {
  readonly #fd: number;
  readonly #path: string;
  readonly #fileBytes: number;
  #piece = Buffer.alloc(0);
  #pieceStart = 0;
  #position = 0;

  constructor(fd: number, path: string, fileBytes: number) {
    this.#fd = fd;
    this.#path = path;
    this.#fileBytes = fileBytes;
  }

  /** Bytes from the start of the file. */
  get position(): number {
    return this.#position;
  }

  get left(): number {
    return Math.min(this.#fileBytes, LARGEST_HEADER) - this.#position;
  }

  /** Throws unless `bytes` more bytes are there; `what` names the reader's aim for the message. */
  require(bytes: number | bigint, what: Phrase): void {
    if (bytes <= this.left) return;
    const end = BigInt(this.#position) + BigInt(bytes);
    if (end > BigInt(this.#fileBytes)) {
      throw invalidModel(
        this.#path,
        phrase`the file is cut or broken in ${what}: ${bytes} bytes announced at byte ${this.#position}, ${this.#fileBytes - this.#position} left (file size ${this.#fileBytes})`,
      );
    }
    throw invalidModel(this.#path, phrase`${what} ends beyond ${LARGEST_HEADER} bytes, more than any header needs`);
  }

  u32(what: Phrase): number {
    return this.#take(4, what).readUInt32LE(0);
  }
  u64(what: Phrase): bigint {
    return this.#take(8, what).readBigUInt64LE(0);
  }

  /** A copy of the next `bytes` bytes. */
  bytes(bytes: number, what: Phrase): Buffer {
    return Buffer.from(this.#take(bytes, what));
  }

  /** A string: its length in bytes as u64, then UTF-8. */
  text(what: Phrase): Text {
    const length = this.u64(what);
    this.require(length, what);
    const raw = this.#take(Number(length), what);
    const text = raw.toString('utf8');
    // Only a replacement character can hide bad bytes, so the exact comparison is rarely paid for.
    return { text, valid: !text.includes('\uFFFD') || Buffer.from(text, 'utf8').equals(raw) };
  }

  #take(count: number, what: Phrase): Buffer {
    this.require(count, what);
    const from = this.#position - this.#pieceStart;
    if (from + count > this.#piece.length) {
      this.#fill(count, what);
      return this.#take(count, what);
    }
    this.#position += count;
    return this.#piece.subarray(from, from + count);
  }

  /** Loads a piece that starts at the position and holds at least `count` bytes, which `require` has allowed. */
  #fill(count: number, what: Phrase): void {
    const size = Math.min(Math.max(count, PIECE), this.#fileBytes - this.#position);
    const piece = Buffer.allocUnsafe(size);
    let filled = 0;
    while (filled < size) {
      const got = readSync(this.#fd, piece, filled, size - filled, this.#position + filled);
      if (got === 0) throw invalidModel(this.#path, phrase`the file became shorter while ${what} was read`);
      filled += got;
    }
    this.#piece = piece;
    this.#pieceStart = this.#position;
  }
}
