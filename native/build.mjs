/**
 * Builds the native addon: native/build/<platform>-<arch>/shadownpu.node.
 *
 *   node native/build.mjs [--force] [linux-x64 linux-arm64 win32-x64 win32-arm64 ...]
 *
 * Without a target it builds for this machine. An object is compiled again only when its source, a header it includes,
 * its flags or the compiler changed. Instruction sets beyond the baseline are a matter of file names, see ISA_FLAGS.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { cpus } from 'node:os';
import { basename, dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BuildError, hostToolchain, run, zigToolchain } from './toolchain.mjs';
import { windowsImports } from './windows-imports.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const require = createRequire(import.meta.url);

/** @typedef {import('./toolchain.mjs').Toolchain} Toolchain */
/** @typedef {{ source: string, object: string, args: string[] }} Unit */

/** zig's names for the targets that can be compiled for from anywhere. glibc 2.28 reaches back to 2018. */
export const ZIG_TARGETS = /** @type {Record<string, string>} */ ({
  'linux-x64': 'x86_64-linux-gnu.2.28',
  'linux-arm64': 'aarch64-linux-gnu.2.28',
  'win32-x64': 'x86_64-windows-gnu',
  'win32-arm64': 'aarch64-windows-gnu',
});

/** Flags by the last part of a file's name (matmul_avx2.cc); files of the other architecture are left out. */
export const ISA_FLAGS = /** @type {Record<string, { arch: string, gcc: string[], zig: string[] }>} */ ({
  avx2: x64('avx2 fma f16c bmi2'),
  avx512: x64('avx2 fma f16c bmi2 avx512f avx512bw avx512vl avx512dq avx512vnni'),
  avx512bf16: x64('avx2 fma f16c bmi2 avx512f avx512bw avx512vl avx512dq avx512vnni avx512bf16'),
  neon: { arch: 'arm64', gcc: [], zig: [] },
  dotprod: { arch: 'arm64', gcc: ['-march=armv8.2-a+dotprod'], zig: ['-mcpu=generic+v8_2a+dotprod'] },
  i8mm: {
    arch: 'arm64',
    gcc: ['-march=armv8.2-a+dotprod+i8mm+bf16'],
    zig: ['-mcpu=generic+v8_2a+dotprod+i8mm+bf16'],
  },
});

export const BASELINE = /** @type {Record<string, { gcc: string[], zig: string[] }>} */ ({
  x64: { gcc: ['-march=x86-64-v2'], zig: ['-mcpu=x86_64_v2'] },
  arm64: { gcc: ['-march=armv8-a'], zig: ['-mcpu=generic'] },
});

/** @param {string} names features that gcc switches by -m and zig adds to the baseline */
function x64(names) {
  const features = names.split(' ');
  // gcc 12 takes the "undefined" operands of its own AVX-512 header for uninitialised variables; clang lacks the option.
  const quiet = ['-Wno-unknown-warning-option', '-Wno-uninitialized', '-Wno-maybe-uninitialized'];
  const enable = features.map((name) => `-m${name}`);
  const gcc = ['-march=x86-64-v2', ...enable, ...(names.includes('avx512') ? quiet : [])];
  return { arch: 'x64', gcc, zig: [`-mcpu=x86_64_v2-slow_unaligned_mem_32+${features.join('+')}`] };
}

/** The target of this machine. */
export const hostTarget = () => `${process.platform}-${process.arch}`;

/**
 * Builds one target and returns what was done; throws BuildError.
 * @param {{ target?: string, force?: boolean, onLog?: (line: string) => void, root?: string }} [options] root: the folder
 *   that holds `src` and gets `build`
 * @returns {Promise<{ target: string, file: string, compiled: number, total: number }>}
 */
export async function buildNative({ target = hostTarget(), force = false, onLog = () => {}, root = here } = {}) {
  const toolchain = await chooseToolchain(target, onLog);
  const out = join(root, 'build', target);
  await mkdir(join(out, 'obj'), { recursive: true });
  const units = await plan(target, toolchain, root, out);
  const stale = [];
  for (const unit of units) if (force || !(await isFresh(unit, toolchain))) stale.push(unit);

  let done = 0;
  await inParallel(stale, async (unit) => {
    await compile(unit, toolchain);
    done += 1;
    onLog(`[${done}/${stale.length}] ${relative(root, unit.source)}`);
  });
  const file = join(out, 'shadownpu.node');
  const linkKey = hash(units.map((unit) => unit.object).join('\n') + toolchain.identity);
  const linkStamp = join(out, 'obj', 'link.stamp');
  if (stale.length > 0 || !existsSync(file) || (await readText(linkStamp)) !== linkKey) {
    await link(target, toolchain, units, file);
    await writeFile(linkStamp, linkKey);
  }
  return { target, file, compiled: stale.length, total: units.length };
}

