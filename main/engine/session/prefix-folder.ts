/**
 * The folder of prompts that were read: one folder for each set of documents, in it a file for each prompt. What is here is
 * made of the documents' texts, so that it goes when they go; nothing of it is needed, it only saves time.
 */
import { readdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive } from '../model/import-files.ts';

/** Of a document's SHA-256 so much names it. */
const NAME = 32;
/** Prompts of more documents together are not kept: the next question would hardly be about the same ones. */
const MOST_DOCUMENTS = 4;
const SUFFIX = '.kv';
const TEMPORARY = /\.(\d+)-[0-9a-f]+\.tmp$/;

export interface PrefixFile {
  readonly path: string;
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly used: number;
}

/** Name of the folder for prompts about documents, by their SHA-256; undefined where these are too many. */
export function groupOf(documents: readonly string[]): string | undefined {
  if (documents.length === 0 || documents.length > MOST_DOCUMENTS) return undefined;
  return documents.map((sha256) => sha256.slice(0, NAME)).join('-');
}

export class PrefixFolder {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  pathOf(group: string, name: string): string {
    return join(this.#folder, group, `${name}${SUFFIX}`);
  }

  /** The files of one group, or of all, the one used last first. Removes what writers that have ended left behind. */
  async list(group?: string): Promise<PrefixFile[]> {
    const groups = group === undefined ? await namesIn(this.#folder) : [group];
    const files: PrefixFile[] = [];
    for (const folder of groups.map((name) => join(this.#folder, name))) {
      for (const name of await namesIn(folder)) {
        const path = join(folder, name);
        const writer = TEMPORARY.exec(name)?.[1];
        if (writer !== undefined && !isAlive(Number(writer))) await rm(path, { force: true });
        const facts = name.endsWith(SUFFIX) ? await stat(path).catch(() => undefined) : undefined;
        if (facts?.isFile()) files.push({ path, bytes: facts.size, used: facts.mtimeMs });
      }
    }
    return files.sort((a, b) => b.used - a.used);
  }

  async touch(path: string): Promise<void> {
    const now = new Date();
    await utimes(path, now, now).catch(() => undefined);
  }

  /** Removes what was used longest ago until `bytes` are left at the most. */
  async trim(bytes: number): Promise<void> {
    let total = 0;
    for (const file of await this.list()) {
      total += file.bytes;
      if (total > bytes) await rm(file.path, { force: true });
    }
  }

  /** Removes every prompt that a document is part of. */
  async forget(sha256: string): Promise<void> {
    await this.#removeWhere((names) => names.includes(sha256.slice(0, NAME)));
  }

  /** Removes every prompt that another document than these is part of. */
  async retain(documents: readonly string[]): Promise<void> {
    const known = new Set(documents.map((sha256) => sha256.slice(0, NAME)));
    await this.#removeWhere((names) => !names.every((name) => known.has(name)));
  }

  async #removeWhere(goes: (names: readonly string[]) => boolean): Promise<void> {
    for (const group of await namesIn(this.#folder)) {
      if (goes(group.split('-'))) await rm(join(this.#folder, group), { recursive: true, force: true });
    }
  }

  /** Bytes that are taken. */
  async bytes(): Promise<number> {
    return (await this.list()).reduce((sum, file) => sum + file.bytes, 0);
  }

  async clear(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** None where there is no such folder. */
function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}
