/** A device of ONNX Runtime's list in the words of the Devices list. */
import { cpus } from 'node:os';
import type { DeviceInfo } from '../../../contract/engine.ts';
import type { EpDevice, NativeAddon } from '../../../native/js/index.ts';
import { flavoursOf } from './flavours.ts';
import { NPU_TARGETS } from './npu-targets.ts';
import type { SystemDevice } from './system-devices.ts';

/** ONNX Runtime's own processor device, which is always there. */
export function processor(native: NativeAddon): { id: string; index: number } {
  const { ep, type, index } = native.devices().find((device) => device.ep === 'CPUExecutionProvider') ?? NO_PROCESSOR;
  return { id: `${ep}:${type}:0`, index };
}

const NO_PROCESSOR = { ep: 'CPUExecutionProvider', type: 'CPU', index: 0 };

/** A device without what only the registry knows: whether it can be used, and how its self-test went. */
export type Found = Omit<DeviceInfo, 'usable' | 'reason' | 'remedy' | 'selfTest'>;

/**
 * @param known.place how many devices of this provider and type come before it
 * @param known.ort version of ONNX Runtime, which providers within its library share
 * @param known.system devices as the operating system lists them, with their drivers
 */
export function describeDevice(
  device: EpDevice,
  known: { place: number; ort: string; system: readonly SystemDevice[] },
): Found {
  const { ep, type, vendorId, deviceId } = device;
  const same = known.system.find((other) => other.type === type && other.vendorId === vendorId);
  const exact = known.system.find((other) => other.vendorId === vendorId && other.deviceId === deviceId) ?? same;
  const memory = memoryOf(device);
  const driver = device.deviceMetadata.DriverVersion ?? exact?.driver;
  return {
    id: `${ep}:${type}:${known.place}`,
    name: nameOf(device, exact),
    type,
    executionProvider: ep,
    epVersion: device.epMetadata.version ?? known.ort,
    vendor: device.vendor || device.epVendor,
    ...(driver === undefined || type === 'CPU' ? {} : { driver }),
    ...(memory === undefined ? {} : { memory }),
    flavours: flavoursOf(ep, type),
    virtual: isStandIn(device),
  };
}

/** What the provider (OpenVINO, in bytes) or Windows (dedicated memory, "8057 MB") tells of a device's memory. */
function memoryOf({ type, epMetadata, deviceMetadata }: EpDevice): Found['memory'] {
  if (type === 'CPU') return undefined;
  const own = deviceMetadata.Discrete === '1';
  const told = Number(epMetadata[`${type}_DEVICE_TOTAL_MEM_SIZE`]);
  if (told > 0 && Number.isSafeInteger(told)) return { bytes: told, own };
  // What is set aside for graphics in the machine's memory is no limit: it takes more as it needs.
  const [, megabytes = '0'] = /^(\d+) MB$/.exec(deviceMetadata.DxgiVideoMemory ?? '') ?? [];
  return own && Number(megabytes) > 0 ? { bytes: Number(megabytes) * 2 ** 20, own } : undefined;
}

/** Options of sessions on the device, beside what the provider itself gives. */
export function epOptionsOf({ ep, type }: EpDevice): Record<string, string> {
  if (ep !== 'QNNExecutionProvider' || type === 'GPU') return {};
  // Quantising at the edges of a graph stays on the NPU: graphs then run without any help of the processor.
  const edges = { offload_graph_io_quantization: '0' };
  return type === 'NPU'
    ? { ...edges, htp_performance_mode: 'burst' }
    : { ...edges, ...NPU_TARGETS.sc8380xp?.epOptions };
}

/** What an execution provider offers for compiling only, or as a simulator of a chip on the processor. */
function isStandIn({ ep, type, deviceMetadata }: EpDevice): boolean {
  return deviceMetadata.is_virtual === '1' || (ep === 'QNNExecutionProvider' && type === 'CPU');
}

function nameOf({ ep, type, vendor, epVendor, epMetadata, deviceMetadata }: EpDevice, system?: SystemDevice): string {
  if (type === 'CPU') return ep === 'QNNExecutionProvider' ? 'Snapdragon NPU (simulator)' : processorName();
  const name = deviceMetadata.Description ?? system?.name ?? `${vendor || epVendor} ${type}`;
  return deviceMetadata.is_virtual === '1' ? `${name} ${epMetadata.npu_platform ?? ''} (virtual)` : name;
}

function processorName(): string {
  return cpus()[0]?.model.trim() ?? 'CPU';
}