/** @param {string} target @param {(line: string) => void} log */
async function chooseToolchain(target, log) {
  if (target === hostTarget()) {
    const toolchain = await hostToolchain(log);
    if (toolchain.kind === 'gcc' || ZIG_TARGETS[target]) return toolchain;
  } else if (ZIG_TARGETS[target]) {
    return zigToolchain(log);
  }
  throw new BuildError(
    'Choosing a compiler',
    `nothing here compiles for ${target}`,
    `Targets: ${[...new Set([hostTarget(), ...Object.keys(ZIG_TARGETS)])].join(', ')}.`,
  );
}

/** @param {string} target @param {Toolchain} toolchain @param {string} root @param {string} out @returns {Promise<Unit[]>} */
async function plan(target, toolchain, root, out) {
  const [platform = '', arch = ''] = target.split('-');
  const baseline = BASELINE[arch];
  if (!baseline)
    throw new BuildError('Planning the build', `no flags are known for ${arch}`, 'Use an x64 or arm64 Node.');
  const common = [
    ...(toolchain.kind === 'zig' ? ['-target', ZIG_TARGETS[target] ?? '', '-Wno-nullability-completeness'] : []),
    ...['-std=c++20', '-O3', '-g0', '-fPIC', '-fvisibility=hidden', '-Wall', '-Wextra', '-DNAPI_VERSION=8'],
    '-DNODE_ADDON_API_CPP_EXCEPTIONS',
    // A worker that is terminated in the middle of a call refuses every exception; without this the process aborts.
    '-DNODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS',
    ...(platform === 'win32' ? ['-DNAPI_EXTERN=__declspec(dllimport)'] : []),
    ...['-isystem', packageDir('node-addon-api'), '-isystem', join(packageDir('node-api-headers'), 'include')],
  ];
  const sources = (await readdir(join(root, 'src'), { recursive: true }))
    .filter((name) => name.endsWith('.cc'))
    .map((name) => join(root, 'src', name))
    .sort();
  if (platform === 'win32') sources.push(await writeWindowsImports(out));
  return sources.flatMap((source) => {
    const isa = ISA_FLAGS[basename(source, '.cc').split('_').at(-1) ?? ''];
    if (isa && isa.arch !== arch) return [];
    const flags = isa?.[toolchain.kind].length ? isa[toolchain.kind] : baseline[toolchain.kind];
    const name = relative(root, source)
      .split(sep)
      .join('.')
      .replace(/^src\./, '')
      .replace(/\.cc$/, '');
    return [{ source, object: join(out, 'obj', `${basename(name)}.o`), args: [...common, ...flags] }];
  });
}

/** @param {string} name */
function packageDir(name) {
  try {
    return dirname(require.resolve(`${name}/package.json`));
  } catch {
    throw new BuildError('Finding headers', `the package ${name} is not installed`, 'Run `npm ci` first.');
  }
}

/** @param {string} out */
async function writeWindowsImports(out) {
  const file = join(out, 'obj', 'windows_imports.cc');
  const text = windowsImports(require('node-api-headers').symbols.v8);
  if ((await readText(file)) !== text) await writeFile(file, text);
  return file;
}

/** What an object depends on besides its files. @param {Unit} unit @param {Toolchain} toolchain */
const flagKey = (unit, toolchain) =>
  hash([toolchain.identity, ...unit.args, require('node-addon-api/package.json').version].join('\n'));

/** @param {Unit} unit @param {Toolchain} toolchain */
async function isFresh(unit, toolchain) {
  const text = await readText(`${unit.object}.json`);
  if (text === null || !existsSync(unit.object)) return false;
  /** @type {{ key: string, files: Record<string, string> }} */
  let stamp;
  try {
    stamp = JSON.parse(text);
  } catch {
    return false; // the stamp was cut short: compile again
  }
  if (stamp.key !== flagKey(unit, toolchain)) return false;
  for (const [file, digest] of Object.entries(stamp.files)) if ((await fileHash(file)) !== digest) return false;
  return true;
}

