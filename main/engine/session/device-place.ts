/**
 * Places the parts of a loaded model on devices: chooses, opens, measures what has not been measured, and falls back to the
 * processor wherever a device does not do it. Engine thread, between requests.
 */
import type {
  DeviceInfo,
  DeviceProblem,
  DeviceUse,
  PartPlace,
  PlacedPart,
  Placement,
} from '../../../contract/engine.ts';
import { AppError } from '../../../contract/errors.ts';
import type { Reason } from '../../../contract/phrase.ts';
import type { NativeAddon } from '../../../native/js/index.ts';
import type { Profile } from '../calibration/profile.ts';
import { choosePlacement, OWN_CODE, type PartCost, type PlacementChoice } from '../device/placement.ts';
import { type CostKey, pilotCosts, readCosts, storeCosts } from '../device/placement-costs.ts';
import { type LinearForm, linearForm } from '../device/placement-forms.ts';
import { refusal } from '../device/reasons.ts';
import type { DeviceRegistry } from '../device/registry.ts';
import { reasonOf } from '../failure-note.ts';
import { DeviceFault } from './device-host.ts';
import { measureLinear } from './device-measure.ts';
import { openParts } from './device-open.ts';
import { LINEAR_PARTS, type LinearPart, type PlacedLinear } from './device-parts.ts';
import type { LoadedModel } from './loaded-model.ts';

export interface PlacerOptions {
  native: NativeAddon;
  registry: DeviceRegistry;
  model: LoadedModel;
  wish: Placement;
  /** Devices that are not to be used for a reason that the registry does not keep. */
  excluded: readonly { device: string; reason: Reason }[];
  /** Of the processor; without one pilots are placed only where they are pinned. */
  profile?: Profile | undefined;
  /** Share of the keys that `shadow` keeps unless asked otherwise. */
  share: number;
  /** Where costs are kept; absent: nowhere, so that only pins count. */
  costsDir?: string | undefined;
  /** Folder of device graphs. */
  graphsDir: string;
  /** See DeviceStart. */
  patienceMs?: number | undefined;
}

export interface PlaceHooks {
  onProgress?: ((stage: 'compile' | 'load', done: number, total: number) => void) | undefined;
  /** Told before a device does anything. */
  onUse?: ((uses: readonly DeviceUse[]) => void) | undefined;
  signal?: AbortSignal | undefined;
}

export interface Placed {
  places: PartPlace[];
  problems: DeviceProblem[];
  /** Whether a device might do better than `places`, if only it were measured. */
  unmeasured: boolean;
}

export interface Measured {
  places: PartPlace[];
  changed: boolean;
}

export class Placer {
  private readonly options: PlacerOptions;
  private readonly problems: DeviceProblem[] = [];
  /** Devices that failed while they were placed. */
  private readonly left = new Map<string, Reason>();

  constructor(options: PlacerOptions) {
    this.options = options;
    for (const { device, reason } of options.excluded) this.left.set(device, reason);
  }

  /** Chooses and opens. Throws AppError 'cancelled', 'disk-full' and 'storage-failed'; a device's failure is no error. */
  async place(hooks: PlaceHooks = {}): Promise<Placed> {
    const { model } = this.options;
    const opened = new Map<LinearPart, PlacedLinear>();
    let choice = this.choose();
    try {
      // What is opened is measured where it was not, and may fail: then the choice is another.
      for (let next = missing(choice, opened); next !== undefined; next = missing(choice, opened)) {
        const parts = LINEAR_PARTS.filter((part) => placeOf(choice, part) === next && !opened.has(part));
        const placed = await this.open(next, parts, hooks);
        if (placed) for (const part of parts) opened.set(part, this.withMinRows(part, placed));
        choice = this.choose();
        await closeOthers(choice, opened);
      }
      await model.place(opened);
    } catch (error) {
      for (const { host } of opened.values()) await host.close();
      throw error;
    }
    const pilot = placeOf(choice, 'pilot');
    model.placedPilot = pilot === OWN_CODE ? undefined : pilot;
    const { places, unmeasured } = choice;
    return { places, problems: this.problems, unmeasured: unmeasured.length > 0 };
  }

  /**
   * Tests, compiles for and measures the devices that `place` left out for want of a measurement. Throws AppError as `place`.
   * @returns the places that the parts would have now, and whether they are others than before
   */
  async measure(hooks: PlaceHooks = {}): Promise<Measured> {
    const before = this.choose();
    const { registry } = this.options;
    const { signal } = hooks;
    for (const id of new Set(before.unmeasured.map(({ device }) => device))) {
      // In a process of its own, so that a driver that crashes is known before it runs in this one.
      if (isUntested(registry, id)) await registry.selfTest(id, signal ? { signal } : {});
      const device = registry.list().find((known) => known.id === id);
      if (device?.selfTest?.passed !== true || linearForm(device) === undefined) continue;
      const placed = await this.open(id, LINEAR_PARTS, hooks);
      await placed?.host.close();
    }
    const { places } = this.choose();
    return { places, changed: places.some(({ part, device }) => device !== placeOf(before, part)) };
  }

