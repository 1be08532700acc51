/** Installs the npm packages exactly as package-lock.json says. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './paths.mjs';
import { run } from './run.mjs';

/**
 * @typedef {{ version?: string, optional?: boolean, os?: string[], cpu?: string[], libc?: string[] }} LockEntry
 */

/**
 * Compares what should be installed with what npm noted as installed (it writes `node_modules/.package-lock.json`
 * last, so an interrupted install has none).
 * @param {Record<string, LockEntry>} wanted `packages` of package-lock.json
 * @param {Record<string, LockEntry>} installed `packages` of node_modules/.package-lock.json
 * @param {string} platform as process.platform
 * @param {string} arch as process.arch
 * @returns {string[]} paths in node_modules that are missing or of another version
 */
export function outdatedPackages(wanted, installed, platform, arch) {
  return Object.entries(wanted)
    .filter(([path, entry]) => path !== '' && isWanted(entry, platform, arch))
    .filter(([path, entry]) => installed[path]?.version !== entry.version)
    .map(([path]) => path);
}

/**
 * Whether npm must have installed an entry here. Optional packages for another system are left out by npm; optional
 * ones without a system, or that depend on the C library, may be: they don't count.
 * @param {LockEntry} entry
 * @param {string} platform
 * @param {string} arch
 */
function isWanted(entry, platform, arch) {
  if (!entry.optional) return true;
  if (entry.libc !== undefined || entry.os === undefined || entry.cpu === undefined) return false;
  return entry.os.includes(platform) && entry.cpu.includes(arch);
}

/** @param {string} file @returns {Record<string, LockEntry>} */
function packagesOf(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages;
}

/** @type {import('./steps.mjs').Step} */
export const dependencies = {
  name: 'npm packages',
  ready: () => {
    const noted = join(ROOT, 'node_modules', '.package-lock.json');
    if (!existsSync(noted)) return false;
    const wanted = packagesOf(join(ROOT, 'package-lock.json'));
    return outdatedPackages(wanted, packagesOf(noted), process.platform, process.arch).length === 0;
  },
  run: async (say) => {
    say('npm ci downloads about 300 MB the first time.');
    // npm warns about packages that ask for Node 22 (Electron's installer, which Node 20.19 runs as well).
    const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
    const advice =
      'check the network; behind a proxy set HTTPS_PROXY (npm reads it too). Then run the command again: npm keeps what it has downloaded.';
    const { npm_execpath: npm } = process.env;
    // npm on Windows is a .cmd file, which Node refuses to start without a shell; its script runs everywhere.
    const script = npm?.endsWith('.js') ? npm : npmScript();
    if (script !== undefined) await run(process.execPath, [script, ...args], { cwd: ROOT, advice, onLine: say });
    else await run('npm', args, { cwd: ROOT, advice, onLine: say });
  },
};

/** npm's script where Node's Windows installer puts it, for a command that was not started through npm. */
function npmScript() {
  const file = join(process.execPath, '..', 'node_modules', 'npm', 'bin', 'npm-cli.js');
  return existsSync(file) ? file : undefined;
}
