/**
 * Power and temperature of Linux. Energy: the processor's packages by powercap, which most systems let only root read; else
 * the rate at which a battery empties, an estimate for the whole machine.
 */
import type { MachineReadings } from '../../contract/resources.ts';
import type { LinuxFiles } from './linux-files.ts';
import { Counters, perSecond } from './rates.ts';

const POWERCAP = 'sys/class/powercap';
const SUPPLIES = 'sys/class/power_supply';
const HWMON = 'sys/class/hwmon';
/** Drivers of a processor's own sensor. */
const PROCESSOR_SENSORS = ['coretemp', 'k10temp', 'zenpower', 'cpu_thermal', 'acpitz'];
const MICRO = 1e-6;

export class LinuxPower {
  private readonly files: LinuxFiles;
  private readonly counters = new Counters();
  private joules = 0;

  constructor(files: LinuxFiles) {
    this.files = files;
  }

  /** @param seconds since the last call, where they can be trusted */
  read(seconds: number | undefined): MachineReadings['power'] {
    const packages = this.packages();
    if (packages.length > 0) {
      const grown = packages.map((name) => this.growth(name));
      const joules = grown.reduce<number | null>((sum, each) => (sum === null || each === null ? null : sum + each), 0);
      if (seconds !== undefined) this.joules += joules ?? 0;
      return { watts: perSecond(joules, seconds), joules: this.joules, sensor: 'counter' };
    }
    const watts = this.batteryWatts();
    if (watts === null) return { watts: null, joules: null, sensor: null };
    this.joules += watts * (seconds ?? 0);
    return { watts, joules: this.joules, sensor: 'battery' };
  }

  /** Degrees Celsius of the processor. */
  temperature(): number | null {
    for (const folder of this.files.kept(HWMON, () => this.processorSensors())) {
      const value = this.files.number(`${folder}/temp1_input`);
      if (value !== null) return value / 1000;
    }
    return null;
  }

  /** Folders of the processor's sensors, the most telling first. */
  private processorSensors(): string[] {
    const sensors = this.files.names(HWMON).map((name) => ({
      folder: `${HWMON}/${name}`,
      rank: PROCESSOR_SENSORS.indexOf(this.files.text(`${HWMON}/${name}/name`)?.trim() ?? ''),
    }));
    const ours = sensors.filter(({ rank }) => rank >= 0).sort((a, b) => a.rank - b.rank);
    return ours.map(({ folder }) => folder);
  }

  /** Zones of whole packages that can be read. */
  private packages(): string[] {
    const packages = this.files.kept(POWERCAP, () =>
      this.files
        .names(POWERCAP)
        .filter((name) => /^intel-rapl:\d+$/.test(name))
        .filter((name) => /^package-/.test(this.files.text(`${POWERCAP}/${name}/name`) ?? '')),
    );
    return packages.filter((name) => this.files.number(`${POWERCAP}/${name}/energy_uj`) !== null);
  }

  /** Joules since the last call; the counter starts again from 0 at its greatest value. */
  private growth(name: string): number | null {
    const range = this.files.number(`${POWERCAP}/${name}/max_energy_range_uj`);
    const grown = this.counters.growth(name, this.files.number(`${POWERCAP}/${name}/energy_uj`), range);
    return grown === null ? null : grown * MICRO;
  }

  /** Watts that batteries give; null where none is emptying. */
  private batteryWatts(): number | null {
    let sum: number | null = null;
    const batteries = this.files.kept(SUPPLIES, () =>
      this.files.names(SUPPLIES).filter((name) => this.files.text(`${SUPPLIES}/${name}/type`)?.trim() === 'Battery'),
    );
    for (const name of batteries) {
      const folder = `${SUPPLIES}/${name}`;
      if (this.files.text(`${folder}/status`)?.trim() !== 'Discharging') continue;
      const power = this.files.number(`${folder}/power_now`);
      const current = this.files.number(`${folder}/current_now`);
      const voltage = this.files.number(`${folder}/voltage_now`);
      const watts =
        power !== null
          ? power * MICRO
          : current !== null && voltage !== null
            ? current * voltage * MICRO * MICRO
            : null;
      if (watts !== null) sum = (sum ?? 0) + Math.abs(watts);
    }
    return sum;
  }
}
