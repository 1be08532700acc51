/** The sensors of a Linux machine: /proc and /sys, read directly, for a helper program a second would cost more than all else. */
import { cpus } from 'node:os';
import type { MachineReadings } from '../../contract/resources.ts';
import { Cores } from './cores.ts';
import { LinuxAccelerators } from './linux-accelerators.ts';
import { LinuxFiles } from './linux-files.ts';
import { LinuxPower } from './linux-power.ts';
import { parseCores, parseDisks, parseMemory, parseNetwork } from './linux-processor.ts';
import { type MachineReader, systemMemory } from './machine.ts';
import { Counters, perSecond, Ticks } from './rates.ts';

export class LinuxMachine implements MachineReader {
  private readonly files: LinuxFiles;
  private readonly ticks = new Ticks();
  private readonly cores = new Cores();
  private readonly counters = new Counters();
  private readonly accelerators: LinuxAccelerators;
  private readonly power: LinuxPower;

  constructor(files = new LinuxFiles()) {
    this.files = files;
    this.accelerators = new LinuxAccelerators(files);
    this.power = new LinuxPower(files);
  }

  async read(everyMs: number, pids: readonly number[]): Promise<MachineReadings> {
    const { files } = this;
    const seconds = this.ticks.tick(everyMs);
    const stat = files.text('proc/stat');
    const times = stat === null ? cpus().map(() => undefined) : parseCores(stat);
    const diskstats = files.text('proc/diskstats');
    const disk = diskstats === null ? undefined : parseDisks(diskstats, files.names('sys/block'));
    const dev = files.text('proc/net/dev');
    const network = dev === null ? undefined : parseNetwork(dev);
    const rate = (name: string, value: number | undefined) =>
      perSecond(this.counters.growth(name, value ?? null), seconds);
    return {
      cores: this.cores.shares(times),
      memory: parseMemory(files.text('proc/meminfo') ?? '') ?? systemMemory(),
      accelerators: this.accelerators.read(seconds, pids),
      power: this.power.read(seconds),
      temperature: this.power.temperature(),
      disk: { read: rate('read', disk?.read), written: rate('written', disk?.written) },
      network: { received: rate('received', network?.received), sent: rate('sent', network?.sent) },
    };
  }
}
