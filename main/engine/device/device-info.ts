/** A device of ONNX Runtime's list in the words of the Devices list. */
import { cpus } from 'node:os';
import type { DeviceInfo } from '../../../contract/engine.ts';
import type { EpDevice, NativeAddon } from '../../../native/js/index.ts';
import { flavoursOf } from './flavours.ts';

/** ONNX Runtime's own processor device, which is always there. */
export function processor(native: NativeAddon): { id: string; index: number } {
  const { ep, type, index } = native.devices().find((device) => device.ep === 'CPUExecutionProvider') ?? NO_PROCESSOR;
  return { id: `${ep}:${type}:0`, index };
}

const NO_PROCESSOR = { ep: 'CPUExecutionProvider', type: 'CPU', index: 0 };

/** A device without what only the registry knows: whether it can be used, and how its self-test went. */
export type Found = Omit<DeviceInfo, 'usable' | 'reason' | 'remedy' | 'selfTest'>;

/** @param place how many devices of this provider and type come before it @param ort version of ONNX Runtime */
export function describeDevice(device: EpDevice, place: number, ort: string): Found {
  const { ep, type } = device;
  const vendor = device.vendor || device.epVendor;
  const driver = driverOf(device);
  return {
    id: `${ep}:${type}:${place}`,
    name: nameOf(device, vendor),
    type,
    executionProvider: ep,
    epVersion: device.epMetadata.version ?? ort,
    vendor,
    ...(driver === undefined ? {} : { driver }),
    flavours: flavoursOf(ep, type),
    virtual: isVirtual(device),
  };
}

/** What ORT calls the devices that an execution provider offers for compiling only. */
function isVirtual({ epMetadata, deviceMetadata }: EpDevice): boolean {
  return [epMetadata, deviceMetadata].some((metadata) => metadata.is_virtual === '1');
}

function nameOf(device: EpDevice, vendor: string): string {
  if (device.type === 'CPU') return cpus()[0]?.model.trim() ?? 'CPU';
  const { Description, description } = device.deviceMetadata;
  return Description ?? description ?? `${vendor} ${device.type}`;
}

function driverOf({ epMetadata, deviceMetadata }: EpDevice): string | undefined {
  return deviceMetadata.DriverVersion ?? deviceMetadata.driver_version ?? epMetadata.driver_version;
}
