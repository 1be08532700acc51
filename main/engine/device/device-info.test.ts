import { expect, test } from 'vitest';
import type { EpDevice } from '../../../native/js/index.ts';
import { describeDevice, epOptionsOf } from './device-info.ts';

const INTEL = 0x8086;
const device = (more: Partial<EpDevice>): EpDevice => ({
  index: 3,
  ep: 'OpenVINOExecutionProvider',
  epVendor: 'Intel',
  type: 'NPU',
  vendor: 'Intel',
  vendorId: INTEL,
  deviceId: 0x643e,
  epMetadata: {},
  epOptions: {},
  deviceMetadata: {},
  ...more,
});
const SYSTEM = [
  { type: 'GPU', name: 'Intel(R) Arc(TM)', vendorId: INTEL, deviceId: 0x64a0, driver: '32.0.101.1' },
  { type: 'NPU', name: 'Intel(R) AI Boost', vendorId: INTEL, deviceId: 0x643e, driver: '32.0.100.4023' },
] as const;
const told = (given: EpDevice, place = 0) => describeDevice(given, { place, ort: '1.30.0', system: SYSTEM });

test('name and driver come from the system where ONNX Runtime does not tell', () => {
  expect(told(device({ epMetadata: { version: '1.8.1' } }), 1)).toEqual({
    id: 'OpenVINOExecutionProvider:NPU:1',
    name: 'Intel(R) AI Boost',
    type: 'NPU',
    executionProvider: 'OpenVINOExecutionProvider',
    epVersion: '1.8.1',
    vendor: 'Intel',
    driver: '32.0.100.4023',
    flavours: expect.arrayContaining(['pilot-u8', 'w8a8-rows']),
    virtual: false,
  });
  const metadata = { Description: 'Intel(R) Graphics', DriverVersion: '1.2' };
  const gpu = device({ ep: 'DmlExecutionProvider', type: 'GPU', deviceId: 0x64a0, deviceMetadata: metadata });
  expect(told(gpu)).toMatchObject({ name: 'Intel(R) Graphics', driver: '1.2', epVersion: '1.30.0' });
  // Another device of the same maker and type, if the very one is not known.
  expect(told(device({ deviceId: 1 })).driver).toBe('32.0.100.4023');
  expect(told(device({ vendorId: 1, vendor: '', epVendor: 'X' }))).toMatchObject({ name: 'X NPU', vendor: 'X' });
});

test('memory is what the provider tells, or the own one of a graphics card', () => {
  const npu = device({ epMetadata: { NPU_DEVICE_TOTAL_MEM_SIZE: '17179869184' } });
  expect(told(npu).memory).toEqual({ bytes: 16 * 2 ** 30, own: false });
  const card = (metadata: Record<string, string>) =>
    told(device({ ep: 'DmlExecutionProvider', type: 'GPU', deviceMetadata: metadata })).memory;
  expect(card({ Discrete: '1', DxgiVideoMemory: '8057 MB' })).toEqual({ bytes: 8057 * 2 ** 20, own: true });
  expect(card({ Discrete: '0', DxgiVideoMemory: '128 MB' })).toBeUndefined();
  expect(card({ Discrete: '1', DxgiVideoMemory: 'much' })).toBeUndefined();
  expect(card({ Discrete: '1' })).toBeUndefined();
  expect(told(device({ epMetadata: { NPU_DEVICE_TOTAL_MEM_SIZE: 'not a number' } })).memory).toBeUndefined();
});

test('stand-ins are named as such', () => {
  const virtual = device({ deviceId: 1, vendorId: 1, epMetadata: { npu_platform: '4000' } });
  virtual.deviceMetadata = { is_virtual: '1' };
  expect(told(virtual)).toMatchObject({ name: 'Intel NPU 4000 (virtual)', virtual: true });
  const simulator = device({ ep: 'QNNExecutionProvider', type: 'CPU' });
  expect(told(simulator)).toMatchObject({ name: 'Snapdragon NPU (simulator)', virtual: true });
  expect(told(simulator).driver).toBeUndefined();
});

test('an unknown provider is offered the pilot, which all compilers take, and one of ours nothing for what it is not', () => {
  expect(told(device({ ep: 'OtherExecutionProvider' })).flavours).toContain('pilot-u8');
  expect(told(device({ ep: 'WebGpuExecutionProvider', type: 'CPU' })).flavours).toEqual([]);
});

test("Qualcomm's sessions leave nothing to the processor, and only the NPU's", () => {
  const options = (ep: string, type: EpDevice['type']) => epOptionsOf(device({ ep, type }));
  expect(options('QNNExecutionProvider', 'NPU')).toMatchObject({ offload_graph_io_quantization: '0' });
  expect(options('QNNExecutionProvider', 'CPU')).toMatchObject({ offload_graph_io_quantization: '0', htp_arch: '73' });
  expect(options('QNNExecutionProvider', 'GPU')).toEqual({});
  expect(options('OpenVINOExecutionProvider', 'NPU')).toEqual({});
});
