/** JSON files that say by themselves whether they are whole: a line with the digest of the rest comes first. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { replaceFile } from '../model/attention-calibration-file.ts';

/** Writes `value` in one step. Throws AppError where the folder cannot be written. */
export async function writeSealed(path: string, value: unknown): Promise<void> {
  const json = JSON.stringify(value);
  await replaceFile(path, `${digestOf(json)}\n${json}`);
}

/**
 * What writeSealed has written, of type T where the file's name says what is in it; undefined where there is no file, or not
 * all of it.
 */
export async function readSealed<T>(path: string): Promise<T | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch {
    return undefined;
  }
  const end = text.indexOf('\n');
  const json = text.slice(end + 1);
  return text.slice(0, end) === digestOf(json) ? (JSON.parse(json) as T) : undefined;
}

function digestOf(json: string): string {
  return createHash('sha256').update(json).digest('hex');
}