  /** Opens parts on a device and measures those that have not been; undefined where it fails. */
  private async open(id: string, parts: readonly LinearPart[], hooks: PlaceHooks): Promise<PlacedLinear | undefined> {
    const { native, registry, model, graphsDir, patienceMs } = this.options;
    const { bundle, shared, forward } = model;
    const device = registry.list().find((known) => known.id === id);
    const form = device && linearForm(device);
    if (device === undefined || form === undefined) {
      this.left.set(id, 'it takes no graphs of this part');
      return undefined;
    }
    hooks.onUse?.(parts.map((part) => ({ device: id, part })));
    let placed: PlacedLinear | undefined;
    try {
      const { flavour } = form;
      const { shape } = shared;
      const chunk = forward.chunkSize;
      const { onProgress, signal } = hooks;
      const open = registry.open(id);
      const request = { native, bundle, shape, chunk, device, open, flavour, parts, cacheDir: graphsDir };
      placed = await openParts({ ...request, patienceMs, onProgress, signal });
      await this.measureParts(placed, parts, device, form, signal);
      return placed;
    } catch (error) {
      await placed?.host.close();
      const problem = AppError.from(error);
      if (['cancelled', 'disk-full', 'storage-failed'].includes(problem.kind)) throw problem;
      this.fail(id, parts, error);
      return undefined;
    } finally {
      hooks.onUse?.([]);
    }
  }

  private fail(device: string, parts: readonly LinearPart[], error: unknown): void {
    const fault = error instanceof DeviceFault ? error : undefined;
    const reason = fault?.reason ?? reasonOf(error);
    const hung = fault?.hung ?? false;
    this.left.set(device, reason);
    this.problems.push({ device, part: parts[0] ?? 'linear', reason, ...(hung ? { hung } : {}) });
    this.options.model.markFaulty(device, reason);
  }

  private async measureParts(
    placed: PlacedLinear,
    parts: readonly LinearPart[],
    device: DeviceInfo,
    form: LinearForm,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { costsDir, model } = this.options;
    if (costsDir === undefined) return;
    const key = this.costKey(device, form);
    const known = readCosts(costsDir, key);
    for (const part of parts) {
      if (known.some((cost) => cost.part === part)) continue;
      await storeCosts(costsDir, key, await measureLinear(model, placed, part, signal));
    }
  }

  /** Rows from which on a device that was not pinned beats the processor, which needs less for fewer rows. */
  private withMinRows(part: LinearPart, placed: PlacedLinear): PlacedLinear {
    const { wish, model } = this.options;
    if (part === 'decode' || wish[part] !== 'auto') return placed;
    const costs = this.costs();
    const ms = (device: string) => costs.find((cost) => cost.part === part && cost.device === device)?.ms ?? 0;
    const minRows = Math.ceil((model.forward.chunkSize * ms(placed.device)) / (ms(OWN_CODE) || 1));
    return { ...placed, minRows: Math.max(1, minRows) };
  }

  private choose(): PlacementChoice {
    const devices = this.options.registry.list().map((info) => {
      const form = linearForm(info);
      const takes: PlacedPart[] = [
        ...(form ? LINEAR_PARTS : []),
        ...(info.flavours.includes('pilot-u8') ? (['pilot'] as const) : []),
      ];
      const lossy = form?.lossy ? LINEAR_PARTS : [];
      const reason = info.usable ? this.left.get(info.id) : undefined;
      return { ...info, ...(reason === undefined ? {} : { usable: false, ...refusal(reason) }), takes, lossy };
    });
    return choosePlacement(this.options.wish, { devices, costs: this.costs() });
  }

  private costs(): PartCost[] {
    const { registry, costsDir, profile, share, model } = this.options;
    // `auto` chooses only what has been tried in a process of its own.
    const devices = registry.list().filter(({ usable, selfTest }) => usable && selfTest?.passed === true);
    const linear = devices.flatMap((device) => {
      const form = linearForm(device);
      return form && costsDir !== undefined ? readCosts(costsDir, this.costKey(device, form)) : [];
    });
    return [...linear, ...(profile ? pilotCosts(profile, devices, { share, threads: model.threads }) : [])];
  }

  private costKey({ id, epVersion, driver }: DeviceInfo, { flavour }: LinearForm): CostKey {
    const { model, native } = this.options;
    const { source, weights } = model.bundle.manifest;
    return {
      device: id,
      state: [epVersion ?? '', driver ?? ''].join(' | '),
      flavour,
      model: `${source.sha256} ${weights}`,
      processor: `${native.activeIsa()}, ${model.threads} threads`,
    };
  }
}

function isUntested(registry: DeviceRegistry, id: string): boolean {
  return registry.list().find((known) => known.id === id)?.selfTest === undefined;
}

function placeOf({ places }: PlacementChoice, part: PlacedPart): string {
  return places.find((place) => place.part === part)?.device ?? OWN_CODE;
}

/** A device that is chosen for a linear part and not open for it. */
function missing(choice: PlacementChoice, opened: ReadonlyMap<LinearPart, PlacedLinear>): string | undefined {
  const part = LINEAR_PARTS.find(
    (candidate) => ![OWN_CODE, opened.get(candidate)?.device].includes(placeOf(choice, candidate)),
  );
  return part && placeOf(choice, part);
}

/** Lets go of parts that are no longer where they were opened. */
async function closeOthers(choice: PlacementChoice, opened: Map<LinearPart, PlacedLinear>): Promise<void> {
  for (const [part, { device, host }] of [...opened]) {
    if (placeOf(choice, part) === device) continue;
    opened.delete(part);
    if (![...opened.values()].some((other) => other.host === host)) await host.close();
  }
}
