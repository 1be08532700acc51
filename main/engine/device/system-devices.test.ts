import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { linuxNpus, QUALCOMM_ACPI, systemDevices, windowsDevices } from './system-devices.ts';

let root = '';
afterEach(() => rmSync(root, { recursive: true, force: true }));

function file(path: string, text: string): void {
  const full = join(root, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, text);
}

describe('on Linux', () => {
  test('accelerators with their drivers, as the kernel shows them', () => {
    root = mkdtempSync(join(tmpdir(), 'shadownpu-sys-'));
    file('sys/class/accel/accel0/device/vendor', '0x8086\n');
    file('sys/class/accel/accel0/device/device', '0x643e\n');
    file('sys/module/intel_vpu/version', '1.17.0\n');
    file('sys/class/accel/accel1/device/vendor', '0x1022\n');
    file('sys/class/accel/accel1/device/device', '0x1502\n');
    mkdirSync(join(root, 'sys/bus/driver'), { recursive: true });
    symlinkSync(join(root, 'sys/bus/driver'), join(root, 'sys/class/accel/accel0/device/driver'));
    symlinkSync(join(root, 'sys/module/intel_vpu'), join(root, 'sys/bus/driver/module'));
    expect(linuxNpus(root)).toEqual([
      { type: 'NPU', name: 'Intel NPU', vendorId: 0x8086, deviceId: 0x643e, driver: 'intel_vpu 1.17.0' },
      { type: 'NPU', name: 'AMD NPU', vendorId: 0x1022, deviceId: 0x1502 },
    ]);
  });

  test("Qualcomm's by its channel, nothing where nothing is", () => {
    root = mkdtempSync(join(tmpdir(), 'shadownpu-sys-'));
    expect(linuxNpus(root)).toEqual([]);
    file('dev/fastrpc-cdsp', '');
    expect(linuxNpus(root)).toEqual([{ type: 'NPU', name: 'Qualcomm NPU', vendorId: QUALCOMM_ACPI, deviceId: 0 }]);
  });

  test('an unknown system has none', () => expect(systemDevices('aix')).toEqual([]));
});

test('on Windows, from the registry', () => {
  const key = 'HKEY_LOCAL_MACHINE\\SYSTEM\\CurrentControlSet\\Control\\Class\\{F01A9D53-3FF6-48D2-9F97-C8A7004BE10C}';
  const text = [
    '',
    key,
    '    Class    REG_SZ    ComputeAccelerator',
    '',
    `${key}\\0000`,
    '    DriverDesc    REG_SZ    Intel(R) AI Boost',
    '    ProviderName    REG_SZ    Intel Corporation',
    '    DriverVersion    REG_SZ    32.0.100.4023',
    '    MatchingDeviceId    REG_SZ    pci\\ven_8086&dev_643e',
    '',
    `${key}\\0001`,
    '    DriverDesc    REG_SZ    Snapdragon(R) X Elite - Qualcomm(R) Hexagon(TM) NPU',
    '    MatchingDeviceId    REG_SZ    ACPI\\QCOM0D0A',
    '',
    'ERROR: Access is denied.',
  ].join('\r\n');
  expect(windowsDevices(text, 'NPU')).toEqual([
    { type: 'NPU', name: 'Intel(R) AI Boost', vendorId: 0x8086, deviceId: 0x643e, driver: '32.0.100.4023' },
    {
      type: 'NPU',
      name: 'Snapdragon(R) X Elite - Qualcomm(R) Hexagon(TM) NPU',
      vendorId: QUALCOMM_ACPI,
      deviceId: 0,
    },
  ]);
  expect(windowsDevices('ERROR: The system was unable to find the specified registry key.', 'NPU')).toEqual([]);
});
