/** What runs Node.js of each build target on this machine: the machine itself, or an emulator. */
import { FOREIGN_NODE } from './foreign-node.mjs';
import { qemuEmulator } from './qemu.mjs';
import { runToFile } from './run-to-file.mjs';
import { wineEmulator } from './wine.mjs';

/**
 * @typedef {object} Emulator
 * @property {string} name as people know it
 * @property {string[]} [command] what starts Node.js in it, where a program is to do that by itself
 * @property {NodeJS.ProcessEnv} [environment] what the command needs of the environment
 * @property {(file: string) => string} path an absolute path of this machine as the programs inside see it
 * @property {(script: string, args: string[], options?: { env?: NodeJS.ProcessEnv, timeoutMs?: number }) =>
 *   Promise<{ ok: boolean, output: string }>} run a script in Node.js; env is added to the environment
 */

/**
 * @param {string} target `<platform>-<arch>`
 * @param {(text: string) => void} say
 * @returns {Promise<Emulator | string>} or why there is none
 */
export async function emulatorOf(target, say) {
  if (target === `${process.platform}-${process.arch}`) return thisMachine();
  if (target === 'win32-x64') return wineEmulator(say);
  if (target === 'linux-arm64') return qemuEmulator(say);
  return `nothing here runs Node.js ${FOREIGN_NODE} for ${target}`;
}

/** @returns {Emulator} */
function thisMachine() {
  return {
    name: 'this machine',
    path: (file) => file,
    run: (script, args, { env, ...options } = {}) =>
      runToFile(process.execPath, [script, ...args], { ...options, env: { ...process.env, ...env } }),
  };
}
