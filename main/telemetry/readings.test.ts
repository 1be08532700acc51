/** Readings from recorded files and counter outputs, and what happens where something is missing or goes wrong. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MachineReadings } from '../../contract/resources.ts';
import { Cores } from './cores.ts';
import { LinuxAccelerators, parseFdinfo } from './linux-accelerators.ts';
import { LinuxFiles } from './linux-files.ts';
import { LinuxMachine } from './linux-machine.ts';
import { LinuxPower } from './linux-power.ts';
import { parseCores, parseDisks, parseMemory, parseNetwork } from './linux-processor.ts';
import { Counters, Ticks } from './rates.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'machine-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), text);
}

describe('clocks and counters', () => {
  test('no rate for the first tick, after a sleep, or where the clock was set', () => {
    const ticks = new Ticks();
    expect(ticks.tick(1000, 0, 5000)).toBeUndefined();
    expect(ticks.tick(1000, 1000, 6000)).toBe(1);
    expect(ticks.tick(1000, 1250, 6250)).toBe(0.25);
    // The steady clock stands still while the machine sleeps, the wall clock does not; elsewhere both go on.
    expect(ticks.tick(1000, 2250, 3_606_250)).toBeUndefined();
    expect(ticks.tick(1000, 3250, 3_607_250)).toBe(1);
    expect(ticks.tick(1000, 903_250, 4_507_250)).toBeUndefined();
    expect(ticks.tick(1000, 904_250, 1000)).toBeUndefined();
  });

  test('a counter that goes back was reset, or has wrapped where its range is known', () => {
    const counters = new Counters();
    expect(counters.growth('a', 10)).toBeNull();
    expect(counters.growth('a', 15)).toBe(5);
    expect(counters.growth('a', 3)).toBeNull();
    expect(counters.growth('a', 1, 100)).toBe(98);
    expect(counters.growth('a', null)).toBeNull();
    expect(counters.growth('a', 20)).toBeNull();
  });
});

const STAT = (core1: string) => `cpu  100 0 50 850 0 0 0 0 0 0
cpu0 60 5 20 400 15 0 0 0 30 0
${core1}cpu2 20 0 20 60 0 0 0 0 0 0
intr 1
`;

describe('Linux', () => {
  test('cores: a core that is offline is null, and so is one that has just come', () => {
    const cores = new Cores();
    cores.shares(parseCores(STAT('cpu1 0 0 0 100 0 0 0 0 0 0\n')));
    const next = STAT('').replace('cpu0 60 5 20 400 15', 'cpu0 80 5 30 460 25').replace('cpu2 20', 'cpu2 60');
    // Core 0: 30 busy of 100; core 2: 40 of 40.
    expect(cores.shares(parseCores(next))).toEqual([0.3, null, 1]);
    expect(cores.shares(parseCores(STAT('cpu1 0 0 0 5 0 0 0 0 0 0\n')))[1]).toBeNull();
  });

  test('memory with and without swap', () => {
    const meminfo =
      'MemTotal:        8000 kB\nMemFree: 1 kB\nMemAvailable:    3000 kB\nSwapTotal: 500 kB\nSwapFree: 100 kB\n';
    expect(parseMemory(meminfo)).toEqual({
      totalBytes: 8_192_000,
      availableBytes: 3_072_000,
      swapTotalBytes: 512_000,
      swapUsedBytes: 409_600,
    });
    expect(parseMemory('MemTotal: 1 kB\nMemAvailable: 1 kB\n')).toMatchObject({ swapUsedBytes: null });
    expect(parseMemory('nothing')).toBeUndefined();
  });

  test('traffic: whole disks without loops, interfaces without the loopback', () => {
    const diskstats = ` 259 0 nvme0n1 100 0 2000 5 50 0 1000 5 0 10 10
 259 1 nvme0n1p1 100 0 2000 5 50 0 1000 5 0 10 10
   7 0 loop0 9 0 999 0 0 0 0 0 0 0 0\n`;
    expect(parseDisks(diskstats, ['loop0', 'nvme0n1'])).toEqual({ read: 2000 * 512, written: 1000 * 512 });
    const dev = `Inter-| Receive
 face |bytes packets
    lo: 77 1 0 0 0 0 0 0 77 1 0 0 0 0 0 0
  eth0: 1000 5 0 0 0 0 0 0 300 5 0 0 0 0 0 0\n`;
    expect(parseNetwork(dev)).toEqual({ received: 1000, sent: 300 });
  });

  test("an NPU's busy time, and a GPU's share with its memory", () => {
    write('sys/class/accel/accel0/device/npu_busy_time_us', '1000000\n');
    write('sys/class/accel/accel0/device/vendor', '0x8086\n');
    write('sys/class/drm/card0/device/gpu_busy_percent', '40\n');
    write('sys/class/drm/card0/device/vendor', '0x1002\n');
    write('sys/class/drm/card0/device/mem_info_vram_used', '1048576\n');
    write('sys/class/drm/card0-HDMI-A-1/status', 'connected\n');
    const reader = new LinuxAccelerators(new LinuxFiles(root));
    expect(reader.read(undefined, [])[0]?.busy).toBeNull();
    write('sys/class/accel/accel0/device/npu_busy_time_us', '1250000\n');
    expect(reader.read(0.5, [])).toEqual([
      {
        id: 'accel0',
        kind: 'npu',
        name: 'Intel NPU',
        busy: 0.5,
        appBusy: null,
        memoryBytes: null,
        appMemoryBytes: null,
      },
      {
        id: 'card0',
        kind: 'gpu',
        name: 'AMD GPU',
        busy: 0.4,
        appBusy: null,
        memoryBytes: 1_048_576,
        appMemoryBytes: null,
      },
    ]);
  });

  test('what the app has of a GPU whose driver tells nothing else, each client once', () => {
    const fdinfo = (ns: number) =>
      `pos: 0\ndrm-driver: i915\ndrm-pdev: 0000:00:02.0\ndrm-client-id: 7\ndrm-engine-render: ${ns} ns\n` +
      `drm-engine-copy: 100 ns\ndrm-engine-capacity-render: 1\ndrm-resident-system0: 2048 KiB\n`;
    expect(parseFdinfo(fdinfo(5))).toEqual({ pdev: '0000:00:02.0', client: '7', nanoseconds: 105, bytes: 2_097_152 });
    expect(parseFdinfo('pos: 0\nflags: 02\n')).toBeUndefined();
    write('sys/class/drm/card1/device/uevent', 'DRIVER=i915\nPCI_SLOT_NAME=0000:00:02.0\n');
    const reader = new LinuxAccelerators(new LinuxFiles(root));
    for (const fd of ['4', '5']) write(`proc/9/fdinfo/${fd}`, fdinfo(0));
    reader.read(1, [9, 10]);
    for (const fd of ['4', '5']) write(`proc/9/fdinfo/${fd}`, fdinfo(250_000_000));
    expect(reader.read(1, [9, 10])).toMatchObject([
      { busy: null, appBusy: 0.25, memoryBytes: null, appMemoryBytes: 2_097_152 },
    ]);
  });

  test('devices are looked for anew after a while, and are gone when they are gone', async () => {
    write('sys/class/accel/accel0/device/npu_busy_time_us', '1\n');
    const reader = new LinuxAccelerators(new LinuxFiles(root, 50));
    expect(reader.read(1, [])).toHaveLength(1);
    write('sys/class/accel/accel1/device/npu_busy_time_us', '1\n');
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(reader.read(1, []).map(({ id }) => id)).toEqual(['accel0', 'accel1']);
    rmSync(path.join(root, 'sys'), { recursive: true });
    // Until it is looked for again its values are missing, not 0.
    for (const { busy } of reader.read(1, [])) expect(busy).toBeNull();
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(reader.read(1, [])).toEqual([]);
  });

  test('energy of all packages, over the end of a counter; forbidden files are no reading', () => {
    const zone = 'sys/class/powercap/intel-rapl:0';
    write(`${zone}/name`, 'package-0\n');
    write(`${zone}/max_energy_range_uj`, '10000000\n');
    write(`${zone}/energy_uj`, '9000000\n');
    write('sys/class/powercap/intel-rapl:0:0/name', 'core\n');
    write('sys/class/powercap/intel-rapl:0:0/energy_uj', '1\n');
    const power = new LinuxPower(new LinuxFiles(root));
    expect(power.read(undefined)).toEqual({ watts: null, joules: 0, sensor: 'counter' });
    write(`${zone}/energy_uj`, '1000000\n');
    expect(power.read(0.5)).toEqual({ watts: 4, joules: 2, sensor: 'counter' });
    rmSync(path.join(root, zone, 'energy_uj'));
    mkdirSync(path.join(root, zone, 'energy_uj'));
    expect(power.read(1)).toEqual({ watts: null, joules: null, sensor: null });
  });

  test('a battery that empties is an estimate, one that does not is no sensor', () => {
    const battery = 'sys/class/power_supply/BAT0';
    write(`${battery}/type`, 'Battery\n');
    write(`${battery}/status`, 'Discharging\n');
    write(`${battery}/current_now`, '1500000\n');
    write(`${battery}/voltage_now`, '12000000\n');
    const power = new LinuxPower(new LinuxFiles(root));
    expect(power.read(2)).toEqual({ watts: 18, joules: 36, sensor: 'battery' });
    write(`${battery}/status`, 'Charging\n');
    expect(power.read(1).watts).toBeNull();
  });

  test("the processor's own temperature before the board's", () => {
    write('sys/class/hwmon/hwmon0/name', 'acpitz\n');
    write('sys/class/hwmon/hwmon0/temp1_input', '30000\n');
    write('sys/class/hwmon/hwmon1/name', 'k10temp\n');
    write('sys/class/hwmon/hwmon1/temp1_input', '61500\n');
    write('sys/class/hwmon/hwmon2/name', 'nvme\n');
    write('sys/class/hwmon/hwmon2/temp1_input', '99000\n');
    expect(new LinuxPower(new LinuxFiles(root)).temperature()).toBe(61.5);
    rmSync(path.join(root, 'sys'), { recursive: true });
    expect(new LinuxPower(new LinuxFiles(root)).temperature()).toBeNull();
  });

  test('with nothing to read everything is null, and nothing is thrown', async () => {
    write('proc/stat', '');
    chmodSync(path.join(root, 'proc/stat'), 0);
    const readings = await new LinuxMachine(new LinuxFiles(root)).read(1000, [1]);
    expect(v.is(MachineReadings, readings)).toBe(true);
    expect(readings).toMatchObject({
      accelerators: [],
      power: { watts: null, joules: null, sensor: null },
      temperature: null,
      disk: { read: null, written: null },
      network: { received: null, sent: null },
    });
  });

  test.runIf(process.platform === 'linux')('this machine: its cores are busy while one computes', async () => {
    const machine = new LinuxMachine();
    await machine.read(1000, []);
    for (const end = performance.now() + 300; performance.now() < end; );
    const readings = await machine.read(1000, []);
    expect(v.is(MachineReadings, readings)).toBe(true);
    expect(Math.max(...readings.cores.map((core) => core ?? 0))).toBeGreaterThan(0.2);
    expect(readings.memory.totalBytes).toBeGreaterThan(1e8);
  });
});

test.runIf(process.platform === 'linux')('four readings a second take less than a hundredth of a core', async () => {
  const machine = new LinuxMachine();
  for (let i = 0; i < 10; i++) await machine.read(250, [process.pid]);
  const before = process.cpuUsage();
  for (let i = 0; i < 50; i++) await machine.read(250, [process.pid]);
  const { user, system } = process.cpuUsage(before);
  const msEach = (user + system) / 1000 / 50;
  expect(4 * msEach).toBeLessThan(10);
});
