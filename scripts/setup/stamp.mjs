/** Stamps: small JSON files that remember what was done, so that the next start can skip it. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/**
 * @param {string} file
 * @returns {Record<string, unknown> | undefined} undefined when it is missing or unreadable: then the work is redone
 */
export function readStamp(file) {
  try {
    const value = JSON.parse(readFileSync(file, 'utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Writes all or nothing.
 * @param {string} file
 * @param {Record<string, unknown>} value
 */
export function writeStamp(file, value) {
  mkdirSync(dirname(file), { recursive: true });
  const temporary = `${file}.${process.pid}.tmp`;
  writeFileSync(temporary, `${JSON.stringify(value, undefined, 2)}\n`);
  renameSync(temporary, file);
}

/**
 * A digest over names, sizes and change times of files; no contents are read, so a few hundred files take milliseconds.
 * @param {string} root names are taken relative to it
 * @param {string[]} paths files or folders under `root`; a missing one counts as such
 * @param {(path: string) => boolean} [keep] false leaves a file or folder out
 * @returns {string} hexadecimal
 */
export function fingerprint(root, paths, keep = () => true) {
  const hash = createHash('sha256');
  /** @param {string} path */
  const visit = (path) => {
    const name = relative(root, path).replaceAll('\\', '/');
    if (!keep(name)) return;
    const info = statSync(path, { throwIfNoEntry: false });
    if (info?.isDirectory()) {
      for (const entry of readdirSync(path).sort()) visit(join(path, entry));
    } else {
      hash.update(`${name}\0${info ? `${info.size}\0${info.mtimeMs}` : 'missing'}\n`);
    }
  };
  for (const path of paths) visit(join(root, path));
  return hash.digest('hex');
}
