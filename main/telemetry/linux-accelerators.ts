/**
 * GPUs and NPUs of Linux. NPUs: /sys/class/accel, where Intel's driver counts busy time. GPUs: /sys/class/drm, where AMD's
 * driver gives a busy share and memory; for others what this app's own processes use, from the fdinfo of their DRM files.
 */
import type { Accelerator } from '../../contract/resources.ts';
import type { LinuxFiles } from './linux-files.ts';
import { Counters, share } from './rates.ts';

const ACCEL = 'sys/class/accel';
const DRM = 'sys/class/drm';
const VENDORS: Readonly<Record<string, string>> = {
  '0x8086': 'Intel',
  '0x1002': 'AMD',
  '0x1022': 'AMD',
  '0x10de': 'NVIDIA',
};

/** Busy nanoseconds and bytes that a process has of a device, by the device's PCI address. */
export interface DrmUse {
  pdev: string;
  client: string;
  nanoseconds: number;
  bytes: number | null;
}

export class LinuxAccelerators {
  private readonly files: LinuxFiles;
  private readonly counters = new Counters();

  constructor(files: LinuxFiles) {
    this.files = files;
  }

  /** @param seconds since the last call; undefined where it was not long ago enough to tell or too long */
  read(seconds: number | undefined, pids: readonly number[]): Accelerator[] {
    if (this.devices(ACCEL, /^accel\d+$/).length + this.devices(DRM, /^card\d+$/).length === 0) return [];
    const uses = this.uses(pids);
    return [...this.npus(seconds, uses), ...this.gpus(seconds, uses)];
  }

  private npus(seconds: number | undefined, uses: readonly DrmUse[]): Accelerator[] {
    return this.devices(ACCEL, /^accel\d+$/).map((name) => {
      const device = `${ACCEL}/${name}/device`;
      const grown = this.counters.growth(`npu ${name}`, this.files.number(`${device}/npu_busy_time_us`));
      const own = this.ownUse(name, device, seconds, uses);
      return {
        id: name,
        kind: 'npu' as const,
        name: `${this.vendor(device)} NPU`.trim(),
        busy: seconds === undefined ? null : share(grown, seconds * 1e6),
        appBusy: own.busy,
        memoryBytes: this.files.number(`${device}/npu_memory_utilization`),
        appMemoryBytes: own.bytes,
      };
    });
  }

  private gpus(seconds: number | undefined, uses: readonly DrmUse[]): Accelerator[] {
    return this.devices(DRM, /^card\d+$/).map((name) => {
      const device = `${DRM}/${name}/device`;
      const percent = this.files.number(`${device}/gpu_busy_percent`);
      const own = this.ownUse(name, device, seconds, uses);
      return {
        id: name,
        kind: 'gpu' as const,
        name: `${this.vendor(device)} GPU`.trim(),
        busy: percent === null ? null : share(percent, 100),
        appBusy: own.busy,
        memoryBytes: this.files.number(`${device}/mem_info_vram_used`),
        appMemoryBytes: own.bytes,
      };
    });
  }

  private devices(folder: string, names: RegExp): string[] {
    return this.files.kept(folder, () => this.files.names(folder).filter((name) => names.test(name)));
  }

  private vendor(device: string): string {
    return VENDORS[this.files.text(`${device}/vendor`)?.trim() ?? ''] ?? '';
  }

  /** What this app has of a device; null where its driver does not tell. */
  private ownUse(
    name: string,
    device: string,
    seconds: number | undefined,
    uses: readonly DrmUse[],
  ): { busy: number | null; bytes: number | null } {
    const address = /^PCI_SLOT_NAME=(.+)$/m.exec(this.files.text(`${device}/uevent`) ?? '')?.[1];
    const mine = uses.filter(({ pdev }) => pdev === address);
    if (mine.length === 0) return { busy: null, bytes: null };
    const nanoseconds = mine.reduce((sum, use) => sum + use.nanoseconds, 0);
    const grown = this.counters.growth(`own ${name}`, nanoseconds);
    const bytes = mine.reduce<number | null>((sum, use) => (use.bytes === null ? sum : (sum ?? 0) + use.bytes), null);
    return { busy: seconds === undefined ? null : share(grown, seconds * 1e9), bytes };
  }

  /** DRM clients of processes, each once: several files can belong to one. */
  private uses(pids: readonly number[]): DrmUse[] {
    const clients = new Map<string, DrmUse>();
    for (const pid of pids) {
      for (const file of this.drmFiles(pid)) {
        const use = parseFdinfo(this.files.text(file) ?? '');
        if (use) clients.set(`${use.pdev} ${use.client}`, use);
      }
    }
    return [...clients.values()];
  }

  /** The files of a process that are about a DRM device: a handful among hundreds. */
  private drmFiles(pid: number): string[] {
    const folder = `proc/${pid}/fdinfo`;
    return this.files.kept(folder, () =>
      this.files
        .names(folder)
        .map((fd) => `${folder}/${fd}`)
        .filter((file) => parseFdinfo(this.files.text(file) ?? '') !== undefined),
    );
  }
}

/** One file of /proc/PID/fdinfo; undefined where it is not one of a DRM device. */
export function parseFdinfo(text: string): DrmUse | undefined {
  if (!text.includes('drm-pdev:')) return undefined;
  const value = (name: string) => new RegExp(`^${name}:\\s+(.+)$`, 'm').exec(text)?.[1]?.trim();
  const [pdev, client] = [value('drm-pdev'), value('drm-client-id')];
  if (pdev === undefined || client === undefined) return undefined;
  let nanoseconds = 0;
  let bytes: number | null = null;
  for (const line of text.split('\n')) {
    const [, engine, ns] = /^drm-engine-(?!capacity)([^:]+):\s+(\d+) ns$/.exec(line) ?? [];
    if (engine !== undefined) nanoseconds += Number(ns);
    const [, , size, unit] = /^drm-(resident|memory)-[^:]+:\s+(\d+)(?: (KiB|MiB))?$/.exec(line) ?? [];
    if (size !== undefined)
      bytes = (bytes ?? 0) + Number(size) * (unit === 'MiB' ? 2 ** 20 : unit === 'KiB' ? 1024 : 1);
  }
  return { pdev, client, nanoseconds, bytes };
}
