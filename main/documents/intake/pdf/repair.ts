/** Gives a PDF without a trailer, as a download that broke off leaves it, one that leads to its catalogue. */
import type { FileHandle } from 'node:fs/promises';

const MOST_BYTES = 256 * 2 ** 20;
/** The catalogue's entries stand within so many bytes of its beginning. */
const WITHIN = 4096;
const OBJECT = /(\d{1,10})[\s\0]+(\d{1,5})[\s\0]+obj\b/g;

/** The file's bytes with a trailer; undefined where it has no catalogue that can be seen. */
export async function withTrailer(handle: FileHandle, size: number): Promise<Uint8Array | undefined> {
  if (size > MOST_BYTES) return undefined;
  const bytes = Buffer.alloc(size);
  await handle.read(bytes, 0, size, 0);
  // The last one is the current one: changes are appended.
  const at = bytes.lastIndexOf('/Catalog');
  if (at < 0) return undefined;
  const before = bytes.subarray(Math.max(0, at - WITHIN), at).toString('latin1');
  const [, number, generation] = [...before.matchAll(OBJECT)].at(-1) ?? [];
  if (number === undefined || generation === undefined) return undefined;
  return new Uint8Array(Buffer.concat([bytes, Buffer.from(`\ntrailer\n<</Root ${number} ${generation} R>>\n%%EOF\n`)]));
}
