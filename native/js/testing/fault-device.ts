/** The fault-injection test device (native/test/fault-ep) in a folder of its own: a library as users have them, with faults. */
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { buildFaultEp, faultLibraryName } from '../../test/fault-ep/build.mjs';

/** Name of the execution provider, and the id of its one device. */
export const FAULT_PROVIDER = 'faulttestExecutionProvider';
export const FAULT_DEVICE = `${FAULT_PROVIDER}:NPU:0`;

/** `STAGE KIND [AFTER]`, see native/test/fault-ep/fault.h; '' for none. */
export type Fault =
  | ''
  | `${'register' | 'create' | 'run'} ${'fail' | 'throw' | 'crash' | 'hang' | 'nan' | 'lost'}${'' | ` ${number}`}`;

export class FaultDevice {
  readonly folder = mkdtempSync(join(tmpdir(), 'shadownpu-fault-'));

  /** Builds the library where that has not been done. Throws where neither compiler nor headers can be had. */
  static async make(fault: Fault = ''): Promise<FaultDevice> {
    const library = await buildFaultEp();
    const device = new FaultDevice();
    copyFileSync(library, join(device.folder, basename(library)));
    device.show(fault);
    return device;
  }

  /** From now on, in all processes. */
  show(fault: Fault): void {
    writeFileSync(join(this.folder, 'fault'), fault);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A folder with another file under the library's name. @param file absent: none, as after a failed download */
export function folderWith(file?: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'shadownpu-fault-'));
  if (file !== undefined) {
    copyFileSync(file, join(folder, faultLibraryName(`${process.platform}-${process.arch}`)));
  }
  return folder;
}
