/** From counters of Windows to readings: GPU and NPU adapters, power, temperature, traffic. */
import type { Accelerator, MachineReadings } from '../../contract/resources.ts';
import { share } from './rates.ts';
import { type CounterValues, instances } from './typeperf.ts';

/** What typeperf is asked for, by the English names. */
export const COUNTERS = [
  '\\GPU Engine(*)\\Utilization Percentage',
  '\\GPU Adapter Memory(*)\\Dedicated Usage',
  '\\GPU Adapter Memory(*)\\Shared Usage',
  '\\GPU Process Memory(*)\\Dedicated Usage',
  '\\GPU Process Memory(*)\\Shared Usage',
  '\\Energy Meter(*)\\Power',
  '\\Energy Meter(*)\\Energy',
  '\\Battery Status(*)\\Discharge Rate',
  '\\Thermal Zone Information(*)\\Temperature',
  '\\PhysicalDisk(_Total)\\Disk Read Bytes/sec',
  '\\PhysicalDisk(_Total)\\Disk Write Bytes/sec',
  '\\Network Interface(*)\\Bytes Received/sec',
  '\\Network Interface(*)\\Bytes Sent/sec',
];

const KELVIN = 273.15;
/** Now and then the counter says a million percent of an engine; a process cannot use more than all of one. */
const MOST_PERCENT = 110;
/** A picowatt hour, the unit of the energy counter, in joules. */
const PICOWATT_HOUR = 3.6e-9;
/** Names that makers give the meter of a whole processor: Intel's packages, Qualcomm's clusters, AMD's sockets. */
const PROCESSOR_METERS = [/^RAPL_Package\d+_PKG$/i, /^CPU_CLUSTER_\d+$/i, /^(Apu|Current Socket|Socket|CPU) Power$/i];

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
    if (adapter === undefined || type === undefined || percent > MOST_PERCENT) continue;
    engines.push({ adapter, pid: Number(pid), type, percent });
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
      memoryBytes: memoryOf(values, 'GPU Adapter Memory', (instance) => instance.startsWith(adapter)),
      appMemoryBytes: memoryOf(values, 'GPU Process Memory', (instance) =>
        pids.some((pid) => instance.startsWith(`pid_${pid}_${adapter}`)),
      ),
    };
  });
}

function busiest(engines: readonly Engine[]): number | null {
  const byType = new Map<string, number>();
  for (const { type, percent } of engines) byType.set(type, (byType.get(type) ?? 0) + percent);
  return byType.size === 0 ? null : share(Math.max(...byType.values()), 100);
}

/** Bytes of both kinds of memory; null where no such instance is there. */
function memoryOf(values: CounterValues, set: string, isMeant: (instance: string) => boolean): number | null {
  const found = ['Dedicated Usage', 'Shared Usage'].flatMap((counter) =>
    [...instances(values, set, counter)].flatMap(([instance, bytes]) => (isMeant(instance) ? [bytes] : [])),
  );
  return found.length === 0 ? null : sumOf(found);
}

/** Watts of the processor by the energy meter (milliwatts), else what batteries give. */
export function watts(values: CounterValues): Pick<MachineReadings['power'], 'watts' | 'sensor'> {
  const meters = processorMeters(values, 'Power');
  if (meters !== null) return { watts: meters / 1000, sensor: 'counter' };
  const batteries = [...instances(values, 'Battery Status', 'Discharge Rate').values()].filter((rate) => rate > 0);
  if (batteries.length > 0) return { watts: sumOf(batteries) / 1000, sensor: 'battery' };
  return { watts: null, sensor: null };
}

/** Joules that the processor's energy meter has counted since the system started; null where it counts none. */
export function meteredJoules(values: CounterValues): number | null {
  const energy = processorMeters(values, 'Energy');
  return energy === null ? null : energy * PICOWATT_HOUR;
}

/** A counter of the meters of the whole processor, summed over its packages. */
function processorMeters(values: CounterValues, counter: string): number | null {
  const meters = [...instances(values, 'Energy Meter', counter)];
  for (const names of PROCESSOR_METERS) {
    const found = meters.filter(([name]) => names.test(name));
    if (found.length > 0) return sumOf(found.map(([, value]) => value));
  }
  return null;
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
