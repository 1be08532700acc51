/**
 * Windows' counters as they were recorded. The frame is that of typeperf's output as a GitHub runner with Windows gave it:
 * an empty line, quoted fields with six decimals, and closing words. Instances and values come from what others have
 * published of their machines: a Core Ultra 9 288V (adapters, NPU driver 32.0.100.5540, the engine without a type), RAPL
 * meters of an Intel desktop, the meters of a Yoga Slim 7 with a Snapdragon X while it charged.
 */
import { describe, expect, test } from 'vitest';
import { type CounterValues, TypeperfLines } from './typeperf.ts';
import { accelerators, meteredJoules, temperature, traffic, watts } from './windows-readings.ts';

const GPU = 'luid_0x00000000_0x000124A5_phys_0';
const NPU = 'luid_0x00000000_0x000128A6_phys_0';
const APP = 12332;

const LUNAR_LAKE: Readonly<Record<string, string>> = {
  [String.raw`GPU Engine(pid_${APP}_${NPU}_eng_0_engtype_Neural)\Utilization Percentage`]: '62.500000',
  [String.raw`GPU Engine(pid_4_${NPU}_eng_0_engtype_Neural)\Utilization Percentage`]: '2.500000',
  [String.raw`GPU Engine(pid_${APP}_${GPU}_eng_0_engtype_3D)\Utilization Percentage`]: '12.500000',
  [String.raw`GPU Engine(pid_88_${GPU}_eng_0_engtype_3D)\Utilization Percentage`]: '30.000000',
  [String.raw`GPU Engine(pid_88_${GPU}_eng_1_engtype_Compute)\Utilization Percentage`]: '40.000000',
  [String.raw`GPU Engine(pid_88_${GPU}_eng_2_engtype_Copy)\Utilization Percentage`]: '0.000000',
  [String.raw`GPU Engine(pid_88_${GPU}_eng_3_engtype_VideoDecode)\Utilization Percentage`]: '5.000000',
  [String.raw`GPU Engine(pid_88_${GPU}_eng_5_engtype_GSC)\Utilization Percentage`]: '0.000000',
  [String.raw`GPU Engine(pid_4_${GPU}_eng_11_engtype_)\Utilization Percentage`]: '0.000000',
  // The counter's known fault: a nonsense share for one sample.
  [String.raw`GPU Engine(pid_99_${GPU}_eng_0_engtype_3D)\Utilization Percentage`]: '13000000000000.000000',
  [String.raw`GPU Adapter Memory(${NPU})\Dedicated Usage`]: '0.000000',
  [String.raw`GPU Adapter Memory(${NPU})\Shared Usage`]: '3000000.000000',
  [String.raw`GPU Process Memory(pid_${APP}_${NPU})\Dedicated Usage`]: '0.000000',
  [String.raw`GPU Process Memory(pid_${APP}_${NPU})\Shared Usage`]: '2000000.000000',
  [String.raw`GPU Process Memory(pid_1233_${NPU})\Shared Usage`]: '7.000000',
  [String.raw`Energy Meter(RAPL_Package0_PKG)\Power`]: '19835.800000',
  [String.raw`Energy Meter(RAPL_Package0_PP0)\Power`]: '18293.200000',
  [String.raw`Energy Meter(RAPL_Package0_PP1)\Power`]: '0.000000',
  [String.raw`Energy Meter(RAPL_Package0_DRAM)\Power`]: '0.000000',
  [String.raw`Energy Meter(_Total)\Power`]: '0.000000',
  [String.raw`Energy Meter(RAPL_Package0_PKG)\Energy`]: '2200000000000000.000000',
  [String.raw`Thermal Zone Information(\_TZ.TZ00)\Temperature`]: '301.000000',
  [String.raw`Thermal Zone Information(\_TZ.CPUZ)\Temperature`]: '333.000000',
  [String.raw`Thermal Zone Information(\_TZ.TZ99)\Temperature`]: '0.000000',
  [String.raw`PhysicalDisk(_Total)\Disk Read Bytes/sec`]: '4096.000000',
  [String.raw`Network Interface(Intel[R] Wi-Fi 7 "BE201")\Bytes Received/sec`]: '1500.000000',
};

/** What typeperf writes for counters. */
function recording(counters: Readonly<Record<string, string>>): string {
  const paths = Object.keys(counters).map((path) => `"\\\\runnervmvmocb\\${path.replaceAll('"', '""')}"`);
  const values = Object.values(counters).map((value) => `"${value}"`);
  return [
    '',
    ['"(PDH-CSV 4.0)"', ...paths].join(','),
    ['"09/22/2026 21:42:32.824"', ...values].join(','),
    'Exiting, please wait...                         ',
    'The command completed successfully.',
    '',
    '\r',
  ].join('\r\n');
}

/** Its values, read in pieces, as a pipe gives them. */
function valuesOf(counters: Readonly<Record<string, string>>): CounterValues {
  const lines = new TypeperfLines();
  const pieces = recording(counters).match(/[\s\S]{1,400}/g) ?? [];
  const [values, ...more] = pieces.flatMap((piece) => lines.push(piece));
  expect(more).toEqual([]);
  return values ?? new Map();
}

