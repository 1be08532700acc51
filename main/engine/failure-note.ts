/** Tells other threads, on shared memory, that and why one has failed. */
import * as v from 'valibot';
import { AppError } from '../../contract/errors.ts';
import { english, Reason } from '../../contract/phrase.ts';

/** Room for the reason. */
const TEXT_BYTES = 1024;

export const FAILURE_NOTE_BYTES = 4 + TEXT_BYTES;

export class FailureNote {
  /** Bytes of the text; 0 while all is well. */
  private readonly length: Int32Array;
  private readonly text: Uint8Array;

  /** @param offset of FAILURE_NOTE_BYTES bytes in `buffer`, which are zero at first; a multiple of 4 */
  constructor(buffer: SharedArrayBuffer, offset: number) {
    this.length = new Int32Array(buffer, offset, 1);
    this.text = new Uint8Array(buffer, offset + 4, TEXT_BYTES);
  }

  /** Whether something failed. */
  get written(): boolean {
    return Atomics.load(this.length, 0) > 0;
  }

  /** Only the first reason is kept. @param error a reason, or what was thrown */
  write(error: unknown): void {
    if (this.written) return;
    const bytes = packed(reasonOf(error));
    this.text.set(bytes);
    Atomics.store(this.length, 0, bytes.length);
  }

  read(): Reason | undefined {
    const length = Atomics.load(this.length, 0);
    return length === 0 ? undefined : (JSON.parse(Buffer.from(this.text.slice(0, length)).toString()) as Reason);
  }

  clear(): void {
    Atomics.store(this.length, 0, 0);
  }
}

/** In phrases of ours where it is an AppError; in its own words otherwise. */
export function reasonOf(error: unknown): Reason {
  if (error instanceof AppError) return error.phrases.message;
  if (error instanceof Error) return error.message;
  return v.is(Reason, error) ? error : String(error);
}

/** As JSON that fits; of a text that is too long, its beginning. */
function packed(reason: Reason): Buffer {
  const bytes = Buffer.from(JSON.stringify(reason));
  if (bytes.length <= TEXT_BYTES) return bytes;
  const text = english(reason);
  return packed(`${text.slice(0, Math.min(text.length, TEXT_BYTES) / 2)}…`);
}
