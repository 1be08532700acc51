/** Finds files of the installation from wherever this code runs: bundled in dist/, packaged, or as source under Vitest. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '../../contract/errors.ts';
import { phrase } from '../../contract/phrase.ts';

/** Absolute path of a built file in dist/. Throws AppError 'internal' where it is missing. */
export function distFile(name: string): string {
  return findUp([name, path.join('dist', name)]);
}

/** Absolute path of a file in resources/. Throws AppError 'internal' where it is missing. */
export function resourceFile(name: string): string {
  return findUp([path.join('resources', name)]);
}

/** Absolute path of a folder of the installation that need not be there. */
export function installedFolder(name: string): string | undefined {
  return lookUp([name]);
}

function findUp(names: readonly string[]): string {
  const found = lookUp(names);
  if (found !== undefined) return found;
  throw new AppError('internal', phrase`${names.at(-1)} is missing from this installation.`, {
    action: 'Run "npm run build", or install the app again.',
  });
}

function lookUp(names: readonly string[]): string | undefined {
  for (let dir = __dirname; ; dir = path.dirname(dir)) {
    for (const name of names) {
      const candidate = path.join(dir, name);
      if (existsSync(candidate)) return candidate;
    }
    if (path.dirname(dir) === dir) return undefined;
  }
}
