/** Cores, memory and traffic of Linux, parsed from /proc. */
import type { MachineReadings } from '../../contract/resources.ts';
import type { CoreTimes } from './cores.ts';

const KIB = 1024;
const SECTOR = 512;

/**
 * /proc/stat: times of each core by its number; a core that is offline has no line and no entry. Guest time is part of user
 * time, so the first eight fields are all there is; idle and iowait are rest.
 */
export function parseCores(stat: string): (CoreTimes | undefined)[] {
  const cores: (CoreTimes | undefined)[] = [];
  for (const line of stat.split('\n')) {
    const [, number, rest = ''] = /^cpu(\d+) (.*)$/.exec(line) ?? [];
    if (number === undefined) continue;
    const [user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, steal = 0] = rest
      .trim()
      .split(/\s+/)
      .map(Number);
    cores[Number(number)] = { busy: user + nice + system + irq + softirq + steal, idle: idle + iowait };
  }
  return Array.from(cores);
}

/** /proc/meminfo. */
export function parseMemory(meminfo: string): MachineReadings['memory'] | undefined {
  const bytes = (name: string) => {
    const found = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(meminfo)?.[1];
    return found === undefined ? null : Number(found) * KIB;
  };
  const [totalBytes, availableBytes] = [bytes('MemTotal'), bytes('MemAvailable')];
  if (totalBytes === null || availableBytes === null) return undefined;
  const [swapTotalBytes, swapFree] = [bytes('SwapTotal'), bytes('SwapFree')];
  const swapUsedBytes = swapTotalBytes === null || swapFree === null ? null : swapTotalBytes - swapFree;
  return { totalBytes, availableBytes, swapTotalBytes, swapUsedBytes };
}

/** /proc/diskstats: bytes read and written since boot, of whole disks. @param disks their names, from /sys/block */
export function parseDisks(diskstats: string, disks: readonly string[]): { read: number; written: number } {
  const real = new Set(disks.filter((name) => !/^(loop|ram|zram|dm-|md)/.test(name)));
  let [read, written] = [0, 0];
  for (const line of diskstats.split('\n')) {
    const fields = line.trim().split(/\s+/);
    if (!real.has(fields[2] ?? '')) continue;
    read += Number(fields[5]) * SECTOR;
    written += Number(fields[9]) * SECTOR;
  }
  return { read, written };
}

/** /proc/net/dev: bytes since boot, of every interface but the loopback. */
export function parseNetwork(dev: string): { received: number; sent: number } {
  let [received, sent] = [0, 0];
  for (const line of dev.split('\n')) {
    const [, name, rest = ''] = /^\s*([^:\s]+):\s*(.*)$/.exec(line) ?? [];
    if (name === undefined || name === 'lo') continue;
    const fields = rest.trim().split(/\s+/).map(Number);
    received += fields[0] ?? 0;
    sent += fields[8] ?? 0;
  }
  return { received, sent };
}