/** @param {Unit} unit @param {Toolchain} toolchain */
async function compile(unit, toolchain) {
  const partial = `${unit.object}.${process.pid}.tmp.o`;
  const deps = `${unit.object}.${process.pid}.d`;
  const [program = '', ...leading] = toolchain.command;
  const key = flagKey(unit, toolchain);
  const started = Date.now();
  try {
    const args = [...leading, ...unit.args, '-MMD', '-MF', deps, '-c', unit.source, '-o', partial];
    const { ok, output } = await run(program, args);
    if (!ok) {
      throw new BuildError(`Compiling ${basename(unit.source)}`, output.trim(), `Compiler: ${toolchain.identity}.`);
    }
    if (output.trim()) process.stderr.write(output);
    /** @type {Record<string, string>} */
    const files = {};
    for (const file of dependencies(await readFile(deps, 'utf8'))) {
      // Of a file edited meanwhile nobody knows which state was compiled: without its hash it is compiled again next time.
      const edited = (await stat(file)).mtimeMs >= started;
      files[file] = edited ? '' : ((await fileHash(file)) ?? '');
    }
    await rename(partial, unit.object);
    await writeFile(`${unit.object}.json`, JSON.stringify({ key, files }));
  } finally {
    await rm(partial, { force: true });
    await rm(deps, { force: true });
  }
}

/** The files a make rule names. @param {string} rule */
function dependencies(rule) {
  const body = rule.slice(rule.indexOf('.o:') + 3).replace(/\\\r?\n/g, ' ');
  return (body.match(/(?:\\ |[^\s])+/g) ?? []).map((name) => name.replace(/\\ /g, ' '));
}

/** @param {string} target @param {Toolchain} toolchain @param {Unit[]} units @param {string} file */
async function link(target, toolchain, units, file) {
  const partial = file.replace(/\.node$/, `.${process.pid}.tmp.node`);
  const [program = '', ...leading] = toolchain.command;
  const platformArgs = target.startsWith('linux')
    ? // nodelete: ORT's threads may run code of the addon after the last JavaScript environment closed it.
      [
        '-shared',
        '-ldl',
        '-lpthread',
        '-Wl,-z,nodelete',
        ...(toolchain.kind === 'zig' ? ['-Wl,--allow-shlib-undefined'] : []),
      ]
    : target.startsWith('darwin')
      ? ['-bundle', '-undefined', 'dynamic_lookup']
      : ['-shared'];
  const targetArgs = toolchain.kind === 'zig' ? ['-target', ZIG_TARGETS[target] ?? '', '-s'] : [];
  const args = [...leading, ...targetArgs, '-o', partial, ...units.map((unit) => unit.object), ...platformArgs];
  try {
    const { ok, output } = await run(program, args);
    if (!ok) throw new BuildError('Linking the addon', output.trim(), `Compiler: ${toolchain.identity}.`);
    if (target === hostTarget()) await tryLoad(partial);
    await rename(partial, file).catch((error) => {
      throw new BuildError('Replacing the addon', error.message, 'Close ShadowNPU, which has the old one loaded.');
    });
  } finally {
    await rm(partial, { force: true });
  }
}

/** A shared library links with symbols missing; loading it in another process tells. @param {string} file */
async function tryLoad(file) {
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };
  const { ok, output } = await run(process.execPath, ['-e', `require(${JSON.stringify(file)})`], { env });
  if (ok) return;
  const reason = /Error: .*/.exec(output)?.[0] ?? output.trim();
  throw new BuildError('Loading the new addon', reason, 'The addon in use was left as it was.');
}

/** @param {Unit[]} items @param {(item: Unit) => Promise<void>} work stops handing out items after a failure */
async function inParallel(items, work) {
  const queue = [...items];
  await Promise.all(
    Array.from({ length: Math.min(cpus().length, queue.length) }, async () => {
      try {
        for (let item = queue.shift(); item; item = queue.shift()) await work(item);
      } catch (error) {
        queue.length = 0;
        throw error;
      }
    }),
  );
}

/** @param {string | Buffer} data */
const hash = (data) => createHash('sha256').update(data).digest('hex');

/** @param {string} file */
const fileHash = (file) => readFile(file).then(hash, () => null);

/** @param {string} file */
const readText = (file) => readFile(file, 'utf8').catch(() => null);

if (process.argv[1] && fileURLToPath(import.meta.url) === process.argv[1]) {
  const args = process.argv.slice(2);
  const targets = args.filter((arg) => arg !== '--force');
  try {
    for (const target of targets.length > 0 ? targets : [hostTarget()]) {
      const started = Date.now();
      const result = await buildNative({
        target,
        force: args.includes('--force'),
        onLog: (line) => console.error(line),
      });
      const seconds = ((Date.now() - started) / 1000).toFixed(1);
      console.error(`${target}: ${result.compiled} of ${result.total} files compiled, ${seconds} s`);
    }
  } catch (error) {
    console.error(error instanceof BuildError ? error.message : error);
    process.exitCode = 1;
  }
}
