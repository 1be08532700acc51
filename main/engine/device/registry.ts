/**
 * The devices that ONNX Runtime can compute on, and which of them can be used. Execution provider libraries belong to the
 * process, so registries of one process see each other's. Engine thread.
 */
import type { DeviceInfo, Progress } from '../../../contract/engine.ts';
import { AppError } from '../../../contract/errors.ts';
import { phrase, type Reason, said } from '../../../contract/phrase.ts';
import type { NativeAddon } from '../../../native/js/index.ts';
import { nativeVersions } from '../../../native/js/load.ts';
import { describeDevice, epOptionsOf, type Found } from './device-info.ts';
import { KeptFindings } from './kept.ts';
import { type EpLibrary, findLibraries } from './libraries.ts';
import { machineOf } from './machine.ts';
import { deviceRefusal } from './reasons.ts';
import { RegisteredLibraries } from './registered-libraries.ts';
import { judgeTest, stateOf } from './self-test/judge.ts';
import { type SystemDevice, systemDevices } from './system-devices.ts';
import { runTest } from './test-process.ts';
import { unclaimedNpus, unfruitfulLibraries } from './unusable.ts';

/** Longest self-test: compilers of NPUs take seconds for graphs as small as these. */
const SELF_TEST_MS = 120_000;

export interface RegistryOptions {
  /** Folders with execution provider libraries; of several for one provider the first that can be registered counts. */
  libraryFolders: readonly string[];
  /** Where self-tests, tried libraries and faults are kept; absent: only as long as the process lives. */
  selfTestsDir?: string;
}

/** What `openSession` needs to run a graph on a device. */
export interface OpenDevice {
  index: number;
  epOptions: Record<string, string>;
}

export interface SelfTestHooks {
  onProgress?: (progress: Progress) => void;
  signal?: AbortSignal;
  /** Longest test of one device; default two minutes. */
  limitMs?: number;
}

export class DeviceRegistry {
  private readonly native: NativeAddon;
  private readonly machine = machineOf();
  private readonly kept: KeptFindings;
  private readonly libraries: RegisteredLibraries;
  private folders: readonly string[];
  /** Whether the folders are still to be searched. */
  private unsearched = true;
  private system: SystemDevice[] | undefined;

  constructor(native: NativeAddon, { libraryFolders, selfTestsDir }: RegistryOptions) {
    this.native = native;
    this.folders = libraryFolders;
    this.kept = new KeptFindings(selfTestsDir);
    this.libraries = new RegisteredLibraries(native, this.kept);
  }

  /**
   * Every device, the unusable ones with a reason; then libraries that give none and NPUs that no library takes. The first call
   * registers the libraries, each tried in a process of its own where that has not been done. A device that can be used need
   * not have been tested: `selfTest` says so.
   */
  list(): DeviceInfo[] {
    const found = this.found();
    const facts = {
      devices: found.map(({ info }) => info),
      // Those that only stand for other machines do not count.
      fruitful: found.flatMap(({ info, library }) => (info.virtual || !library ? [] : [library.name])),
      libraries: this.libraries.all,
      machine: this.machine,
    };
    const hardware = [...this.native.hardware([]), ...(this.system ?? [])];
    return [...facts.devices, ...unfruitfulLibraries(facts), ...unclaimedNpus(facts, hardware)];
  }

  /** How to open a graph on a device. Throws AppError 'bad-input' for an unknown id, 'device-unusable' with the reason. */
  open(id: string): OpenDevice {
    const device = this.find(id);
    if (device?.info.usable) return device.open;
    const info = device?.info ?? this.list().find((known) => known.id === id);
    if (info === undefined) {
      throw new AppError('bad-input', phrase`There is no device "${id}" on this machine.`, {
        action: phrase`Choose one of: ${this.list()
          .map((known) => known.id)
          .join(', ')}.`,
      });
    }
    throw new AppError(
      'device-unusable',
      phrase`${info.name} cannot be used: ${info.phrases?.reason ?? info.reason ?? said('no reason is known')}`,
      {
        ...(info.remedy === undefined ? {} : { action: info.phrases?.remedy ?? info.remedy }),
      },
    );
  }

  /** How to open a graph on a device that may be unusable so far; undefined for an unknown id. For self-tests alone. */
  openForTest(id: string): { info: DeviceInfo; open: OpenDevice } | undefined {
    return this.find(id);
  }

  /** Takes a device out of use until its driver or execution provider changes, or a self-test passes. */
  markFaulty(id: string, reason: Reason): void {
    const device = this.find(id);
    if (device === undefined) return;
    this.kept.update(({ faults }) => {
      faults[id] = { state: stateOf(device.info), reason };
    });
  }

