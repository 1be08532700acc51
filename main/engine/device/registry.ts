/**
 * The devices that ONNX Runtime can compute on, and which of them can be used. One per process: execution provider
 * libraries belong to the process.
 */
import type { DeviceInfo } from '../../../contract/engine.ts';
import { AppError } from '../../../contract/errors.ts';
import type { NativeAddon } from '../../../native/js/index.ts';
import { nativeVersions } from '../../../native/js/load.ts';
import { describeDevice } from './device-info.ts';

export interface RegistryOptions {
  /** Folders with execution provider libraries. */
  libraryFolders: readonly string[];
  /** Where self-tests, tried libraries and faults are kept; absent: only as long as the process lives. */
  selfTestsDir?: string;
}

/** What `openSession` needs to run a graph on a device. */
export interface OpenDevice {
  index: number;
  epOptions: Record<string, string>;
}

export class DeviceRegistry {
  private readonly native: NativeAddon;
  private readonly faults = new Map<string, string>();

  constructor(native: NativeAddon, _options: RegistryOptions) {
    this.native = native;
  }

  /** Every device, the unusable ones with a reason. */
  list(): DeviceInfo[] {
    return this.found().map(({ info }) => info);
  }

  /** How to open a graph on a device. Throws AppError 'bad-input' for an unknown id, 'device-unusable' with the reason. */
  open(id: string): OpenDevice {
    const device = this.found().find(({ info }) => info.id === id);
    if (device === undefined) {
      throw new AppError('bad-input', `There is no device "${id}" on this machine.`, {
        action: `Choose one of: ${this.list()
          .map((known) => known.id)
          .join(', ')}.`,
      });
    }
    const { info, index } = device;
    if (!info.usable) {
      throw new AppError('device-unusable', `${info.name} cannot be used: ${info.reason ?? ''}`, {
        ...(info.remedy === undefined ? {} : { action: info.remedy }),
      });
    }
    return { index, epOptions: {} };
  }

  /** Takes a device out of use until its driver or execution provider changes. */
  markFaulty(id: string, reason: string): void {
    this.faults.set(id, reason);
  }

  private found(): { info: DeviceInfo; index: number }[] {
    const { ort } = nativeVersions();
    const counts = new Map<string, number>();
    return this.native.devices().map((device) => {
      const kind = `${device.ep}:${device.type}`;
      const place = counts.get(kind) ?? 0;
      counts.set(kind, place + 1);
      const info = describeDevice(device, place, ort);
      const reason = this.faults.get(info.id);
      return {
        info: { ...info, usable: reason === undefined, ...(reason === undefined ? {} : { reason }) },
        index: device.index,
      };
    });
  }
}
