/**
 * NPUs and drivers as the operating system knows them, beside what ONNX Runtime tells: an NPU for which no execution provider
 * is installed, and the version of a driver.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, join } from 'node:path';

export interface SystemDevice {
  type: 'NPU' | 'GPU';
  name: string;
  /** PCI vendor; 0 where the device is not on that bus. */
  vendorId: number;
  deviceId: number;
  driver?: string;
}

/** PCI ids of those who make NPUs for laptops. */
export const VENDOR_IDS = { amd: 0x1022, qualcomm: 0x17cb, intel: 0x8086 } as const;
/** Qualcomm's signs itself with the letters QCOM in ONNX Runtime's list, having no PCI id. */
export const QUALCOMM_ACPI = 0x4d4f4351;

/** The device setup classes "Neural processors / compute accelerators" and "Display adapters" of Windows. */
const WINDOWS_CLASSES = {
  NPU: 'HKLM\\SYSTEM\\CurrentControlSet\\Control\\Class\\{F01A9D53-3FF6-48D2-9F97-C8A7004BE10C}',
  GPU: 'HKLM\\SYSTEM\\CurrentControlSet\\Control\\Class\\{4D36E968-E325-11CE-BFC1-08002BE10318}',
} as const;
const REGISTRY_MS = 5000;

/** Takes some milliseconds; on Windows some tens. Empty where nothing is found or may be read. */
export function systemDevices(platform: string = process.platform): SystemDevice[] {
  if (platform === 'linux') return linuxNpus('/');
  if (platform !== 'win32') return [];
  return (['NPU', 'GPU'] as const).flatMap((type) => {
    const query = spawnSync('reg', ['query', WINDOWS_CLASSES[type], '/s'], {
      encoding: 'utf8',
      timeout: REGISTRY_MS,
      windowsHide: true,
    });
    return query.status === 0 ? windowsDevices(query.stdout, type) : [];
  });
}

/** Intel's and AMD's NPUs are compute accelerators; Qualcomm's is reached through its remote procedure calls. */
export function linuxNpus(root: string): SystemDevice[] {
  const accelerators = join(root, 'sys', 'class', 'accel');
  const found = entries(accelerators).map((entry): SystemDevice => {
    const device = join(accelerators, entry, 'device');
    const vendorId = hexadecimal(join(device, 'vendor'));
    const driver = driverOf(device);
    return {
      type: 'NPU',
      name: `${vendorName(vendorId)}NPU`,
      vendorId,
      deviceId: hexadecimal(join(device, 'device')),
      ...(driver === undefined ? {} : { driver }),
    };
  });
  if (entries(join(root, 'dev')).some((name) => name.startsWith('fastrpc-cdsp'))) {
    found.push({ type: 'NPU', name: 'Qualcomm NPU', vendorId: QUALCOMM_ACPI, deviceId: 0 });
  }
  return found;
}

/** @param text what `reg query CLASS /s` prints: a line with the key, then its values as "name type value" */
export function windowsDevices(text: string, type: SystemDevice['type']): SystemDevice[] {
  const keys = text.split(/^HKEY.*$/m);
  return keys.flatMap((values) => {
    const textOf = (name: string) => new RegExp(`^\\s+${name}\\s+REG_SZ\\s+(.*?)\\s*$`, 'm').exec(values)?.[1];
    const name = textOf('DriverDesc');
    if (name === undefined) return [];
    const driver = textOf('DriverVersion');
    const id = textOf('MatchingDeviceId') ?? '';
    const pci = (part: string) => Number.parseInt(new RegExp(`${part}_([0-9a-f]{4})`, 'i').exec(id)?.[1] ?? '0', 16);
    const vendorId = /qcom/i.test(id) ? QUALCOMM_ACPI : pci('ven');
    return [{ type, name, vendorId, deviceId: pci('dev'), ...(driver === undefined ? {} : { driver }) }];
  });
}

function vendorName(vendorId: number): string {
  const name = { [VENDOR_IDS.amd]: 'AMD ', [VENDOR_IDS.qualcomm]: 'Qualcomm ', [VENDOR_IDS.intel]: 'Intel ' }[vendorId];
  return name ?? '';
}

function driverOf(device: string): string | undefined {
  try {
    const module = realpathSync(join(device, 'driver', 'module'));
    const name = basename(module);
    try {
      return `${name} ${readFileSync(join(module, 'version'), 'utf8').trim()}`;
    } catch {
      return name; // part of the kernel
    }
  } catch {
    return undefined;
  }
}

function entries(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

function hexadecimal(file: string): number {
  try {
    return Number.parseInt(readFileSync(file, 'utf8'), 16) || 0;
  } catch {
    return 0;
  }
}
