/**
 * A GPU in software for ONNX Runtime's WebGPU provider on Linux: the Vulkan of Electron (SwiftShader) does the work, and a
 * mount namespace of its own shows the process a graphics card, without which ONNX Runtime does not offer the provider.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findElectron } from '../setup/electron.mjs';
import { CACHE } from '../setup/paths.mjs';
import { onPath } from '../setup/system-packages.mjs';
import { runToFile } from './run-to-file.mjs';

/** A display controller with Google's vendor number, which SwiftShader reports too. */
const SHOW_CARD = `
set -e
mount -t tmpfs none /sys/class
mkdir -p /sys/class/drm/card0/device /sys/class/buses/pci
cd /sys/class/drm/card0/device
echo 0x1ae0 > vendor
echo 0xc0de > device
echo 0x030000 > class
ln -s /sys/class/buses/pci subsystem
cd /
exec "$@"
`;

/** Containers may have root without that right. */
const canMount = () => spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', '/sys/class']).status === 0;

/** @returns {import('./emulators.mjs').Emulator | string} or why there is none */
export function softwareGpu() {
  const dist = dirname(findElectron()?.file ?? '');
  const vulkan = join(dist, 'vk_swiftshader_icd.json');
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !onPath('unshare') || !canMount()) {
    return 'it needs root on Linux, the program unshare and the right to mount';
  }
  if (!existsSync(vulkan) || !existsSync(join(dist, 'libvulkan.so.1')))
    return 'Electron, which brings SwiftShader, is not installed';
  const script = join(CACHE, 'show-card.sh');
  writeFileSync(script, SHOW_CARD);
  return {
    name: 'SwiftShader',
    path: (file) => file,
    run: (file, args, { env, ...options } = {}) =>
      runToFile('unshare', ['-m', 'sh', script, process.execPath, file, ...args], {
        ...options,
        env: {
          ...process.env,
          ...env,
          VK_ICD_FILENAMES: vulkan,
          LD_LIBRARY_PATH: `${dist}:${process.env.LD_LIBRARY_PATH ?? ''}`,
          XDG_RUNTIME_DIR: CACHE,
        },
      }),
  };
}
