/** The catalogue as this machine sees it: what is here already, and whether there is memory for the rest. */
import { basename } from 'node:path';
import type { MemoryEstimate, ModelInfo } from '../../contract/engine.ts';
import type { CatalogEntry, OfferedModel } from '../../contract/models.ts';
import { fileNameOf } from './catalog.ts';
import { type FreeMemory, fitOf } from './fit.ts';

export interface Machine {
  readonly models: readonly ModelInfo[];
  readonly free: FreeMemory;
  readonly estimate: (entry: CatalogEntry) => MemoryEstimate;
}

export function offersOf(entries: readonly CatalogEntry[], machine: Machine): OfferedModel[] {
  return entries.map((entry) => {
    const installed = machine.models.find((model) => isOf(model, entry));
    return {
      ...entry,
      fit: fitOf(machine.estimate(entry), machine.free),
      ...(installed === undefined ? {} : { installed: installed.id }),
    };
  });
}

/** The entry whose very file a model is. */
export function entryOf(model: ModelInfo, entries: readonly CatalogEntry[]): CatalogEntry | undefined {
  return model.sourcePath === undefined ? undefined : entries.find((entry) => isOf(model, entry));
}

/** Whether a model came from the entry's file: by the file's name and size, or without a file by the name of its import. */
function isOf({ id, sourcePath, sourceBytes }: ModelInfo, entry: CatalogEntry): boolean {
  const name = fileNameOf(entry).toLowerCase();
  if (sourcePath === undefined) return `${id}.gguf` === name;
  return basename(sourcePath).toLowerCase() === name && (sourceBytes ?? entry.bytes) === entry.bytes;
}
