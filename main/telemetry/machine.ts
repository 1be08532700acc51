/** What reads a machine's sensors: one for each operating system. */
import { freemem, totalmem } from 'node:os';
import type { MachineReadings } from '../../contract/resources.ts';

export interface MachineReader {
  /**
   * Readings now; rates since the last call. What cannot be read is null, whatever the reason.
   * @param everyMs how often it is called @param pids of this app's processes
   * @param atRest nobody looks, and nothing is answered: what is dear may be left out
   */
  read(everyMs: number, pids: readonly number[], atRest?: boolean): Promise<MachineReadings>;
}

/** What Node itself knows of memory. */
export function systemMemory(): MachineReadings['memory'] {
  return { totalBytes: totalmem(), availableBytes: freemem(), swapTotalBytes: null, swapUsedBytes: null };
}
