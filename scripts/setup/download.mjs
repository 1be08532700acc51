/**
 * Downloads one large file whose size and SHA-256 are known. It appears under its name only when it is whole and
 * right; what has arrived waits in `<file>.part` and is continued by the next attempt.
 */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, mkdirSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { get } from './http-get.mjs';

/** Room that must stay free on the disk besides the file. */
const RESERVE_BYTES = 64 * 2 ** 20;

/**
 * @typedef {object} Download
 * @property {string} url
 * @property {string} file where it shall lie
 * @property {number} bytes its exact size
 * @property {string} sha256 hexadecimal
 * @property {(fraction: number) => void} [onProgress] 0 to 1
 * @property {NodeJS.ProcessEnv} [env] where proxies are looked up
 */

/**
 * @param {Download} download
 * @throws {Error} when the host cannot be reached, refuses, or sends something else; `.part` stays when it can be continued
 */
export async function download({ url, file, bytes, sha256, onProgress, env }) {
  const part = `${file}.part`;
  mkdirSync(dirname(file), { recursive: true });
  let have = sizeOf(part);
  if (have > bytes) {
    rmSync(part);
    have = 0;
  }
  checkRoom(dirname(file), bytes - have);
  if (have < bytes) await fetchRest(url, part, have, bytes, onProgress, env);
  await accept(part, file, bytes, sha256);
}

/**
 * Checks a finished `.part` and gives it its name. A wrong one is deleted, since continuing it would not mend it.
 * @param {string} part
 * @param {string} file
 * @param {number} bytes
 * @param {string} sha256
 */
export async function accept(part, file, bytes, sha256) {
  const size = sizeOf(part);
  const digest = size === bytes ? await sha256Of(part) : '';
  if (digest !== sha256) {
    rmSync(part, { force: true });
    throw new Error(
      size === bytes
        ? `its SHA-256 is ${digest}, expected ${sha256}: damaged on the way or not the file that was meant`
        : `it has ${size} bytes, expected ${bytes}`,
    );
  }
  const handle = await open(part, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
  renameSync(part, file);
}

/**
 * @param {string} file
 * @returns {Promise<string>} hexadecimal
 */
export async function sha256Of(file) {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file, { highWaterMark: 2 ** 20 }), hash);
  return hash.digest('hex');
}

/** @param {string} file @returns {number} 0 when it is not there */
export function sizeOf(file) {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/**
 * @param {string} folder
 * @param {number} needed bytes
 * @throws {Error} when the disk has less room than that and a reserve
 */
export function checkRoom(folder, needed) {
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize >= needed + RESERVE_BYTES) return;
  const megabytes = (/** @type {number} */ value) => `${Math.ceil(value / 2 ** 20)} MB`;
  throw new Error(`${folder} has ${megabytes(bavail * bsize)} free; ${megabytes(needed + RESERVE_BYTES)} are needed`);
}

/**
 * @param {string} url
 * @param {string} part
 * @param {number} have bytes already in `part`
 * @param {number} bytes size of the whole file
 * @param {Download['onProgress']} onProgress
 * @param {Download['env']} env
 */
async function fetchRest(url, part, have, bytes, onProgress, env) {
  const response = await get(url, {
    headers: { 'accept-encoding': 'identity', ...(have > 0 ? { range: `bytes=${have}-` } : {}) },
    ...(env === undefined ? {} : { env }),
  });
  // A host that ignores the range sends everything from the start.
  const continued = response.statusCode === 206 && response.headers['content-range']?.startsWith(`bytes ${have}-`);
  if (response.statusCode !== 200 && !continued) {
    response.destroy();
    throw new Error(`${new URL(url).host} answered ${response.statusCode} ${response.statusMessage}`);
  }
  let written = continued ? have : 0;
  await pipeline(
    response,
    async function* (chunks) {
      for await (const chunk of chunks) {
        written += chunk.length;
        if (written > bytes) throw new Error(`${new URL(url).host} sends more than the ${bytes} bytes expected`);
        onProgress?.(written / bytes);
        yield chunk;
      }
    },
    createWriteStream(part, { flags: continued ? 'a' : 'w' }),
  );
}
