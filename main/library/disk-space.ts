/** How much room a folder's disk has. */
import { execFile } from 'node:child_process';
import * as fs from 'node:fs/promises';
import { AppError } from '../../contract/errors.ts';
import { phrase } from '../../contract/phrase.ts';

/** Room that must stay free besides a download: the system and the chats need some. */
export const RESERVE_BYTES = 256 * 2 ** 20;

/** Bytes that may be written into `folder`, which must exist; undefined where nothing tells. */
export async function freeBytes(folder: string): Promise<number | undefined> {
  // Node 16 has no statfs; there the system's own tool tells, and on Windows nothing that is always there.
  if ('statfs' in fs) {
    const { bavail, bsize } = await fs.statfs(folder);
    return bavail * bsize;
  }
  return process.platform === 'win32' ? undefined : freeByDf(folder);
}

/** By `df -P`, whose columns POSIX fixes: kilobytes available are the fourth of the second line. */
export function freeByDf(folder: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    execFile('df', ['-Pk', folder], { env: { ...process.env, LC_ALL: 'C' } }, (error, output) => {
      const available = /\n\S.*?\s+\d+\s+\d+\s+(\d+)\s+\d+%/.exec(output ?? '')?.[1];
      resolve(error !== null || available === undefined ? undefined : Number(available) * 1024);
    });
  });
}

/** Throws AppError 'disk-full' where `bytes` more and the reserve do not fit. */
export async function checkRoom(folder: string, bytes: number, free = freeBytes): Promise<void> {
  const room = await free(folder);
  if (room === undefined || room >= bytes + RESERVE_BYTES) return;
  const gigabytes = (value: number) => `${(value / 1e9).toFixed(value < 1e9 ? 2 : 1)} GB`;
  throw new AppError(
    'disk-full',
    phrase`The disk of the models folder has ${gigabytes(room)} free; the download needs ${gigabytes(bytes + RESERVE_BYTES)}.`,
    { action: 'Delete what you do not need, then try again. What has arrived is kept.' },
  );
}
