/**
 * Linux arm64 programs under qemu's user mode. They see the files of a folder of ours first, then those of this machine: arm64
 * system libraries, a /proc/cpuinfo in the words of an arm64 kernel (ONNX Runtime crashes on an x64 one), and where asked for
 * the device node by which a Qualcomm NPU makes itself known.
 */
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE } from '../setup/paths.mjs';
import { onPath } from '../setup/system-packages.mjs';
import { foreignNode } from './foreign-node.mjs';
import { runToFile } from './run-to-file.mjs';

export const QEMU_PACKAGES = [
  'qemu-user-static',
  'libc6-arm64-cross',
  'libstdc++6-arm64-cross',
  'libgcc-s1-arm64-cross',
];
const LIBRARIES = '/usr/aarch64-linux-gnu/lib';

const qemuProgram = () => ['qemu-aarch64-static', 'qemu-aarch64'].find(onPath);

/**
 * @param {(text: string) => void} say
 * @param {{ fastRpc?: boolean }} [options] fastRpc: with /dev/fastrpc-cdsp, an empty file that stands for the driver's node
 * @returns {Promise<import('./emulators.mjs').Emulator | string>} or why there is none
 */
export async function qemuEmulator(say, { fastRpc = false } = {}) {
  const qemu = qemuProgram();
  if (process.platform !== 'linux' || qemu === undefined || !existsSync(join(LIBRARIES, 'libstdc++.so.6'))) {
    return `qemu or the arm64 system libraries are not installed (Debian and Ubuntu: apt-get install ${QEMU_PACKAGES.join(' ')})`;
  }
  const node = await foreignNode('linux-arm64', say);
  const root = makeRoot(fastRpc);
  const again = writeRestart(root, [qemu, '-cpu', 'max', '-L', root, node]);
  return {
    name: 'qemu',
    path: (file) => file,
    run: (script, args, { env, ...options } = {}) =>
      runToFile(qemu, ['-cpu', 'max', '-L', root, node, '-r', again, script, ...args], {
        ...options,
        env: { ...process.env, ...env },
      }),
  };
}

/**
 * Processes that a script starts as itself would be arm64 programs for the kernel of this machine. This makes their program a
 * shell script that starts qemu. @param {string} root @param {string[]} command @returns {string} a module to load first
 */
function writeRestart(root, command) {
  const starter = join(root, 'node.sh');
  const quoted = command.map((part) => `'${part.replaceAll("'", "'\\''")}'`).join(' ');
  writeFileSync(starter, `#!/bin/sh\nexec ${quoted} "$@"\n`, { mode: 0o755 });
  const file = join(root, 'restart.cjs');
  writeFileSync(file, `process.execPath = ${JSON.stringify(starter)};\n`);
  return file;
}

/** @param {boolean} fastRpc */
function makeRoot(fastRpc) {
  const root = join(CACHE, fastRpc ? 'arm64-root-fastrpc' : 'arm64-root');
  rmSync(root, { recursive: true, force: true });
  for (const folder of ['proc', 'dev']) mkdirSync(join(root, folder), { recursive: true });
  symlinkSync(LIBRARIES, join(root, 'lib'));
  writeFileSync(join(root, 'proc', 'cpuinfo'), [0, 1].map(processor).join('\n'));
  if (fastRpc) writeFileSync(join(root, 'dev', 'fastrpc-cdsp'), '');
  return root;
}

/** A core as an arm64 kernel describes it, by Qualcomm. @param {number} index */
function processor(index) {
  return [
    `processor\t: ${index}`,
    'BogoMIPS\t: 38.40',
    'Features\t: fp asimd aes pmull sha1 sha2 crc32 atomics fphp asimdhp asimdrdm jscvt fcma lrcpc asimddp i8mm bf16',
    'CPU implementer\t: 0x51',
    'CPU architecture: 8',
    'CPU variant\t: 0x2',
    'CPU part\t: 0x001',
    'CPU revision\t: 1',
    '',
  ].join('\n');
}
