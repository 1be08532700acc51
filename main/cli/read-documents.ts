/** The parser process as commands use it. */
import path from 'node:path';
import { dataDir } from '../data-dir.mjs';
import { DocumentReader, type ReadOptions } from '../documents/reader.ts';
import { forkParser } from '../documents/spawn-parser.ts';
import { distFile } from '../engine/paths.ts';
import type { Interrupt } from './interrupt.ts';
import type { OptionValues } from './options.ts';
import { note } from './output.ts';

/** Runs `work` with a reader of documents and ends its process whatever happens. */
export async function withReader<T>(work: (reader: DocumentReader) => Promise<T>): Promise<T> {
  const reader = new DocumentReader({
    spawn: forkParser(distFile('parser.cjs')),
    log: (line) => {
      if (process.env.SHADOWNPU_DEBUG) note(line);
    },
  });
  try {
    return await work(reader);
  } finally {
    reader.stop();
  }
}

/** How documents are read by the options. */
export function readOptionsOf({ password, ocr }: OptionValues, { signal }: Interrupt): ReadOptions {
  return {
    signal,
    ...(password === undefined ? {} : { password }),
    ...(ocr === undefined ? {} : { ocr: { languages: ocr, folder: path.join(dataDir(), 'ocr') } }),
  };
}
