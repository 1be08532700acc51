/** The parser process as commands use it. */
import { DocumentReader } from '../documents/reader.ts';
import { forkParser } from '../documents/spawn-parser.ts';
import { distFile } from '../engine/paths.ts';
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