  /** Looks for libraries in these folders from now on. Libraries of earlier ones stay until the process ends. */
  setFolders(folders: readonly string[]): void {
    this.folders = folders;
    this.unsearched = true;
  }

  /**
   * Tests a device, or all that are really here, in a process of its own each; what failed before is tried again. A simulator is
   * tested only by its id, since it is slow. Returns the list with the results. Throws AppError 'bad-input' for an unknown id, 'cancelled' once the signal has fired.
   */
  async selfTest(id: string | undefined, hooks: SelfTestHooks = {}): Promise<DeviceInfo[]> {
    if (id === undefined) {
      this.libraries.forgetFailures();
      this.unsearched = true;
    }
    const testable = this.found().filter(({ info }) => canRun(info));
    const chosen = testable.filter(({ info }) => (id === undefined ? !info.virtual : info.id === id));
    if (chosen.length === 0) {
      throw new AppError('bad-input', phrase`There is no device "${id}" on this machine that can be tested.`, {
        action: phrase`Choose one of: ${testable.map(({ info }) => info.id).join(', ')}.`,
      });
    }
    for (const [done, { info, library }] of chosen.entries()) {
      hooks.onProgress?.({ stage: 'self-test', done, total: chosen.length, note: info.name });
      const started = performance.now();
      const request = { device: info.id, ...(library === undefined ? {} : { library }) };
      const outcome = await runTest(request, hooks.limitMs ?? SELF_TEST_MS, hooks.signal);
      const result = judgeTest(outcome, (performance.now() - started) / 1000);
      this.kept.update(({ selfTests, faults }) => {
        selfTests[info.id] = { state: stateOf(info), result };
        if (result.passed) delete faults[info.id];
      });
    }
    hooks.onProgress?.({ stage: 'self-test', done: chosen.length, total: chosen.length });
    return this.list();
  }

  private find(id: string): FoundDevice | undefined {
    return this.found().find(({ info }) => info.id === id);
  }

  private found(): FoundDevice[] {
    if (this.unsearched) this.libraries.register(findLibraries(this.folders, this.machine));
    this.unsearched = false;
    this.system ??= systemDevices();
    const { ort } = nativeVersions();
    const devices = this.native.devices();
    const hardware = this.native.hardware([...new Set(devices.map(({ ep }) => ep))]);
    const kept = this.kept.read();
    const places = new Map<string, number>();
    return devices.map((device) => {
      const kind = `${device.ep}:${device.type}`;
      const place = places.get(kind) ?? 0;
      places.set(kind, place + 1);
      const described = describeDevice(device, { place, ort, system: this.system ?? [] });
      const against = hardware
        .filter(({ type, vendorId, deviceId }) => isSame({ type, vendorId, deviceId }, device))
        .flatMap(({ incompatibilities }) => incompatibilities)
        .find(({ ep }) => ep === device.ep);
      const info = { ...described, ...this.verdict(described, kept, against) };
      const library = this.libraries.of(device);
      return { info, library, open: { index: device.index, epOptions: epOptionsOf(device) } };
    });
  }

  private verdict(
    device: Found,
    { faults, selfTests }: ReturnType<KeptFindings['read']>,
    against: { reasons: number; notes: string } | undefined,
  ): Pick<DeviceInfo, 'usable' | 'reason' | 'remedy' | 'phrases' | 'selfTest'> {
    const state = stateOf(device);
    const fault = faults[device.id];
    const test = selfTests[device.id];
    const selfTest = test?.state === state ? test.result : undefined;
    const refusal = deviceRefusal({
      device,
      machine: this.machine,
      ...(fault?.state === state ? { fault: fault.reason } : {}),
      ...(selfTest === undefined ? {} : { selfTest }),
      ...(against === undefined ? {} : { against }),
    });
    return { usable: refusal === undefined, ...refusal, ...(selfTest === undefined ? {} : { selfTest }) };
  }
}

interface FoundDevice {
  info: DeviceInfo;
  open: OpenDevice;
  /** Where its execution provider comes from; undefined for those within ONNX Runtime's own. */
  library: EpLibrary | undefined;
}

/** What only compiles is of no type but its machine's; a simulator runs on the processor. */
function canRun({ virtual, type, flavours }: DeviceInfo): boolean {
  return flavours.length > 0 && (!virtual || type === 'CPU');
}

type Identity = Pick<DeviceInfo, 'type'> & { vendorId: number; deviceId: number };

function isSame(a: Identity, b: Identity): boolean {
  return a.type === b.type && a.vendorId === b.vendorId && a.deviceId === b.deviceId;
}