describe('a laptop with GPU, NPU and energy meter', () => {
  const values = valuesOf(LUNAR_LAKE);

  test('an adapter that only computes is the NPU; its busiest kind of engine counts; this app has its part of it', () => {
    expect(accelerators(values, [APP])).toEqual([
      { id: GPU, kind: 'gpu', name: 'GPU 1', busy: 0.425, appBusy: 0.125, memoryBytes: null, appMemoryBytes: null },
      { id: NPU, kind: 'npu', name: 'NPU 1', busy: 0.65, appBusy: 0.625, memoryBytes: 3e6, appMemoryBytes: 2e6 },
    ]);
  });

  test('the package has the power and the energy, the warmest zone that is wired up the temperature', () => {
    expect(watts(values)).toEqual({ watts: 19.8358, sensor: 'counter' });
    // 2.2e15 picowatt hours are 2200 watt hours.
    expect(meteredJoules(values)).toBeCloseTo(2200 * 3600, 3);
    expect(temperature(values)).toBeCloseTo(59.85, 5);
    expect(traffic(values)).toEqual({ disk: { read: 4096, written: null }, network: { received: 1500, sent: null } });
  });

  test('values that could not be read are not there: no reading, never 0', () => {
    for (const blank of ['-1', ' ', '']) {
      const missing = valuesOf(Object.fromEntries(Object.keys(LUNAR_LAKE).map((path) => [path, blank])));
      expect(watts(missing)).toEqual({ watts: null, sensor: null });
      expect(meteredJoules(missing)).toBeNull();
      expect(temperature(missing)).toBeNull();
      expect(accelerators(missing, [APP])).toEqual([]);
      expect(traffic(missing)).toEqual({
        disk: { read: null, written: null },
        network: { received: null, sent: null },
      });
    }
  });

  test('counters that do not exist are an error message of the program, and no reading', () => {
    expect(new TypeperfLines().push('\r\nError: No valid counters.\r\n\r\n')).toEqual([]);
  });
});

test('a Snapdragon: the clusters are the processor; what comes in from the charger is not used', () => {
  const meters = {
    PSU_USB: '59400',
    SYS: '16600',
    USBC_TOTAL: '9300',
    CPU_CLUSTER_0: '1350',
    CPU_CLUSTER_1: '940',
    CPU_CLUSTER_2: '590',
    GPU: '70',
    _Total: '0',
  };
  const values = valuesOf(
    Object.fromEntries(Object.entries(meters).map(([name, mW]) => [`Energy Meter(${name})\\Power`, mW])),
  );
  expect(watts(values).watts).toBeCloseTo(2.88, 6);
});

test('names in small letters, as some tools write them, and two packages', () => {
  const values = valuesOf({
    'energy meter(rapl_package0_pkg)\\power': '50000.000000',
    'energy meter(rapl_package1_pkg)\\power': '45000.000000',
    'gpu engine(pid_8684_luid_0x00000000_0x0000bb15_phys_0_eng_13_engtype_neural)\\utilization percentage': '30.000000',
  });
  expect(watts(values)).toEqual({ watts: 95, sensor: 'counter' });
  expect(accelerators(values, [])).toMatchObject([{ kind: 'npu', busy: 0.3, appBusy: 0 }]);
});

test('without a meter a battery that gives power is an estimate', () => {
  const battery = { 'Battery Status(ACPI\\PNP0C0A\\1_0)\\Discharge Rate': '18500.000000' };
  expect(watts(valuesOf(battery))).toEqual({ watts: 18.5, sensor: 'battery' });
  expect(meteredJoules(valuesOf(battery))).toBeNull();
});

test('an NPU whose engines are called Compute beside two GPUs that compute as well', () => {
  const second = 'luid_0x00000000_0x00013000_phys_0';
  const values = valuesOf({
    [`GPU Engine(pid_${APP}_${NPU}_eng_0_engtype_Compute)\\Utilization Percentage`]: '40.000000',
    [`GPU Engine(pid_${APP}_${NPU}_eng_1_engtype_Compute)\\Utilization Percentage`]: '10.000000',
    [`GPU Engine(pid_88_${GPU}_eng_0_engtype_3D)\\Utilization Percentage`]: '7.000000',
    [`GPU Engine(pid_${APP}_${GPU}_eng_1_engtype_Compute)\\Utilization Percentage`]: '3.000000',
    [`GPU Engine(pid_88_${second}_eng_0_engtype_3D)\\Utilization Percentage`]: '90.000000',
    [`GPU Engine(pid_88_${second}_eng_3_engtype_Copy)\\Utilization Percentage`]: '0.000000',
    [`GPU Adapter Memory(${second})\\Dedicated Usage`]: '2000000000.000000',
  });
  expect(accelerators(values, [APP])).toMatchObject([
    { id: GPU, kind: 'gpu', name: 'GPU 1', busy: 0.07, appBusy: 0.03, memoryBytes: null },
    { id: NPU, kind: 'npu', name: 'NPU 1', busy: 0.5, appBusy: 0.5 },
    { id: second, kind: 'gpu', name: 'GPU 2', busy: 0.9, appBusy: 0, memoryBytes: 2e9 },
  ]);
  // No energy meter, and no battery that gives power.
  expect(watts(values)).toEqual({ watts: null, sensor: null });
  expect(meteredJoules(values)).toBeNull();
});

test('a comma before the decimals, as in German', () => {
  const [values] = new TypeperfLines().push(
    [
      String.raw`"(PDH-CSV 4.0)","\\PC\PhysicalDisk(_Total)\Disk Read Bytes/sec","\\PC\Energy Meter(RAPL_Package0_PKG)\Power"`,
      '"30.11.2026 21:42:32.824","4096,500000","19835,800000"',
      '',
    ].join('\r\n'),
  );
  expect(traffic(values ?? new Map()).disk.read).toBe(4096.5);
  expect(watts(values ?? new Map()).watts).toBe(19.8358);
});
