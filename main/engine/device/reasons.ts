/** Why a device or a library cannot be used, and what the user can do about it. Pure; every case is a line of the test's table. */
import type { DeviceInfo, SelfTest } from '../../../contract/engine.ts';
import { english, type Phrase, phrase, type Reason, said } from '../../../contract/phrase.ts';
import type { Machine } from './machine.ts';

/** Both texts in English, and with their values apart. */
export type Refusal = Pick<DeviceInfo, 'remedy' | 'phrases'> & { reason: string };

/** The texts of a refusal, in both forms. */
export function refusal(reason: Reason, remedy?: Reason): Refusal {
  const phrases = { reason: said(reason), ...(remedy === undefined ? {} : { remedy: said(remedy) }) };
  return {
    reason: english(phrases.reason),
    ...(phrases.remedy === undefined ? {} : { remedy: english(phrases.remedy) }),
    phrases,
  };
}

/** Bits of what an execution provider has against a device. */
const INCOMPATIBLE = { driver: 1, device: 2, missing: 4 } as const;

export interface DeviceFacts {
  device: Pick<DeviceInfo, 'type' | 'executionProvider' | 'virtual' | 'flavours' | 'driver'>;
  /** Why it was taken out of use while it was running. */
  fault?: Reason;
  selfTest?: SelfTest;
  /** What its execution provider has against it; `reasons` as in the addon's `hardware`. */
  against?: { reasons: number; notes: string };
  machine: Machine;
}

/** Undefined where nothing speaks against the device. */
export function deviceRefusal({ device, fault, selfTest, against, machine }: DeviceFacts): Refusal | undefined {
  if (device.virtual && device.type === 'CPU') {
    return refusal(
      'A simulator that computes on the processor as the NPU would: right for checks, far too slow for answers.',
      'Nothing needs to be done.',
    );
  }
  if (device.virtual) {
    return refusal(
      'A stand-in for a machine that is not here: graphs can be compiled for it, and nothing runs on it.',
      'Nothing needs to be done.',
    );
  }
  if (against !== undefined && against.reasons !== 0) return incompatible(device, against);
  if (fault !== undefined) {
    return refusal(
      phrase`It failed while it was in use: ${typeof fault === 'string' ? sentence(fault) : fault}`,
      phrase`Run its self-test to try it again. ${updateDriver(device)}`,
    );
  }
  if (selfTest !== undefined && !selfTest.passed)
    return failedTest(device, selfTest.problem ?? 'no reason was given', machine);
  if (device.flavours.length === 0) {
    return refusal('Its execution provider takes none of the graphs that this app makes.');
  }
  return undefined;
}

type NamedDevice = DeviceFacts['device'];

function incompatible(device: NamedDevice, { reasons, notes }: { reasons: number; notes: string }): Refusal {
  const note = notes === '' ? '' : phrase` (${notes})`;
  if (reasons & INCOMPATIBLE.driver) {
    const version = device.driver === undefined ? '' : phrase`, ${device.driver},`;
    return refusal(phrase`Its driver${version} is too old or does not fit${note}.`, updateDriver(device));
  }
  if (reasons & INCOMPATIBLE.device) {
    return refusal(
      phrase`Its chip is not one that ${device.executionProvider} knows${note}.`,
      'Install a newer version of this app or of the execution provider library.',
    );
  }
  if (reasons & INCOMPATIBLE.missing) {
    return refusal(phrase`Something that ${device.executionProvider} needs is missing${note}.`, updateDriver(device));
  }
  return refusal(phrase`${device.executionProvider} does not take it${note}.`, updateDriver(device));
}

function failedTest(device: NamedDevice, problem: string, machine: Machine): Refusal {
  if (/unknown soc|soc[_ ]?model|unsupported soc/i.test(problem)) {
    return refusal(
      phrase`Its chip is not one that ${device.executionProvider} knows: ${sentence(problem)}`,
      'Install a newer version of this app or of the execution provider library, then run the self-test again.',
    );
  }
  // ONNX Runtime's words where a provider leaves a graph to the processor.
  if (/fallback to CPU EP has been explicitly disabled/i.test(problem)) {
    return refusal(
      phrase`Its self-test failed: ${device.executionProvider} finds it and takes no work for it. Its driver is missing or does not answer.`,
      machine.remoteDesktop ? REMOTE : phrase`${updateDriver(device)} Then run the self-test again.`,
    );
  }
  return refusal(
    phrase`Its self-test failed: ${sentence(problem)}`,
    machine.remoteDesktop ? REMOTE : phrase`${updateDriver(device)} Then run the self-test again.`,
  );
}

const REMOTE = said(
  'You are connected over Remote Desktop, which can hide such devices: sit at the machine itself and start the app there.',
);

/** A library as it was found in a folder, with how it fared. */
export interface LibraryFacts {
  executionProvider: string;
  outcome: 'registered' | 'refused' | 'crashed' | 'hung';
  /** What the loader or the library said, or what it was doing. */
  detail: string;
  machine: Machine;
}

