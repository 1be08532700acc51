/** Windows x64 programs under wine, in a wine folder of the project's own that says it is Windows 10. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE } from '../setup/paths.mjs';
import { onPath } from '../setup/system-packages.mjs';
import { foreignNode } from './foreign-node.mjs';
import { runToFile } from './run-to-file.mjs';

export const WINE_PACKAGES = ['wine', 'wine64'];
const PREFIX = join(CACHE, 'wine');
const ENV = {
  WINEPREFIX: PREFIX,
  WINEDEBUG: '-all',
  // Windows' own .NET and HTML engine are not needed, and wine would ask to download them.
  WINEDLLOVERRIDES: 'mscoree,mshtml=',
  // Where the program is Electron's.
  ELECTRON_RUN_AS_NODE: '1',
};

const wineProgram = () => ['wine', 'wine64'].find(onPath);

/**
 * @param {(text: string) => void} say
 * @param {() => Promise<string>} [program] the file of Node.js for Windows x64, or of an Electron
 * @returns {Promise<import('./emulators.mjs').Emulator | string>} or why there is none
 */
export async function wineEmulator(say, program = () => foreignNode('win32-x64', say)) {
  const wine = wineProgram();
  if (process.platform !== 'linux' || wine === undefined) {
    return `wine is not installed (Debian and Ubuntu: apt-get install ${WINE_PACKAGES.join(' ')})`;
  }
  const node = await program();
  await preparePrefix(wine, say);
  return {
    name: 'wine',
    command: [wine, node],
    environment: ENV,
    path: (file) => `Z:${file.replaceAll('/', '\\')}`,
    run: (script, args, options = {}) =>
      runToFile(wine, [node, script, ...args], { ...options, env: { ...process.env, ...options.env, ...ENV } }),
  };
}

/** @param {string} wine @param {(text: string) => void} say */
async function preparePrefix(wine, say) {
  const ready = join(PREFIX, 'shadownpu-ready');
  if (existsSync(ready)) return;
  say('wine makes its folder.');
  mkdirSync(PREFIX, { recursive: true });
  const options = { env: { ...process.env, ...ENV }, timeoutMs: 180_000 };
  // Vendors' libraries ask for Windows 10, which wine 8 does not claim to be.
  for (const args of [
    ['wineboot', '-i'],
    ['reg', 'add', 'HKCU\\Software\\Wine', '/v', 'Version', '/d', 'win10', '/f'],
  ]) {
    const { ok, output } = await runToFile(wine, args, options);
    if (!ok) throw new Error(`wine ${args.join(' ')} failed: ${output.slice(-500)}`);
  }
  writeFileSync(ready, '');
}
