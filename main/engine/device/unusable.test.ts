import { expect, test } from 'vitest';
import type { DeviceInfo } from '../../../contract/engine.ts';
import { machineOf } from './machine.ts';
import { QUALCOMM_ACPI } from './system-devices.ts';
import { unclaimedNpus, unfruitfulLibraries } from './unusable.ts';

const machine = machineOf('win32', 'arm64', {}, 'Snapdragon');
const QNN = { name: 'QNNExecutionProvider', path: 'x.dll', outcome: 'registered', detail: '' } as const;
const nothing = { devices: [], libraries: [], fruitful: [], machine };
const npu = (vendorId: number, more: object = {}) => ({ type: 'NPU' as const, vendorId, deviceId: 7, ...more });
const listed = (executionProvider: string, virtual = false): DeviceInfo => ({
  id: 'x',
  name: 'x',
  type: 'NPU',
  executionProvider,
  vendor: '',
  flavours: [],
  virtual,
  usable: true,
});

test('an NPU that no library takes is listed with what it needs', () => {
  const found = unclaimedNpus(nothing, [npu(0x8086, { name: 'Intel(R) AI Boost', driver: '32.0' })]);
  expect(found).toEqual([
    expect.objectContaining({
      name: 'Intel(R) AI Boost',
      type: 'NPU',
      vendor: 'Intel',
      driver: '32.0',
      executionProvider: 'OpenVINOExecutionProvider',
      usable: false,
      reason: expect.stringContaining('not installed'),
    }),
  ]);
  expect(unclaimedNpus(nothing, [npu(0x1022)])[0]).toMatchObject({ name: 'AMD NPU', vendor: 'AMD' });
  expect(unclaimedNpus(nothing, [npu(0x1234)])[0]).toMatchObject({ name: 'Unknown NPU', executionProvider: 'none' });
});

test('one that ONNX Runtime and the system both tell of is listed once, other hardware not at all', () => {
  const hardware = [
    npu(0x17cb),
    npu(QUALCOMM_ACPI, { name: 'Hexagon' }),
    { type: 'GPU' as const, vendorId: 1, deviceId: 1 },
  ];
  expect(unclaimedNpus(nothing, hardware)).toHaveLength(1);
  // Its library is there and does not take it.
  const { reason } = unclaimedNpus({ ...nothing, libraries: [QNN] }, hardware)[0] ?? {};
  expect(reason).toContain('does not take it');
});

test('one that a device stands for is not listed again; a virtual device stands for nothing', () => {
  const intel = [npu(0x8086)];
  const facts = (virtual: boolean) => ({ ...nothing, devices: [listed('OpenVINOExecutionProvider', virtual)] });
  expect(unclaimedNpus(facts(false), intel)).toEqual([]);
  expect(unclaimedNpus(facts(true), intel)).toHaveLength(1);
  expect(unclaimedNpus({ ...nothing, devices: [listed('QNNExecutionProvider')] }, intel)).toHaveLength(1);
});

test('libraries without a device of their own are listed', () => {
  const other = { name: 'xExecutionProvider', path: 'x.so', outcome: 'crashed', detail: 'SIGSEGV' } as const;
  const facts = { ...nothing, libraries: [QNN, other] };
  expect(unfruitfulLibraries(facts).map(({ id, name, usable }) => [id, name, usable])).toEqual([
    ['QNNExecutionProvider:library', 'Qualcomm NPU support', false],
    ['xExecutionProvider:library', 'Support for devices of xExecutionProvider', false],
  ]);
  expect(unfruitfulLibraries({ ...facts, fruitful: ['QNNExecutionProvider'] })).toHaveLength(1);
});
