/** Files that the user asks for are written beside their place first, so that none is left half written. */
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { AppError } from '../contract/errors.ts';
import { phrase, said } from '../contract/phrase.ts';

/** Pieces of text are gathered up to this many characters before they are written. */
const WRITE_AT_ONCE = 64 * 1024;

/** Throws AppError; then `target` is as it was. */
export async function writeWhole(target: string, pieces: Iterable<string | Uint8Array>): Promise<void> {
  const part = `${target}.part`;
  const file = createWriteStream(part);
  try {
    await once(file, 'open');
    let gathered = '';
    for (const piece of pieces) {
      if (typeof piece !== 'string') {
        await write(file, piece);
        continue;
      }
      gathered += piece;
      if (gathered.length < WRITE_AT_ONCE) continue;
      await write(file, gathered);
      gathered = '';
    }
    await write(file, gathered);
    file.end();
    await finished(file);
    await rename(part, target);
  } catch (error) {
    file.destroy();
    await rm(part, { force: true }).catch(() => undefined);
    if (error instanceof AppError) throw error;
    const full = error instanceof Error && 'code' in error && error.code === 'ENOSPC';
    throw new AppError(
      full ? 'disk-full' : 'bad-input',
      phrase`The file could not be written: ${full ? said('the disk is full') : error instanceof Error ? error.message : String(error)}.`,
      { action: full ? 'Free some space or choose another place.' : 'Choose another place.' },
    );
  }
}

/** Waits for the disk, and lets others have a turn meanwhile. */
function write(file: WriteStream, piece: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    file.write(piece, (error) => (error ? reject(error) : resolve()));
  });
}

/** A name that every system takes, without what some do not allow; `fallback` where nothing of it is left. */
export function fileNameOf(title: string, fallback: string, extension: string): string {
  const safe = title
    .replaceAll(/[\p{Cc}<>:"/\\|?*]+/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim()
    .replace(/\.+$/, '')
    .slice(0, 80);
  return `${safe === '' ? fallback : safe}.${extension}`;
}
