import { describe, expect, test } from 'vitest';
import type { Machine } from './machine.ts';
import { type DeviceFacts, deviceRefusal, type LibraryFacts, libraryRefusal, unclaimedNpu } from './reasons.ts';

const LINUX: Machine = {
  platform: 'linux',
  arch: 'x64',
  processorArch: 'x64',
  intelProcessor: false,
  remoteDesktop: false,
};
const WINDOWS: Machine = { ...LINUX, platform: 'win32', intelProcessor: true };
const EMULATED: Machine = { ...WINDOWS, intelProcessor: false, processorArch: 'arm64' };
const REMOTE: Machine = { ...WINDOWS, remoteDesktop: true };

const NPU: DeviceFacts['device'] = {
  type: 'NPU',
  executionProvider: 'QNNExecutionProvider',
  virtual: false,
  flavours: ['pilot-u8', 'w8a16'],
};
const failed = (problem: string) => ({ passed: false, seconds: 1, problem });

describe('a device', () => {
  test('against which nothing speaks can be used', () => {
    expect(deviceRefusal({ device: NPU, machine: WINDOWS })).toBeUndefined();
    const selfTest = { passed: true, seconds: 1 };
    const against = { reasons: 0, notes: 'fine' };
    expect(deviceRefusal({ device: NPU, machine: WINDOWS, selfTest, against })).toBeUndefined();
  });

  test.each<[string, Partial<DeviceFacts>, RegExp, RegExp]>([
    ['virtual', { device: { ...NPU, virtual: true } }, /stand-in for a machine that is not here/i, /nothing needs/i],
    ['a simulator', { device: { ...NPU, type: 'CPU', virtual: true } }, /simulator/, /nothing needs/i],
    [
      'driver too old',
      { device: { ...NPU, driver: '30.0.1' }, against: { reasons: 1, notes: 'needs 31' } },
      /driver, 30\.0\.1, is too old or does not fit \(needs 31\)/,
      /newest NPU driver/,
    ],
    ['unknown chip', { against: { reasons: 2, notes: '' } }, /chip is not one that QNN/, /newer version/],
    [
      'unknown chip, by the self-test',
      { selfTest: failed('Unknown SoC model 99') },
      /chip is not one/,
      /newer version/,
    ],
    ['something missing', { against: { reasons: 4, notes: 'rpc' } }, /is missing \(rpc\)/, /driver/],
    ['another objection', { against: { reasons: 2 ** 31, notes: '' } }, /does not take it\./, /driver/],
    ['a fault in use', { fault: 'it gave NaN' }, /failed while it was in use: it gave NaN\./, /self-test/],
    [
      'a failed self-test',
      { selfTest: failed('wrong\nstack') },
      /self-test failed: wrong\.$/,
      /run the self-test again/,
    ],
    [
      'a failed self-test, remotely',
      { selfTest: failed('wrong'), machine: REMOTE },
      /self-test failed/,
      /Remote Desktop/,
    ],
  ])('%s', (_, facts, reason, remedy) => {
    const refusal = deviceRefusal({ device: NPU, machine: WINDOWS, ...facts });
    expect(refusal?.reason).toMatch(reason);
    expect(refusal?.remedy).toMatch(remedy);
  });

  test('that takes no graph of ours says so', () => {
    const device = { ...NPU, flavours: [] };
    expect(deviceRefusal({ device, machine: WINDOWS })?.reason).toMatch(/takes none of the graphs/);
  });

  test('is refused for the driver before the fault that the driver caused', () => {
    const facts = { device: NPU, machine: WINDOWS, fault: 'it hung', against: { reasons: 1, notes: '' } };
    expect(deviceRefusal(facts)?.reason).toMatch(/driver/);
  });
});

