import { expect, test } from 'vitest';
import { machineOf } from './machine.ts';

test('what decides about devices', () => {
  expect(machineOf('linux', 'x64', { SESSIONNAME: 'RDP-Tcp#1' }, 'AMD EPYC')).toEqual({
    platform: 'linux',
    arch: 'x64',
    processorArch: 'x64',
    intelProcessor: false,
    remoteDesktop: false,
  });
  expect(machineOf('win32', 'x64', {}, 'Intel(R) Core(TM) Ultra 7').intelProcessor).toBe(true);
});

test.each([
  [{ SESSIONNAME: 'RDP-Tcp#12' }, true],
  [{ SESSIONNAME: 'Console' }, false],
  [{}, false],
])('a remote session, by %j', (environment, expected) => {
  expect(machineOf('win32', 'arm64', environment, '').remoteDesktop).toBe(expected);
});

test.each([
  ['x64', { PROCESSOR_IDENTIFIER: 'ARMv8 (64-bit) Family 8 Model 1 Revision 201, Qualcomm' }, 'arm64'],
  ['x64', { PROCESSOR_ARCHITEW6432: 'ARM64' }, 'arm64'],
  ['x64', { PROCESSOR_IDENTIFIER: 'Intel64 Family 6 Model 189 Stepping 1, GenuineIntel' }, 'x64'],
  ['arm64', { PROCESSOR_IDENTIFIER: 'ARMv8 (64-bit) Family 8' }, 'arm64'],
] as const)('the processor of a %s program under %j', (arch, environment, expected) => {
  expect(machineOf('win32', arch, environment, '').processorArch).toBe(expected);
});
