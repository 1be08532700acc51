/** Entries of the list for what gives no device: libraries that fail or find nothing, NPUs that no library takes. */
import type { DeviceInfo } from '../../../contract/engine.ts';
import { english, type Phrase, phrase, said } from '../../../contract/phrase.ts';
import type { Hardware } from '../../../native/js/index.ts';
import type { Machine } from './machine.ts';
import { libraryRefusal, type Refusal, unclaimedNpu } from './reasons.ts';
import type { KnownLibrary } from './registered-libraries.ts';
import { QUALCOMM_ACPI, type SystemDevice, VENDOR_IDS } from './system-devices.ts';

interface Facts {
  devices: readonly DeviceInfo[];
  libraries: readonly KnownLibrary[];
  /** Names of those that list a device which is really here. */
  fruitful: readonly string[];
  machine: Machine;
}

const MAKERS = [
  { name: 'Qualcomm', vendorIds: [VENDOR_IDS.qualcomm, QUALCOMM_ACPI], executionProvider: 'QNNExecutionProvider' },
  { name: 'Intel', vendorIds: [VENDOR_IDS.intel], executionProvider: 'OpenVINOExecutionProvider' },
  { name: 'AMD', vendorIds: [VENDOR_IDS.amd], executionProvider: 'VitisAIExecutionProvider' },
] as const;

/** Libraries without a device that is really here. */
export function unfruitfulLibraries({ fruitful, libraries, machine }: Facts): DeviceInfo[] {
  return libraries
    .filter(({ name }) => !fruitful.includes(name))
    .map(({ name, outcome, detail }) => {
      const maker = MAKERS.find(({ executionProvider }) => executionProvider === name)?.name;
      return entry(
        {
          id: `${name}:library`,
          name: maker === undefined ? phrase`Support for devices of ${name}` : phrase`${maker} NPU support`,
          executionProvider: name,
          vendor: maker ?? 'unknown',
        },
        libraryRefusal({ executionProvider: name, outcome, detail, machine }),
      );
    });
}

/** NPUs of the machine that no execution provider lists. @param hardware as ONNX Runtime and the system tell */
export function unclaimedNpus(
  { devices, libraries, machine }: Facts,
  hardware: readonly (Pick<Hardware, 'type' | 'vendorId' | 'deviceId'> &
    Partial<Pick<SystemDevice, 'name' | 'driver'>>)[],
): DeviceInfo[] {
  const seen = new Set<string>();
  return hardware.flatMap(({ type, vendorId, deviceId, name, driver }) => {
    const maker = MAKERS.find(({ vendorIds }) => vendorIds.some((id) => id === vendorId));
    const key = `${maker?.name ?? vendorId}`;
    if (type !== 'NPU' || seen.has(key)) return [];
    seen.add(key);
    const executionProvider = maker?.executionProvider;
    const taken = devices.some(
      (device) =>
        device.type === 'NPU' &&
        !device.virtual &&
        (executionProvider === undefined || device.executionProvider === executionProvider),
    );
    if (taken) return [];
    const registered = libraries.some(
      (library) => library.name === executionProvider && library.outcome === 'registered',
    );
    return [
      entry(
        {
          id: `none:NPU:${vendorId.toString(16)}:${deviceId.toString(16)}`,
          name: name ?? (maker === undefined ? said('Unknown NPU') : `${maker.name} NPU`),
          executionProvider: executionProvider ?? 'none',
          vendor: maker?.name ?? 'unknown',
          ...(driver === undefined ? {} : { driver }),
        },
        unclaimedNpu({ executionProvider }, machine, registered),
      ),
    ];
  });
}

function entry(
  { name, ...what }: Pick<DeviceInfo, 'id' | 'executionProvider' | 'vendor' | 'driver'> & { name: string | Phrase },
  refusal: Refusal,
): DeviceInfo {
  return {
    ...what,
    name: english(name),
    type: 'NPU',
    flavours: [],
    virtual: false,
    usable: false,
    ...refusal,
    phrases: { ...refusal.phrases, ...(typeof name === 'string' ? {} : { name }) },
  };
}
