/**
 * Builds and runs the kernels' tests as one standalone program (no Node, no addon).
 *
 *   node native/test/run.mjs               for this machine, with the compiler that builds the addon
 *     --sanitize     with AddressSanitizer and UndefinedBehaviorSanitizer
 *     --avx512       the AVX-512 kernels on any x64 processor, by SIMDe (SIMDE=<folder that holds simde/>, or libsimde-dev)
 *     --arm64        built by zig, run under qemu-aarch64-static
 *     --windows      built by zig, run under wine (on Windows directly)
 *     --bench [isa] [ratio]   timings instead of tests
 *
 * Prints "N passed, N failed"; exit code 1 on a failure. A run that lacks its tools says so and counts as passed, unless
 * REQUIRE_ALL is set.
 */
import { existsSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { cpus } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { BASELINE, ISA_FLAGS } from '../build.mjs';
import { BuildError, hostToolchain, run, systemToolchain, zigToolchain } from '../toolchain.mjs';

const here = dirname(fileURLToPath(import.meta.url));
/** Where the code under test lies: all of it that knows neither Node nor ONNX Runtime. */
const folders = ['kernels', 'attention'].map((name) => join(dirname(here), 'src', name));

/**
 * @typedef {object} Plan
 * @property {string} name
 * @property {'x64' | 'arm64'} arch
 * @property {import('../toolchain.mjs').Toolchain} toolchain
 * @property {string[]} flags for every file
 * @property {(isa: string | undefined) => string[] | undefined} isaFlags for a file of this set; undefined to leave it out
 * @property {string[]} runner what starts the program
 */

const warnings = ['-Wall', '-Wextra', '-Werror', '-Wno-unknown-warning-option', '-Wno-nullability-completeness'];
const hostArch = process.arch === 'arm64' ? 'arm64' : 'x64';

/** @param {string} line */
const log = (line) => console.error(line);

/** Why a run cannot be made here; ends the program. @param {string} reason @returns {never} */
function skip(reason) {
  console.log(`skipped: ${reason}`);
  process.exit(process.env.REQUIRE_ALL ? 1 : 0);
}

/** @param {string} program @param {string[]} args */
const starts = async (program, ...args) => (await run(program, args)).ok;

/** @param {'x64' | 'arm64'} arch @param {'gcc' | 'zig'} kind @returns {Plan['isaFlags']} */
const flagsOf = (arch, kind) => (isa) => {
  const known = isa === undefined ? undefined : ISA_FLAGS[isa];
  if (known && known.arch !== arch) return undefined;
  return known?.[kind].length ? known[kind] : (BASELINE[arch]?.[kind] ?? []);
};

/** @returns {Promise<Plan>} */
async function hostPlan(/** @type {string} */ name, /** @type {string[]} */ flags) {
  return planFor(await hostToolchain(log), name, flags);
}

/** @param {import('../toolchain.mjs').Toolchain} toolchain @param {string} name @param {string[]} flags @returns {Plan} */
function planFor(toolchain, name, flags) {
  return { name, arch: hostArch, toolchain, flags, isaFlags: flagsOf(hostArch, toolchain.kind), runner: [] };
}

/** @returns {Promise<Plan>} */
async function emulatedAvx512Plan() {
  const folder = process.env.SIMDE ?? '/usr/include';
  if (!existsSync(join(folder, 'simde', 'x86', 'avx512.h'))) skip('SIMDe is not installed (apt install libsimde-dev)');
  if (hostArch !== 'x64') skip('the AVX-512 kernels are for x64');
  const plan = await hostPlan('avx512', ['-DSHADOWNPU_EMULATED_AVX512']);
  const own = plan.isaFlags;
  const emulated = ['-idirafter', folder, '-include', join(here, 'emulate_avx512.h'), '-Wno-psabi'];
  const isaFlags = (/** @type {string | undefined} */ isa) =>
    isa?.startsWith('avx512') ? [...(own('avx2') ?? []), ...emulated] : own(isa);
  return { ...plan, isaFlags };
}

/** @returns {Promise<Plan>} */
async function arm64Plan() {
  const qemu = 'qemu-aarch64-static';
  if (!(await starts(qemu, '--version'))) skip(`${qemu} is not installed (apt install qemu-user-static)`);
  const toolchain = await zigToolchain(log);
  const flags = ['-target', 'aarch64-linux-musl', '-static'];
  return {
    name: 'arm64',
    arch: 'arm64',
    toolchain,
    flags,
    isaFlags: flagsOf('arm64', 'zig'),
    runner: [qemu, '-cpu', 'max'],
  };
}

/** @returns {Promise<Plan>} */
async function windowsPlan() {
  const onWindows = process.platform === 'win32';
  if (!onWindows && !(await starts('wine', '--version'))) skip('wine is not installed');
  const toolchain = await zigToolchain(log);
  const flags = ['-target', 'x86_64-windows-gnu'];
  return {
    name: 'windows',
    arch: 'x64',
    toolchain,
    flags,
    isaFlags: flagsOf('x64', 'zig'),
    runner: onWindows ? [] : ['wine'],
  };
}

/** Compiles all files of a plan and links them; returns the program. @param {Plan} plan @param {boolean} bench */
async function build(plan, bench) {
  const out = join(dirname(here), 'build', 'test', plan.name);
  await mkdir(out, { recursive: true });
  /** @type {string[]} */
  const sources = [];
  for (const folder of folders) {
    for (const name of await readdir(folder, { recursive: true })) {
      if (name.endsWith('.cc')) sources.push(join(folder, name));
    }
  }
  for (const name of await readdir(here)) {
    if (name.endsWith('.cc') && (name === 'bench.cc') === bench) sources.push(join(here, name));
  }
  const [compiler = '', ...leading] = plan.toolchain.command;
  const common = [...leading, '-std=c++20', '-O3', ...warnings, ...plan.flags];
  /** @type {string[]} */
  const objects = [];
  const queue = sources.map((source, index) => ({ source, object: join(out, `${index}-${basename(source)}.o`) }));
  const work = async () => {
    for (let unit = queue.shift(); unit; unit = queue.shift()) {
      const isa = plan.isaFlags(basename(unit.source, '.cc').split('_').at(-1));
      if (!isa) continue;
      const { ok, output } = await run(compiler, [...common, ...isa, '-c', unit.source, '-o', unit.object]);
      if (!ok) throw new BuildError(`Compiling ${basename(unit.source)}`, output.trim(), plan.toolchain.identity);
      objects.push(unit.object);
    }
  };
  await Promise.all(cpus().map(work));
  const program = join(out, plan.name === 'windows' ? 'kernels.exe' : 'kernels');
  const { ok, output } = await run(compiler, [...common, ...objects, '-o', program]);
  if (!ok) throw new BuildError('Linking the tests', output.trim(), plan.toolchain.identity);
  return program;
}

/** @returns {Promise<Plan>} */
async function choosePlan(/** @type {Record<string, unknown>} */ options) {
  if (options.arm64) return arm64Plan();
  if (options.windows) return windowsPlan();
  if (options.avx512) return emulatedAvx512Plan();
  if (options.sanitize) {
    // Optimising instrumented code takes minutes and finds nothing more.
    const flags = ['-O1', '-fsanitize=address,undefined', '-fno-sanitize-recover=all', '-fno-omit-frame-pointer', '-g'];
    // zig brings no AddressSanitizer.
    const toolchain = await systemToolchain(['clang++', 'g++', 'c++']);
    return toolchain ? planFor(toolchain, 'sanitize', flags) : skip('no g++ or clang++ with sanitizers is installed');
  }
  return hostPlan('host', []);
}

const flag = /** @type {const} */ ({ type: 'boolean' });
const { values, positionals } = parseArgs({
  options: { sanitize: flag, avx512: flag, arm64: flag, windows: flag, bench: flag },
  allowPositionals: true,
});
try {
  const plan = await choosePlan(values);
  const program = await build(plan, values.bench === true);
  const [first = program, ...rest] = [...plan.runner, program, ...positionals];
  const { ok, output } = await run(first, rest);
  process.stdout.write(output);
  if (!ok) process.exitCode = 1;
} catch (error) {
  console.error(error instanceof BuildError ? error.message : error);
  process.exitCode = 1;
}
