/** From counters of Windows to readings: GPU and NPU adapters, power, temperature, traffic. */
import type { Accelerator, MachineReadings } from '../../contract/resources.ts';
import { share } from './rates.ts';
import { type CounterValues, instances } from './typeperf.ts';

/** What typeperf is asked for, by the English names. */
export const COUNTERS = [
  '\\GPU Engine(*)\\Utilization Percentage',
  '\\GPU Adapter Memory(*)\\Dedicated Usage',
  '\\GPU Adapter Memory(*)\\Shared Usage',
  '\\Energy Meter(*)\\Power',
  '\\Battery Status(*)\\Discharge Rate',
  '\\Thermal Zone Information(*)\\Temperature',
  '\\PhysicalDisk(_Total)\\Disk Read Bytes/sec',
  '\\PhysicalDisk(_Total)\\Disk Write Bytes/sec',
  '\\Network Interface(*)\\Bytes Received/sec',
  '\\Network Interface(*)\\Bytes Sent/sec',
];

const KELVIN = 273.15;

interface Engine {
  adapter: string;
  pid: number;
  type: string;
  percent: number;
}

/** Adapters: one whose engines compute only is an NPU. Its busy share is that of its busiest kind of engine. */
export function accelerators(values: CounterValues, pids: readonly number[]): Accelerator[] {
  const engines: Engine[] = [];
  for (const [instance, percent] of instances(values, 'GPU Engine', 'Utilization Percentage')) {
    const [, pid, adapter, type] = /^pid_(\d+)_(luid_\w+?_phys_\d+)_eng_\d+_engtype_(.*)$/.exec(instance) ?? [];
    if (adapter !== undefined && type !== undefined) engines.push({ adapter, pid: Number(pid), type, percent });
  }
  const counts = { gpu: 0, npu: 0 };
  return [...new Set(engines.map(({ adapter }) => adapter))].sort().map((adapter) => {
    const own = engines.filter((engine) => engine.adapter === adapter);
    const kind = own.every(({ type }) => /^(compute|neural)/i.test(type)) ? 'npu' : 'gpu';
    counts[kind] += 1;
    return {
      id: adapter,
      kind,
      name: `${kind.toUpperCase()} ${counts[kind]}`,
      busy: busiest(own),
      appBusy: busiest(own.filter(({ pid }) => pids.includes(pid))) ?? 0,
      memoryBytes: adapterMemory(values, adapter),
    };
  });
}

function busiest(engines: readonly Engine[]): number | null {
  const byType = new Map<string, number>();
  for (const { type, percent } of engines) byType.set(type, (byType.get(type) ?? 0) + percent);
  return byType.size === 0 ? null : share(Math.max(...byType.values()), 100);
}

function adapterMemory(values: CounterValues, adapter: string): number | null {
  const found = ['Dedicated Usage', 'Shared Usage'].flatMap((counter) => {
    const bytes = instances(values, 'GPU Adapter Memory', counter).get(adapter);
    return bytes === undefined ? [] : [bytes];
  });
  return found.length === 0 ? null : found.reduce((sum, bytes) => sum + bytes, 0);
}

/** Watts of the processor's packages by the energy meter (milliwatts), else what batteries give. */
export function watts(values: CounterValues): Pick<MachineReadings['power'], 'watts' | 'sensor'> {
  const meters = [...instances(values, 'Energy Meter', 'Power')].filter(([name]) => /_PKG$/i.test(name));
  if (meters.length > 0) return { watts: sumOf(meters.map(([, mW]) => mW)) / 1000, sensor: 'counter' };
  const batteries = [...instances(values, 'Battery Status', 'Discharge Rate').values()].filter((rate) => rate > 0);
  if (batteries.length > 0) return { watts: sumOf(batteries) / 1000, sensor: 'battery' };
  return { watts: null, sensor: null };
}

/** The warmest thermal zone; zones that are not wired up read 0 K or room temperature for ever. */
export function temperature(values: CounterValues): number | null {
  const zones = [...instances(values, 'Thermal Zone Information', 'Temperature').values()].filter(
    (kelvin) => kelvin > KELVIN,
  );
  return zones.length === 0 ? null : Math.max(...zones) - KELVIN;
}

export function traffic(values: CounterValues): Pick<MachineReadings, 'disk' | 'network'> {
  const total = (set: string, counter: string) => {
    const found = instances(values, set, counter);
    return found.size === 0 ? null : sumOf([...found.values()]);
  };
  return {
    disk: {
      read: total('PhysicalDisk', 'Disk Read Bytes/sec'),
      written: total('PhysicalDisk', 'Disk Write Bytes/sec'),
    },
    network: {
      received: total('Network Interface', 'Bytes Received/sec'),
      sent: total('Network Interface', 'Bytes Sent/sec'),
    },
  };
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
