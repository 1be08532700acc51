/**
 * What was learnt of this machine's devices and is worth keeping: self-tests, faults, libraries that were tried. One small
 * JSON file; where there is no folder for it, it lasts as long as the process.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { SelfTest } from '../../../contract/engine.ts';
import { Reason } from '../../../contract/phrase.ts';

const FILE = 'devices.json';

/** What a finding about a device holds for: another provider, driver or ONNX Runtime makes it void. */
const DeviceState = v.string();

/** How a library fared when it was tried in a process of its own. */
const LibraryTrial = v.object({
  /** Digest and size of the file, provider name and ONNX Runtime's version. */
  state: v.string(),
  outcome: v.picklist(['registered', 'refused', 'crashed', 'hung']),
  detail: v.string(),
});
export type LibraryTrial = v.InferOutput<typeof LibraryTrial>;

const Kept = v.object({
  formatVersion: v.literal(1),
  /** By device id. */
  selfTests: v.record(v.string(), v.object({ state: DeviceState, result: SelfTest })),
  faults: v.record(v.string(), v.object({ state: DeviceState, reason: Reason })),
  /** By path of the library. */
  libraries: v.record(v.string(), LibraryTrial),
});
export type Kept = v.InferOutput<typeof Kept>;

const nothing = (): Kept => ({ formatVersion: 1, selfTests: {}, faults: {}, libraries: {} });

export class KeptFindings {
  private readonly file: string | undefined;
  private kept = nothing();

  constructor(folder: string | undefined) {
    this.file = folder === undefined ? undefined : join(folder, FILE);
  }

  /** The state now, other processes' findings included; nothing where the file is missing or damaged. */
  read(): Kept {
    if (this.file === undefined) return this.kept;
    try {
      const parsed = v.safeParse(Kept, JSON.parse(readFileSync(this.file, 'utf8')));
      // What could not be written is still known here.
      if (parsed.success) this.kept = parsed.output;
    } catch {
      // as damaged
    }
    return this.kept;
  }

  /** Changes the state in one step. A folder that cannot be written costs a repeated test, no more. */
  update(change: (kept: Kept) => void): void {
    const kept = structuredCloneOf(this.read());
    change(kept);
    this.kept = kept;
    if (this.file === undefined) return;
    const temporary = `${this.file}.${process.pid}.tmp`;
    try {
      mkdirSync(dirname(this.file), { recursive: true });
      writeFileSync(temporary, JSON.stringify(kept, undefined, 2));
      renameSync(temporary, this.file);
    } catch {
      rmSync(temporary, { force: true });
    }
  }
}

function structuredCloneOf(kept: Kept): Kept {
  return JSON.parse(JSON.stringify(kept)) as Kept;
}
