/** Finds the documents in a folder and all folders within it, and says what it left out and why. */
import type { Dirent, Stats } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../contract/errors.ts';
import { type LeftOut, SkipReason } from '../../contract/library-documents.ts';
import { phrase } from '../../contract/phrase.ts';
import { mayBeDocument } from './intake/detect.ts';

export interface FolderFile {
  path: string;
  bytes: number;
}

export interface FolderContents {
  /** In the order of their names, those of a folder before those of the folders within it. */
  files: FolderFile[];
  skipped: { path: string; reason: SkipReason }[];
}

export interface FolderLimits {
  files: number;
  depth: number;
  /** Entries that are looked at, of any kind. */
  entries: number;
}

const LIMITS: FolderLimits = { files: 2000, depth: 16, entries: 100_000 };
/** Folders of programs rather than of people; nobody keeps documents there. */
const PROGRAM_FOLDERS = new Set(['node_modules', '__pycache__', '$RECYCLE.BIN', 'System Volume Information']);
const SNIFF_BYTES = 4096;
/** So many of what was left out for one reason are named. */
const NAMED = 10;

/**
 * Links are not followed, so that no folder is seen twice. Throws AppError 'document-missing' where the folder itself cannot
 * be read, and 'cancelled'.
 */
export async function documentsIn(
  folder: string,
  options: { signal?: AbortSignal; limits?: Partial<FolderLimits> } = {},
): Promise<FolderContents> {
  const search = new Search({ ...LIMITS, ...options.limits }, options.signal);
  try {
    await search.visit(folder, await readdir(folder, { withFileTypes: true }), 0);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('document-missing', phrase`${path.basename(folder)} cannot be read.`, {
      action: 'Check that the folder is there and that you may read it.',
      detail: String(error),
      cause: error,
    });
  }
  return search.contents;
}

/** What was left out of folders, by reason, the weightiest first. Places are told from the folder on. */
export function leftOutOf(searched: readonly { folder: string; skipped: FolderContents['skipped'] }[]): LeftOut[] {
  return SkipReason.options.flatMap((reason) => {
    const places = searched.flatMap(({ folder, skipped }) =>
      skipped.filter((one) => one.reason === reason).map((one) => path.relative(path.dirname(folder), one.path)),
    );
    return places.length === 0 ? [] : [{ reason, count: places.length, names: places.slice(0, NAMED) }];
  });
}

class Search {
  readonly contents: FolderContents = { files: [], skipped: [] };
  readonly #limits: FolderLimits;
  readonly #signal: AbortSignal | undefined;
  #entries = 0;

  constructor(limits: FolderLimits, signal: AbortSignal | undefined) {
    this.#limits = limits;
    this.#signal = signal;
  }

  async visit(folder: string, entries: readonly Dirent[], depth: number): Promise<void> {
    const sorted = [...entries].sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of sorted) if (!entry.isDirectory()) await this.#file(path.join(folder, entry.name), entry);
    for (const entry of sorted)
      if (entry.isDirectory()) await this.#folder(path.join(folder, entry.name), entry, depth);
  }

  async #folder(folder: string, entry: Dirent, depth: number): Promise<void> {
    if (this.#isFull(folder)) return;
    if (entry.name.startsWith('.') || PROGRAM_FOLDERS.has(entry.name)) return this.#skip(folder, 'hidden');
    if (depth + 1 >= this.#limits.depth) return this.#skip(folder, 'too-deep');
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => undefined);
    if (entries === undefined) return this.#skip(folder, 'unreadable');
    await this.visit(folder, entries, depth + 1);
  }

  async #file(file: string, entry: Dirent): Promise<void> {
    if (this.#signal?.aborted) throw new AppError('cancelled', 'Looking for documents was stopped.');
    if (this.#isFull(file)) return;
    // Office keeps a file of this name beside each one that is open.
    if (entry.name.startsWith('.') || entry.name.startsWith('~$')) return this.#skip(file, 'hidden');
    if (entry.isSymbolicLink()) return this.#skip(file, 'link');
    if (!entry.isFile()) return this.#skip(file, 'not-a-document');
    const found = await look(file);
    if (found === undefined) return this.#skip(file, 'unreadable');
    if (found === 'other') return this.#skip(file, 'not-a-document');
    this.contents.files.push({ path: file, bytes: found.size });
  }

  /** Says once where the search ended. */
  #isFull(next: string): boolean {
    this.#entries += 1;
    const full = this.contents.files.length >= this.#limits.files || this.#entries > this.#limits.entries;
    if (full && this.contents.skipped.at(-1)?.reason !== 'limit') this.#skip(next, 'limit');
    return full;
  }

  #skip(place: string, reason: SkipReason): void {
    this.contents.skipped.push({ path: place, reason });
  }
}

/** Whether a file can be a document, by its first bytes and its name. */
async function look(file: string): Promise<Stats | 'other' | undefined> {
  try {
    const handle = await open(file, 'r');
    try {
      const start = Buffer.alloc(SNIFF_BYTES);
      const { bytesRead } = await handle.read(start, 0, SNIFF_BYTES, 0);
      return mayBeDocument(file, start.subarray(0, bytesRead)) ? await handle.stat() : 'other';
    } finally {
      await handle.close();
    }
  } catch {
    return undefined;
  }
}
