/**
 * The system libraries that Electron needs on Linux. Whether they are there is asked of the dynamic linker, which is
 * right on every distribution; which packages hold them is known for Debian and Ubuntu.
 */
import { existsSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { reasonOf, SetupError } from './errors.mjs';
import { CACHE } from './paths.mjs';
import { run } from './run.mjs';
import { readStamp, writeStamp } from './stamp.mjs';

const ELECTRON_PACKAGES =
  'libgtk-3-0 libnss3 libnspr4 libasound2 libatk1.0-0 libatk-bridge2.0-0 libatspi2.0-0 libcups2 libdrm2 libgbm1 libxkbcommon0 libxcomposite1 libxdamage1 libxfixes3 libxrandr2 libxext6 libpango-1.0-0 libcairo2'.split(
    ' ',
  );
const VIRTUAL_DISPLAY_PACKAGES = ['xvfb', 'xauth'];
const STAMP = join(CACHE, 'system-packages.json');

/**
 * @param {() => string} electron path of Electron's program; called once Electron is there
 * @returns {import('./steps.mjs').Step}
 */
export function electronLibraries(electron) {
  /** @param {string} file */
  const identity = (file) => `${file} ${statSync(file).mtimeMs}`;
  return {
    name: 'system libraries',
    ready: () => process.platform !== 'linux' || readStamp(STAMP)?.electron === identity(electron()),
    run: async (say) => {
      const file = electron();
      if ((await missingLibraries(file)).length > 0) {
        await install(ELECTRON_PACKAGES, say, `Electron needs ${(await missingLibraries(file)).join(', ')}`);
        const missing = await missingLibraries(file);
        if (missing.length > 0) {
          throw new SetupError(
            `Electron still lacks ${missing.join(', ')}.`,
            'install the packages that hold these libraries and run the command again.',
          );
        }
      }
      writeStamp(STAMP, { electron: identity(file) });
    },
  };
}

/** Xvfb, for tests of the window on a machine without a display. @type {import('./steps.mjs').Step} */
export const virtualDisplay = {
  name: 'virtual display',
  ready: () => process.platform !== 'linux' || hasDisplay(process.env) || VIRTUAL_DISPLAY_PROGRAMS.every(onPath),
  run: (say) => install(VIRTUAL_DISPLAY_PACKAGES, say, 'there is no display, and xvfb-run or xauth is missing'),
};
const VIRTUAL_DISPLAY_PROGRAMS = ['xvfb-run', 'xauth'];

/** The newest Chromium, for tests of the page in it; they are skipped where it cannot be had. @type {import('./steps.mjs').Step} */
export const newestChromium = {
  name: 'Chromium',
  ready: () => process.platform !== 'linux' || ['chromium', 'chromium-browser'].some(onPath),
  run: async (say) => {
    try {
      await install(['chromium'], say, 'the page is tested in it, and it is missing');
    } catch (error) {
      say(`${reasonOf(error)} The tests in it are skipped.`);
    }
  },
};

/**
 * Whether a window can be shown. Only Linux has machines without a display as a matter of course.
 * @param {NodeJS.ProcessEnv} env
 */
export function hasDisplay(env) {
  return process.platform !== 'linux' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
}

/** @param {string} program */
export function onPath(program) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => folder !== '' && existsSync(join(folder, program)));
}

/**
 * @param {string} file a program
 * @returns {Promise<string[]>} names of the shared libraries that the linker does not find
 */
async function missingLibraries(file) {
  const output = await run('ldd', [file]);
  return [...output.matchAll(/^\s*(\S+) => not found/gm)].map(([, name = '']) => name);
}

/**
 * Installs packages of Debian and Ubuntu.
 * @param {string[]} names
 * @param {(text: string) => void} say
 * @param {string} why
 * @throws {SetupError} where there is no apt, or not the right to use it
 */
export async function install(names, say, why) {
  const asRoot = process.getuid?.() === 0;
  if (!onPath('apt-get') || !asRoot) {
    const how = onPath('apt-get') ? 'sudo apt-get install -y' : 'install the packages that this distribution has for:';
    throw new SetupError(`${why}.`, `${how} ${names.join(' ')}`);
  }
  say(`apt-get installs ${names.join(' ')}.`);
  const options = {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    advice: `install by hand: ${names.join(' ')}`,
  };
  await run('apt-get', ['update', '-qq'], options);
  const available = await installable(names);
  await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...available], options);
}

/**
 * Debian 13 and Ubuntu 24.04 gave several libraries the suffix t64; the old name may then be ambiguous.
 * @param {string[]} names
 */
async function installable(names) {
  const renamed = names.map((name) => `${name}t64`);
  const known = await run('apt-cache', ['policy', ...renamed]);
  const candidates = new Set(
    [...known.matchAll(/^(\S+):\n(?:\s+.*\n)*?\s+Candidate: (?!\(none\))/gm)].map(([, name = '']) => name),
  );
  return names.map((name) => (candidates.has(`${name}t64`) ? `${name}t64` : name));
}
