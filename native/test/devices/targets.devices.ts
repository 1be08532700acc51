/** Every target that is shipped: built, of the right kind, and loaded where something here runs its programs. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { emulatorOf } from '../../../scripts/emulators/emulators.mjs';
import { runJob } from '../../../scripts/emulators/job.mjs';
import { buildNative, ZIG_TARGETS } from '../../build.mjs';

/** Machine numbers of ELF headers and of Windows' PE headers. */
const MACHINES: Record<string, number> = {
  'linux-x64': 0x3e,
  'linux-arm64': 0xb7,
  'win32-x64': 0x8664,
  'win32-arm64': 0xaa64,
};

function machineOf(file: string): number {
  const bytes = readFileSync(file);
  return bytes.readUInt16LE(bytes.toString('latin1', 0, 2) === 'MZ' ? bytes.readUInt32LE(0x3c) + 4 : 18);
}

test.for(Object.keys(ZIG_TARGETS))('%s is built', async (target) => {
  const { file } = await buildNative({ target });
  expect(machineOf(file)).toBe(MACHINES[target]);
});

test.for(Object.keys(ZIG_TARGETS))('%s is loaded', async (target, { skip }) => {
  const emulator = await emulatorOf(target, console.error);
  if (typeof emulator === 'string') return skip(emulator);
  const [platform, arch] = target.split('-');
  const guest = await runJob(emulator, target);
  expect(guest).toMatchObject({ platform, arch, maxAbs: 3, ort: expect.stringMatching(/^1\./) });
});
