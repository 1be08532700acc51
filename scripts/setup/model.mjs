/** The step that makes sure that the default model lies in the models folder. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { dataDir } from '../../main/data-dir.mjs';
import { CACHE, ROOT } from './paths.mjs';
import { readStamp, writeStamp } from './stamp.mjs';

/**
 * @typedef {{ name: string, file: string, bytes: number, sha256: string, license: string, homepage: string, sources: { url: string, wheel: string } }} DefaultModel
 */

const STAMP = join(CACHE, 'default-model.json');

/** @returns {DefaultModel} */
function description() {
  return JSON.parse(readFileSync(join(ROOT, 'resources', 'default-model.json'), 'utf8'));
}

/** @type {import('./steps.mjs').Step} */
export const model = {
  name: 'default model',
  ready: () => {
    const { file, bytes, sha256 } = description();
    return isVerified(join(dataDir(), 'models', file), bytes, sha256);
  },
  run: async (say) => {
    // Loaded here: a command that finds the model in place starts faster without the network code.
    const { fetchModel } = await import('./model-fetch.mjs');
    const wanted = description();
    const file = join(dataDir(), 'models', wanted.file);
    await fetchModel(wanted, file, say);
    writeStamp(STAMP, { file, sha256: wanted.sha256, changed: statSync(file).mtimeMs });
  },
};

/**
 * True without reading the file when it is the one that was verified before.
 * @param {string} file
 * @param {number} bytes
 * @param {string} sha256
 */
function isVerified(file, bytes, sha256) {
  const info = statSync(file, { throwIfNoEntry: false });
  const stamp = readStamp(STAMP);
  return info?.size === bytes && stamp?.file === file && stamp.sha256 === sha256 && stamp.changed === info.mtimeMs;
}
