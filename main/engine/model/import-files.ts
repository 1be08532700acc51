/** The file system side of an import: hashing the source, free space, the temporary folder and its atomic publication. */
import { createHash, randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AppError } from '../../../contract/errors.ts';
import { phrase } from '../../../contract/phrase.ts';

/** `.import-<process id>-<random>`: the dot keeps it out of lists, the id tells whether its maker still lives. */
const TEMP_FOLDER = /^\.import-(\d+)-[0-9a-f]+$/;
const inUse = new Set<string>();

/** sha256 of a file as lower-case hex. `step` is told the bytes of each piece and may throw to stop. */
export async function sha256File(path: string, step: (bytes: number) => void): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of fs.createReadStream(path, { highWaterMark: 1 << 20 })) {
    hash.update(chunk);
    step(chunk.length);
  }
  return hash.digest('hex');
}

/**
 * What identifies a model made of `files`: the sha256 of a single one; of several, that of the list of their own, in the form
 * that sha256sum writes.
 */
export async function sha256Model(files: readonly string[], step: (bytes: number) => void): Promise<string> {
  const hashes: string[] = [];
  for (const file of files) hashes.push(await sha256File(file, step));
  const [first = ''] = hashes;
  if (files.length === 1) return first;
  const list = files.map((file, i) => `${hashes[i]}  ${basename(file)}\n`).join('');
  return createHash('sha256').update(list).digest('hex');
}

/** Throws AppError 'disk-full' unless `bytes` fit where `dir` lies. Node before 18.15 cannot tell; writing then fails. */
export async function checkDiskSpace(dir: string, bytes: number): Promise<void> {
  if (typeof fs.promises.statfs !== 'function') return;
  const { bavail, bsize } = await fs.promises.statfs(dir);
  if (bavail * bsize < bytes) throw diskFull(dir, bytes, bavail * bsize);
}

/** A new, empty temporary folder in `parent`. */
export async function makeTempFolder(parent: string): Promise<string> {
  const dir = join(parent, `.import-${process.pid}-${randomBytes(6).toString('hex')}`);
  inUse.add(dir);
  await mkdir(dir, { recursive: true });
  return dir;
}

/** Removes a folder of `makeTempFolder` with all it holds. */
export async function removeTempFolder(dir: string): Promise<void> {
  await rm(dir, { recursive: true, force: true, maxRetries: 3 });
  inUse.delete(dir);
}

/** Removes temporary folders whose process has ended. */
export async function removeLeftovers(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const pid = Number(TEMP_FOLDER.exec(name)?.[1]);
    const dir = join(parent, name);
    if (Number.isNaN(pid) || (pid === process.pid ? inUse.has(dir) : isAlive(pid))) continue;
    await rm(dir, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Writes a file and flushes it to the disk. */
export async function writeDurably(path: string, data: string | Uint8Array): Promise<void> {
  const handle = await open(path, 'wx');
  try {
    await writeFile(handle, data);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes the temporary folder `temp` the folder `target`, which must not exist, in one step. */
export async function publish(temp: string, target: string): Promise<void> {
  await syncFolder(temp);
  await mkdir(dirname(target), { recursive: true });
  for (let attempt = 0; ; attempt++) {
    try {
      await rename(temp, target);
      break;
    } catch (error) {
      // Virus scanners on Windows hold new files open for a moment.
      if (process.platform !== 'win32' || !hasCode(error, ['EPERM', 'EACCES', 'EBUSY']) || attempt === 9) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  inUse.delete(temp);
  await syncFolder(dirname(target));
}

/** What a failed write means to the user; other errors pass unchanged. */
export function explainWriteError(error: unknown, dir: string): unknown {
  if (hasCode(error, ['ENOSPC', 'EDQUOT'])) {
    return new AppError('disk-full', phrase`There is no space left in ${dir}.`, {
      action: 'Free some space and try again.',
      cause: error,
    });
  }
  if (hasCode(error, ['EACCES', 'EPERM', 'EROFS'])) {
    return new AppError('storage-failed', phrase`Nothing can be written to ${dir}: permission denied.`, {
      action: 'Make the folder writable, or set SHADOWNPU_HOME to another one.',
      cause: error,
    });
  }
  return error;
}

function diskFull(dir: string, needed: number, free: number): AppError {
  const mb = (n: number) => Math.ceil(n / 1e6);
  return new AppError('disk-full', phrase`The import needs ${mb(needed)} MB in ${dir}, ${mb(free)} MB are free.`, {
    action: phrase`Free ${mb(needed - free)} MB and import again.`,
  });
}

/** Flushes a folder's entries; Windows has no such call and needs none. */
async function syncFolder(dir: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(dir, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Whether a process of this machine with that id runs. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, ['EPERM']);
  }
}

function hasCode(error: unknown, codes: string[]): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code);
}

/**
 * What people know the model at `path` by: `Some-Model.Q4_1.gguf` gives `Some-Model.Q4_1`, a folder its own name, a snapshot in
 * Hugging Face's cache the name of its repository.
 */
export function modelName(path: string): string {
  const [kind, owner = '', ...name] = basename(dirname(dirname(path))).split('--');
  if (kind === 'models' && basename(dirname(path)) === 'snapshots') return name.join('--') || owner;
  return basename(path).replace(/\.gguf$/i, '');
}
