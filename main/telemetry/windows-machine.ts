/**
 * The sensors of a Windows machine: cores and memory by Node, all else by the system's own typeperf, one process that prints a
 * line a second. It lists the instances of a counter when it starts, so it is started anew now and then to see new processes.
 * Where it does not know counters by their English names CIM takes its place while somebody looks or an answer is made: that is
 * a PowerShell, too large to be kept.
 */
import { spawn } from 'node:child_process';
import { cpus } from 'node:os';
import type { MachineReadings } from '../../contract/resources.ts';
import { Cores } from './cores.ts';
import { type MachineReader, systemMemory } from './machine.ts';
import { Counters, Ticks } from './rates.ts';
import { type CounterValues, TypeperfLines } from './typeperf.ts';
import { AGAIN_MS, CimReader } from './windows-cim.ts';
import { accelerators, COUNTERS, meteredJoules, temperature, traffic, watts } from './windows-readings.ts';

/** Lines of one typeperf, a second apart. */
const LINES = 15;
/** Values older than this are no longer what is now. */
const STALE_MS = 5000;

export class WindowsMachine implements MachineReader {
  private readonly ticks = new Ticks();
  private readonly cores = new Cores();
  private readonly counters = new Counters();
  private values: CounterValues = new Map();
  private valuesAt = Number.NEGATIVE_INFINITY;
  private joules = 0;
  private cim: CimReader | undefined;

  constructor() {
    this.start();
  }

  async read(everyMs: number, pids: readonly number[], atRest = false): Promise<MachineReadings> {
    const seconds = this.ticks.tick(everyMs);
    if (atRest) this.cim?.rested();
    else this.cim?.ask();
    const values: CounterValues = performance.now() - this.valuesAt > STALE_MS ? new Map() : this.values;
    const times = cpus().map(({ times: { user, nice, sys, irq, idle } }) => ({ busy: user + nice + sys + irq, idle }));
    const power = watts(values);
    // What the meter counted, where it counts; else the power of now, held since the last reading.
    const metered = this.counters.growth('joules', meteredJoules(values));
    if (seconds !== undefined) this.joules += metered ?? (power.watts ?? 0) * seconds;
    return {
      cores: this.cores.shares(times),
      memory: systemMemory(),
      accelerators: accelerators(values, pids),
      power: { ...power, joules: power.watts === null ? null : this.joules },
      temperature: temperature(values),
      ...traffic(values),
    };
  }

  private start(): void {
    const lines = new TypeperfLines();
    const child = spawn('typeperf', [...COUNTERS, '-si', '1', '-sc', String(LINES)], {
      stdio: ['ignore', 'pipe', 'ignore'],
      windowsHide: true,
    });
    child.stdout.setEncoding('utf8');
    child.stdout.on('data', (text: string) => {
      for (const values of lines.push(text)) this.took(values);
    });
    let ended = false;
    const end = (code: number | null) => {
      if (ended) return;
      ended = true;
      // Without the program, or where it knows nothing that is asked for, in what language ever.
      if (lines.english) setTimeout(() => this.start(), code === 0 ? 0 : AGAIN_MS);
      else this.cim = new CimReader((values) => this.took(values));
    };
    child.once('error', () => end(null));
    child.once('exit', end);
  }

  private took(values: CounterValues): void {
    this.values = values;
    this.valuesAt = performance.now();
  }
}
