/** Chooses which device runs what: from pins and wishes of the user, and from measured costs. Pure. */
import type { DeviceInfo, PartPlace, PlacedPart, Placement } from '../../../contract/engine.ts';
import { english, type Phrase, phrase, said } from '../../../contract/phrase.ts';

/** This program's own code on the processor. */
export const OWN_CODE = 'cpu';

export type PlacementDevice = Pick<DeviceInfo, 'id' | 'name' | 'type' | 'usable' | 'reason' | 'phrases' | 'virtual'> & {
  /** Parts whose graphs the device takes. */
  takes: readonly PlacedPart[];
  /** Parts among them whose form loses too much quality to be chosen unasked. */
  lossy: readonly PlacedPart[];
};

/** What a part takes on a device, in milliseconds that can be compared with those of `cpu` for the same part. */
export interface PartCost {
  part: PlacedPart;
  /** `cpu` or a device's id. */
  device: string;
  ms: number;
}

export interface PlacementFacts {
  devices: readonly PlacementDevice[];
  costs: readonly PartCost[];
}

/** Places of all parts, and devices that could not be considered since nobody knows what a part takes on them. */
export interface PlacementChoice {
  places: PartPlace[];
  unmeasured: { part: PlacedPart; device: string }[];
}

/** A device must need at most this share of the processor's time: less gained is not worth a second device's power. */
const WORTH_IT = 0.9;
/** On battery an NPU may need this much more than the processor, which draws several times its power. */
const BATTERY_SLACK = 1.5;

const PARTS: readonly PlacedPart[] = ['linear', 'pilot', 'decode'];
const UNITS: Record<PlacedPart, Phrase> = {
  linear: said('for a chunk of a prompt'),
  pilot: said('for a head of a chunk'),
  decode: said('for a token'),
};

/** Devices of ONNX Runtime's own processor provider are taken only where they are pinned. */
export function choosePlacement(wish: Placement, facts: PlacementFacts): PlacementChoice {
  const unmeasured: PlacementChoice['unmeasured'] = [];
  const places = PARTS.map((part) => {
    const pinned = wish[part];
    if (pinned !== 'auto') return pinnedPlace(part, pinned, facts.devices);
    const candidates = facts.devices.filter((device) => isCandidate(device, part));
    const allowed = candidates.filter(({ type }) => !(wish.avoidGpu && type === 'GPU'));
    for (const { id } of allowed) if (costOf(facts, part, id) === undefined) unmeasured.push({ part, device: id });
    return autoPlace(part, wish, candidates, allowed, facts);
  });
  return { places, unmeasured };
}

function isCandidate({ type, usable, virtual, takes, lossy }: PlacementDevice, part: PlacedPart): boolean {
  return type !== 'CPU' && usable && !virtual && takes.includes(part) && !lossy.includes(part);
}

function pinnedPlace(part: PlacedPart, pinned: string, devices: readonly PlacementDevice[]): PartPlace {
  const onProcessor = (reason: string | Phrase) => placed(part, OWN_CODE, reason);
  if (pinned === OWN_CODE) return onProcessor('It was chosen.');
  const device = devices.find(({ id }) => id === pinned);
  if (device === undefined) return onProcessor(phrase`The chosen device ${pinned} is not on this machine now.`);
  const { name, usable, reason, phrases, takes, virtual } = device;
  if (virtual) return onProcessor(phrase`${name} was chosen, but it stands for a machine that is not here.`);
  if (!usable)
    return onProcessor(
      phrase`${name} was chosen, but it cannot be used: ${phrases?.reason ?? reason ?? said('no reason is known')}`,
    );
  if (!takes.includes(part)) return onProcessor(phrase`${name} was chosen, but it takes no graphs of this part.`);
  return placed(part, pinned, 'It was chosen.');
}

function autoPlace(
  part: PlacedPart,
  { saveBattery }: Placement,
  candidates: readonly PlacementDevice[],
  allowed: readonly PlacementDevice[],
  facts: PlacementFacts,
): PartPlace {
  const onProcessor = (reason: string | Phrase) => placed(part, OWN_CODE, reason);
  if (candidates.length === 0) return onProcessor('No other device of this machine can do it.');
  if (allowed.length === 0) return onProcessor('The GPU is left alone.');
  const own = costOf(facts, part, OWN_CODE);
  const measured = allowed
    .map((device) => ({ device, ms: costOf(facts, part, device.id) ?? Number.POSITIVE_INFINITY }))
    .filter(({ ms }) => Number.isFinite(ms))
    .sort((a, b) => a.ms - b.ms);
  const [fastest] = measured;
  if (own === undefined || fastest === undefined) {
    return onProcessor(phrase`How long it takes on ${namesOf(allowed)} has not been measured yet.`);
  }
  const times = (ms: number) => phrase`${format(ms)} ${UNITS[part]}, the processor needs ${format(own)}`;
  const frugal = measured.find(({ device, ms }) => device.type === 'NPU' && ms <= BATTERY_SLACK * own);
  if (saveBattery && frugal !== undefined) {
    return placed(part, frugal.device.id, phrase`It saves battery: ${times(frugal.ms)}.`);
  }
  if (fastest.ms <= WORTH_IT * own) {
    return placed(part, fastest.device.id, phrase`It is the fastest: ${times(fastest.ms)}.`);
  }
  return onProcessor(phrase`${fastest.device.name} would not be faster: ${times(fastest.ms)}.`);
}

function placed(part: PlacedPart, device: string, reason: string | Phrase): PartPlace {
  return { part, device, reason: english(reason), phrase: said(reason) };
}

function costOf({ costs }: PlacementFacts, part: PlacedPart, device: string): number | undefined {
  return costs.find((cost) => cost.part === part && cost.device === device)?.ms;
}

function namesOf(devices: readonly PlacementDevice[]): string {
  return devices.map(({ name }) => name).join(' / ');
}

function format(ms: number): string {
  return `${ms < 10 ? ms.toPrecision(2) : Math.round(ms)} ms`;
}