describe('a library without a device', () => {
  const OPENVINO = 'OpenVINOExecutionProvider';
  const QNN = 'QNNExecutionProvider';
  test.each<[string, Partial<LibraryFacts>, RegExp, RegExp]>([
    ['OpenVINO on another processor', {}, /processor of this machine is not made by Intel/, /nothing needs/i],
    ['OpenVINO on Intel without a device', { machine: WINDOWS }, /no Intel NPU, or its driver is missing/, /driver/],
    ['QNN without an NPU', { executionProvider: QNN, machine: WINDOWS }, /no Snapdragon NPU/, /driver/],
    ['an unknown one', { executionProvider: 'x' }, /finds no device that it can use\./, /nothing needs/i],
    [
      'the x64 build on ARM64',
      { executionProvider: QNN, machine: EMULATED },
      /x64 build .* ARM64 machine/,
      /ARM64 build/,
    ],
    ['a remote session', { executionProvider: QNN, machine: REMOTE }, /remote session/, /Remote Desktop/],
    [
      'a crash',
      { outcome: 'crashed', detail: 'loading the library: SIGSEGV' },
      /crashed .*SIGSEGV/,
      /npm run providers/,
    ],
    ['a hang', { outcome: 'hung', detail: 'loading the library' }, /did not answer/, /npm run providers/],
    [
      'another architecture, Windows',
      {
        outcome: 'refused',
        detail: 'LoadLibrary failed with error 193 "not a valid Win32 application"',
        machine: WINDOWS,
      },
      /another kind of machine/,
      /win32 x64/,
    ],
    [
      'another word size, Linux',
      { outcome: 'refused', detail: 'x.so: wrong ELF class: ELFCLASS32' },
      /another kind/,
      /linux x64/,
    ],
    [
      'an ARM64 library in the x64 build on ARM64',
      { outcome: 'refused', detail: 'failed with error 193', machine: EMULATED },
      /x64 build/,
      /ARM64 build/,
    ],
    [
      'a missing dependency',
      { outcome: 'refused', detail: 'libtbb.so.12: cannot open shared object file: No such file' },
      /needs is missing: libtbb/,
      /together in one folder/,
    ],
    [
      'a package that Windows guards',
      { outcome: 'refused', detail: 'failed with error 5 "Access is denied."', machine: WINDOWS },
      /does not let/,
      /of your own/,
    ],
    ['a file cut short', { outcome: 'refused', detail: 'x.so: file too short.' }, /cut short/, /npm run providers/],
    [
      'no entry',
      { outcome: 'refused', detail: 'undefined symbol: CreateEpFactories' },
      /does not fit this version/,
      /made for it/,
    ],
    [
      'other words',
      { outcome: 'refused', detail: 'injected' },
      /could not be registered: injected\./,
      /npm run providers/,
    ],
  ])('%s', (_, facts, reason, remedy) => {
    const refusal = libraryRefusal({
      executionProvider: OPENVINO,
      outcome: 'registered',
      detail: '',
      machine: LINUX,
      ...facts,
    });
    expect(refusal.reason).toMatch(reason);
    expect(refusal.remedy).toMatch(remedy);
  });
});

describe('an NPU that no library takes', () => {
  test.each<[string, string | undefined, Machine, boolean, RegExp, RegExp]>([
    ['no library', 'QNNExecutionProvider', WINDOWS, false, /is not installed/, /npm run providers/],
    ['no library of AMD', 'VitisAIExecutionProvider', WINDOWS, false, /is not installed/, /Ryzen AI software/],
    ['library, but no device', 'QNNExecutionProvider', WINDOWS, true, /QNN\w+ does not take it/, /driver/],
    ['the x64 build', 'QNNExecutionProvider', EMULATED, false, /x64 build/, /ARM64 build/],
  ])('%s', (_, executionProvider, machine, registered, reason, remedy) => {
    const refusal = unclaimedNpu({ executionProvider }, machine, registered);
    expect(refusal.reason).toMatch(reason);
    expect(refusal.remedy).toMatch(remedy);
  });
});
