/** Which devices ONNX Runtime sees, in the words of the Devices list. */
import { cpus } from 'node:os';
import type { DeviceInfo } from '../../../contract/engine.ts';
import type { EpDevice, NativeAddon } from '../../../native/js/index.ts';

export function listDevices(native: NativeAddon): DeviceInfo[] {
  return native.devices().map(deviceInfo);
}

function deviceInfo(device: EpDevice): DeviceInfo {
  const usable = device.type === 'CPU';
  return {
    id: `${device.ep}:${device.type}:${device.index}`,
    name:
      device.type === 'CPU' ? (cpus()[0]?.model.trim() ?? 'CPU') : `${device.vendor || device.epVendor} ${device.type}`,
    type: device.type,
    executionProvider: device.ep,
    vendor: device.vendor || device.epVendor,
    usable,
    ...(usable ? {} : { reason: 'Found, but this version runs everything on the CPU.' }),
  };
}
