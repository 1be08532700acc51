/**
 * Finds what compiles the addon: clang, from the system or as `zig c++`, which one pip package brings to any machine and
 * which also compiles for other machines. g++ 12 leaves the kernels' register tiles in memory and makes them about half as
 * fast, so it comes last. Node built-ins only, since this runs before anything is installed.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const runFile = promisify(execFile);
const cacheDir = join(dirname(dirname(fileURLToPath(import.meta.url))), '.cache');

export const ZIG_VERSION = '0.16.0';

/** A build failure for people: which step, why, and what to do. */
export class BuildError extends Error {
  /** @param {string} step @param {string} reason @param {string} action */
  constructor(step, reason, action) {
    super(`${step} failed: ${reason}\n${action}`);
    this.name = 'BuildError';
    this.step = step;
    this.action = action;
  }
}

/**
 * @typedef {object} Toolchain
 * @property {'gcc' | 'zig'} kind how flags are spelled: gcc's way (clang too) or zig's
 * @property {string[]} command program and leading arguments that compile and link C++
 * @property {string} identity changes when another compiler would give other objects
 */

/**
 * The outcome of a program.
 * @param {string} program @param {string[]} args @param {import('node:child_process').ExecFileOptions} [options]
 * @returns {Promise<{ ok: boolean, output: string }>} output: stdout and stderr, or why it could not start
 */
export async function run(program, args, options = {}) {
  try {
    const { stdout, stderr } = await runFile(program, args, { maxBuffer: 1 << 26, ...options, encoding: 'utf8' });
    return { ok: true, output: stdout + stderr };
  } catch (error) {
    const failure = /** @type {Error & { stdout?: string, stderr?: string }} */ (error);
    return { ok: false, output: `${failure.stdout ?? ''}${failure.stderr ?? ''}` || failure.message };
  }
}

/** The toolchain for this machine. @param {(line: string) => void} log @returns {Promise<Toolchain>} */
export async function hostToolchain(log) {
  const wanted = process.env.CXX?.trim();
  if (wanted) {
    const toolchain = await systemToolchain([wanted]);
    if (toolchain) return toolchain;
    throw new BuildError('Finding the compiler', `CXX=${wanted} does not compile C++20`, 'Correct or unset CXX.');
  }
  // On Windows compilers on the path are of many kinds (MinGW, clang for Visual Studio); zig is the same everywhere.
  if (process.platform === 'win32') return zigToolchain(log);
  const clang = await systemToolchain(['clang++']);
  if (clang) return clang;
  try {
    return await zigToolchain(log);
  } catch (error) {
    const other = await systemToolchain(['g++', 'c++']);
    if (!other) throw error;
    log(`zig could not be had, so ${other.identity} builds slower kernels`);
    return other;
  }
}

/** The first of some programs of this machine that compiles C++20. @param {string[]} candidates @returns {Promise<Toolchain | undefined>} */
export async function systemToolchain(candidates) {
  for (const candidate of candidates) {
    const [program = candidate, ...args] = candidate.split(/\s+/);
    if (!(await compilesCxx20(program, args))) continue;
    const { output } = await run(program, [...args, '--version']);
    return { kind: 'gcc', command: [program, ...args], identity: `${candidate} ${output.split('\n')[0]}` };
  }
  return undefined;
}

/** @param {string} program @param {string[]} args */
async function compilesCxx20(program, args) {
  const folder = await mkdtemp(join(tmpdir(), 'shadownpu-cxx-'));
  try {
    const source = join(folder, 'probe.cc');
    await writeFile(source, '#include <span>\nint f(std::span<int> s) { return s[0]; }\n');
    return (await run(program, [...args, '-std=c++20', '-fsyntax-only', source])).ok;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** zig from ZIG or the cache, fetched with pip when neither is there. @param {(line: string) => void} log @returns {Promise<Toolchain>} */
export async function zigToolchain(log) {
  const own = process.env.ZIG?.trim();
  const program = own || (await fetchZig(log));
  const { ok, output } = await run(program, ['version']);
  if (!ok) {
    throw new BuildError('Starting zig', output.trim(), `Delete ${dirname(program)} and run again, or install g++.`);
  }
  return { kind: 'zig', command: [program, 'c++'], identity: `zig ${output.trim()}` };
}

/** @param {(line: string) => void} log */
async function fetchZig(log) {
  const folder = join(cacheDir, `ziglang-${ZIG_VERSION}`);
  const program = join(folder, 'ziglang', process.platform === 'win32' ? 'zig.exe' : 'zig');
  if (existsSync(program)) return program;
  log(`fetching the zig compiler ${ZIG_VERSION} with pip (about 90 MB, once)`);
  await mkdir(cacheDir, { recursive: true });
  const partial = await mkdtemp(join(cacheDir, 'ziglang-partial-'));
  try {
    /** @type {string[]} */
    const reasons = [];
    for (const python of process.platform === 'win32' ? ['py', 'python'] : ['python3', 'python']) {
      const args = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--only-binary', ':all:'];
      const { ok, output } = await run(python, [...args, '--target', partial, `ziglang==${ZIG_VERSION}`]);
      if (ok) {
        await rm(folder, { recursive: true, force: true });
        await rename(partial, folder);
        return program;
      }
      reasons.push(`${python}: ${output.trim().split('\n').slice(-3).join(' ')}`);
    }
    throw new BuildError(
      'Getting a C++ compiler',
      `no g++ or clang++ with C++20 is on this machine, and zig could not be fetched (${reasons.join('; ')})`,
      'Install g++ 11 or later, or Python 3 with pip and access to PyPI, then run again.',
    );
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}
