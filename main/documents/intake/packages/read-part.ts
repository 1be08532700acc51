/** Reads a part of a package as far as it is sound. */
import type { Collector } from '../collector.ts';
import { TooDeep } from '../markup/xml.ts';
import { DamagedPart } from './archive.ts';

/** A part that is damaged or nested too deeply gives what comes before that, and that is said. */
export async function readPart(collector: Collector, part: string, read: () => Promise<void>): Promise<void> {
  try {
    await read();
  } catch (error) {
    if (error instanceof DamagedPart) collector.problem({ kind: 'damaged', detail: part });
    else if (error instanceof TooDeep) collector.problem({ kind: 'cut', limit: 'depth' });
    else throw error;
  }
}
