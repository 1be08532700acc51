/** Tries a library in a process of its own before this process loads it; each file once, as long as it stays the same. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { nativeVersions } from '../../../native/js/load.ts';
import type { KeptFindings, LibraryTrial } from './kept.ts';
import type { EpLibrary } from './libraries.ts';
import { machineOfLibrary } from './library-format.ts';
import { runTestNow, type TestOutcome } from './test-process.ts';

/** Loading takes a second at most; drivers that start a service take longer. */
const LIMIT_MS = 30_000;

/** @param kept where earlier trials are looked up and this one is noted */
export function tryLibrary(library: EpLibrary, kept: KeptFindings): LibraryTrial {
  let state: string;
  try {
    const bytes = readFileSync(library.path);
    const machine = machineOfLibrary(bytes);
    if (machine !== undefined && machine !== `${process.platform} ${process.arch}`) {
      return { state: '', outcome: 'refused', detail: `wrong architecture: it is made for ${machine}` };
    }
    state = stateOf(library, bytes);
  } catch (error) {
    return { state: '', outcome: 'refused', detail: error instanceof Error ? error.message : String(error) };
  }
  const known = kept.read().libraries[library.path];
  if (known?.state === state) return known;
  const trial = { state, ...judge(runTestNow({ library }, LIMIT_MS)) };
  kept.update(({ libraries }) => {
    libraries[library.path] = trial;
  });
  return trial;
}

function judge({ reports, end, lastWords }: TestOutcome): Omit<LibraryTrial, 'state'> {
  if (end !== 'well') return { outcome: end, detail: lastWords };
  for (const report of reports) {
    if (report.type === 'refused') return { outcome: 'refused', detail: report.detail };
    if (report.type === 'registered') return { outcome: 'registered', detail: '' };
  }
  return { outcome: 'crashed', detail: lastWords };
}

/** Files of EP libraries have some megabytes; those that they load in turn are not looked at. */
function stateOf({ name }: EpLibrary, bytes: Buffer): string {
  const digest = createHash('sha256').update(bytes).digest('hex');
  return [name, digest, bytes.length, nativeVersions().ort].join(' ');
}
