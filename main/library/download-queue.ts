/** Which downloads were wanted when the app ended, in order: a small file in the models folder. */
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';

const Queue = v.array(v.object({ entryId: v.string(), paused: v.boolean() }));
export type Queue = v.InferOutput<typeof Queue>;

/** Nothing where there is no such file, or none that can be read. */
export async function readQueue(folder: string): Promise<Queue> {
  try {
    return v.parse(Queue, JSON.parse(await readFile(pathIn(folder), 'utf8')));
  } catch {
    return [];
  }
}

export async function writeQueue(folder: string, queue: Queue): Promise<void> {
  await writeFile(`${pathIn(folder)}.tmp`, JSON.stringify(queue));
  await rename(`${pathIn(folder)}.tmp`, pathIn(folder));
}

const pathIn = (folder: string) => join(folder, '.downloads.json');
