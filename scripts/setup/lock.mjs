/** A lock between processes: a file that holds the owner's process id. A dead owner's lock is taken over. */
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 300;

/**
 * @template T
 * @param {string} file created while the lock is held
 * @param {string} waiting said once when somebody else holds it
 * @param {(text: string) => void} say
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(file, waiting, say, work) {
  for (let told = false; !take(file); told = true) {
    if (!told) say(waiting);
    await sleep(POLL_MS);
  }
  const release = () => rmSync(file, { force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    process.removeListener('exit', release);
    release();
  }
}

/**
 * The file appears together with its content (a link to a finished file), so nobody ever reads half an id.
 * @param {string} file
 */
function take(file) {
  const own = `${file}.${process.pid}`;
  writeFileSync(own, String(process.pid));
  try {
    linkSync(own, file);
    return true;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    if (!ownerAlive(file)) rmSync(file, { force: true });
    return false;
  } finally {
    rmSync(own, { force: true });
  }
}

/** @param {string} file */
function ownerAlive(file) {
  try {
    process.kill(Number(readFileSync(file, 'utf8')), 0);
    return true;
  } catch (error) {
    // EPERM: alive, but another user's. ENOENT: released just now, so the next try gets it.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
