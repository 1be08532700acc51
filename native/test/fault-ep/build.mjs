/**
 * Builds the test device (fault_ep.cc): native/build/test/fault-ep/<target>/<library>. Its name is that of an execution
 * provider's library, so that it is found where such libraries are looked for.
 */
import { existsSync, statSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hostTarget, ZIG_TARGETS } from '../../build.mjs';
import { ortHeaders } from '../../check/ort-headers.mjs';
import { BuildError, run, systemToolchain, zigToolchain } from '../../toolchain.mjs';

const here = dirname(fileURLToPath(import.meta.url));

/** File name of the library. @param {string} target `<platform>-<arch>` */
export const faultLibraryName = (target) =>
  target.startsWith('win32') ? 'onnxruntime_providers_faulttest.dll' : 'libonnxruntime_providers_faulttest.so';

/**
 * @param {string} [target] as for the addon; this machine's when absent
 * @returns {Promise<string>} the library; built only where a source is newer
 * @throws {BuildError}
 */
export async function buildFaultEp(target = hostTarget()) {
  const out = join(dirname(dirname(here)), 'build', 'test', 'fault-ep', target);
  const file = join(out, faultLibraryName(target));
  const sources = (await readdir(here)).filter((name) => name !== 'README.md').map((name) => join(here, name));
  if (existsSync(file) && sources.every((source) => statSync(source).mtimeMs < statSync(file).mtimeMs)) return file;
  const headers = await ortHeaders();
  const log = (/** @type {string} */ line) => console.error(line);
  // How fast its code is does not matter, so any compiler that is there will do.
  const own = target === hostTarget() ? await systemToolchain(['clang++', 'g++', 'c++']) : undefined;
  const toolchain = own ?? (await zigToolchain(log));
  const [program = '', ...leading] = toolchain.command;
  await mkdir(out, { recursive: true });
  const partial = `${file}.${process.pid}.tmp`;
  const args = [
    ...leading,
    ...(toolchain.kind === 'zig' ? ['-target', ZIG_TARGETS[target] ?? ''] : []),
    ...['-std=c++20', '-O1', '-g0', '-fPIC', '-fvisibility=hidden', '-Wall', '-Wextra', '-shared'],
    ...['-Wno-ignored-attributes', '-isystem', headers, '-o', partial],
    ...sources.filter((source) => source.endsWith('.cc')),
    ...(target.startsWith('linux') ? ['-ldl', '-lpthread'] : []),
  ];
  try {
    const { ok, output } = await run(program, args);
    if (!ok) throw new BuildError('Compiling the test device', output.trim(), `Compiler: ${toolchain.identity}.`);
    await rename(partial, file);
  } finally {
    await rm(partial, { force: true });
  }
  return file;
}