/** For a library that gives no device: because it could not be registered, or because nothing here is for it. */
export function libraryRefusal({ executionProvider, outcome, detail, machine }: LibraryFacts): Refusal {
  if (outcome === 'crashed') {
    return refusal(phrase`The library crashed when it was tried (${detail}).`, RENEW);
  }
  if (outcome === 'hung') {
    return refusal(phrase`The library did not answer when it was tried (${detail}).`, RENEW);
  }
  if (outcome === 'refused') return refusedLibrary(executionProvider, detail, machine);
  if (machine.processorArch !== machine.arch) return needsArmBuild();
  if (machine.remoteDesktop) return refusal('It finds no device in this remote session.', REMOTE);
  if (executionProvider === 'OpenVINOExecutionProvider' && !machine.intelProcessor) {
    return refusal(
      'It is for Intel processors, and the processor of this machine is not made by Intel.',
      'Nothing needs to be done: other devices are used.',
    );
  }
  const maker = MAKERS[executionProvider];
  return maker === undefined
    ? refusal('It finds no device that it can use.', 'Nothing needs to be done: other devices are used.')
    : refusal(
        phrase`It finds no device that it can use: this machine has no ${maker}, or its driver is missing.`,
        'If this machine has one, install its driver.',
      );
}

const RENEW = said(
  'Fetch the library anew ("npm run providers"), install the newest driver, then run the self-test again.',
);

const MAKERS: Readonly<Record<string, string>> = {
  QNNExecutionProvider: 'Snapdragon NPU',
  OpenVINOExecutionProvider: 'Intel NPU',
  VitisAIExecutionProvider: 'Ryzen AI NPU',
};

function refusedLibrary(executionProvider: string, detail: string, machine: Machine): Refusal {
  // Windows error 193; ELF of another machine or word size.
  if (/error 193\b|wrong ELF class|invalid ELF header|Exec format|wrong architecture/i.test(detail)) {
    if (machine.processorArch !== machine.arch) return needsArmBuild();
    return refusal(
      phrase`The library is made for another kind of machine than this one (${machine.platform} ${machine.arch}).`,
      phrase`Put the library for ${machine.platform} ${machine.arch} into the folder ("npm run providers" fetches it).`,
    );
  }
  if (/error 5\b|access is denied/i.test(detail)) {
    return refusal(
      'Windows does not let this program load it from where it lies.',
      phrase`Choose a folder with ${executionProvider} of your own; its maker offers it for download.`,
    );
  }
  if (/file too short/i.test(detail)) {
    return refusal('The file is cut short, or no library at all.', RENEW);
  }
  // Windows error 126: a DLL that it needs.
  if (/error 126\b|cannot open shared object file|image not found/i.test(detail)) {
    return refusal(
      phrase`A library that it needs is missing: ${sentence(detail)}`,
      'Keep all files of its package together in one folder; fetch them anew with "npm run providers".',
    );
  }
  if (/error 127\b|undefined symbol|CreateEpFactories|API version/i.test(detail)) {
    return refusal(
      phrase`It does not fit this version of ONNX Runtime: ${sentence(detail)}`,
      phrase`Use a version of ${executionProvider} that was made for it ("npm run providers" fetches one).`,
    );
  }
  return refusal(phrase`The library could not be registered: ${sentence(detail)}`, RENEW);
}

function needsArmBuild(): Refusal {
  return refusal(
    'This is the x64 build of the app on an ARM64 machine; emulated programs do not reach the NPU.',
    'Install the ARM64 build.',
  );
}

/** For an NPU that the machine has and no library takes. */
export function unclaimedNpu(
  npu: { executionProvider: string | undefined },
  machine: Machine,
  registered: boolean,
): Refusal {
  if (machine.processorArch !== machine.arch) return needsArmBuild();
  if (registered) {
    return refusal(
      phrase`${npu.executionProvider} does not take it: its driver is missing, too old, or the chip is unknown to this version.`,
      'Install the newest driver of the NPU from the maker of the machine, then look again.',
    );
  }
  return refusal(
    'The machine has this NPU, but the library that drives it (its execution provider) is not installed.',
    npu.executionProvider === 'VitisAIExecutionProvider'
      ? "Install AMD's Ryzen AI software and choose its folder of libraries."
      : 'Run "npm run providers" in the project\'s folder, or choose a folder that holds the library.',
  );
}

function updateDriver({ type }: Pick<DeviceInfo, 'type'>): Phrase {
  return phrase`Install the newest ${type} driver from the maker of the machine.`;
}

/** As the end of a text: first line, with a full stop. */
function sentence(text: string): string {
  const line = text.split('\n', 1)[0]?.trim() ?? '';
  return /[.!?]$/.test(line) ? line : `${line}.`;
}
