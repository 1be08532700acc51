/** `npm run package`: builds packages of the app into release/, for this system and others where their parts can be had. */
import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { writeNotices } from './notices.mjs';
import { partsFor } from './package/parts.mjs';
import { chosen, HELP } from './package/targets.mjs';
import { nodeBuild, rendererBuild } from './setup/app-build.mjs';
import { dependencies } from './setup/dependencies.mjs';
import { electron } from './setup/electron.mjs';
import { reasonOf } from './setup/errors.mjs';
import { native } from './setup/native.mjs';
import { nodeVersion } from './setup/node-version.mjs';
import { ROOT } from './setup/paths.mjs';
import { print, setUp } from './setup/steps.mjs';

/** @typedef {import('./package/targets.mjs').Package} Package */

process.exitCode = await main(process.argv.slice(2));

/**
 * @param {string[]} args
 * @returns {Promise<number>} exit code
 */
async function main(args) {
  if (args.includes('--help')) {
    console.log(HELP);
    return 0;
  }
  const wanted = chosen(args);
  if (typeof wanted === 'string') {
    print(wanted);
    return 2;
  }
  if (!(await setUp([nodeVersion, dependencies, native, electron, nodeBuild, rendererBuild]))) return 1;
  writeNotices();
  /** @type {string[]} */
  const lines = [];
  let built = 0;
  for (const system of new Set(wanted.map((each) => each.system))) {
    for (const { name, file, reason } of await buildSystem(wanted.filter((each) => each.system === system))) {
      lines.push(`${name}: ${file === undefined ? `not built: ${reason}` : described(file)}`);
      if (file !== undefined) built += 1;
    }
  }
  console.log(lines.join('\n'));
  // What nobody asked for by name may be out of reach.
  return built === wanted.length || (args.length === 0 && built > 0) ? 0 : 1;
}

/**
 * Builds packages that are all for one system.
 * @param {Package[]} packages
 * @returns {Promise<{ name: string, file?: string, reason?: string }[]>} the file or folder of each, or why there is none
 */
async function buildSystem(packages) {
  /** @type {{ name: string, file?: string, reason?: string }[]} */
  const results = [];
  const possible = [];
  /** @type {import('electron-builder').Configuration} */
  let config = {};
  for (const each of packages) {
    try {
      const parts = await partsFor(each, print);
      config = { ...config, ...parts.config };
      Object.assign(process.env, parts.env);
      possible.push(each);
    } catch (error) {
      results.push({ name: each.name, reason: reasonOf(error) });
    }
  }
  const [first] = possible;
  if (first === undefined) return results;
  // Loaded late: the set-up may have just installed it.
  const { build, Platform, Arch } = await import('electron-builder');
  const platform = first.system.startsWith('win32') ? Platform.WINDOWS : Platform.LINUX;
  const arch = first.system.endsWith('arm64') ? Arch.arm64 : Arch.x64;
  process.env.PACKAGE_PLATFORM = first.system.split('-')[0];
  const forms = possible.map(({ target }) => target);
  /** @type {string[]} */
  const files = await build({
    projectDir: ROOT,
    publish: 'never',
    targets: platform.createTarget(forms, arch),
    config: { extends: 'electron-builder.yml', ...config },
  });
  for (const { name, target, file: end } of possible) {
    const file = target === 'dir' ? join(ROOT, 'release', end) : files.find((path) => path.endsWith(end));
    results.push(file === undefined ? { name, reason: 'electron-builder made no such file' } : { name, file });
  }
  return results;
}

/** @param {string} file a file or folder in release/ */
function described(file) {
  return `release/${basename(file)}, ${(bytesOf(file) / 1e6).toFixed(0)} MB`;
}

/** @param {string} path @returns {number} */
function bytesOf(path) {
  const info = statSync(path);
  if (!info.isDirectory()) return info.size;
  return readdirSync(path).reduce((sum, name) => sum + bytesOf(join(path, name)), 0);
}
