/** Starts the parser of documents as a process of its own: a file that makes it end takes nothing else along. */
import path from 'node:path';
import type { SpawnParser } from '../documents/reader.ts';
import { forkUtility } from './fork-utility.ts';

/** `dist` is the folder of the bundles, where parser.cjs lies. */
export function spawnParser(dist: string): SpawnParser {
  return (listener) => forkUtility(path.join(dist, 'parser.cjs'), [], 'ShadowNPU document parser', listener);
}
