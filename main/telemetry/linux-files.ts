/** Files of /proc and /sys as their values. Whatever is missing, forbidden or odd is null. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** What `kept` found is looked for anew after this long: devices come and go seldom, and looking costs more than reading. */
const KEPT_MS = 10_000;
const MOST_KEPT = 64;

/** Reads below `root`, which is / but in tests. */
export class LinuxFiles {
  private readonly root: string;
  private readonly keptMs: number;
  private readonly found = new Map<string, { at: number; names: string[] }>();

  constructor(root = '/', keptMs = KEPT_MS) {
    this.root = root;
    this.keptMs = keptMs;
  }

  text(file: string): string | null {
    try {
      return readFileSync(path.join(this.root, file), 'utf8');
    } catch {
      return null;
    }
  }

  number(file: string): number | null {
    const text = this.text(file)?.trim();
    return text === undefined || text === '' || !Number.isFinite(Number(text)) ? null : Number(text);
  }

  /** Names in a folder, sorted; none where it cannot be read. */
  names(folder: string): string[] {
    try {
      return readdirSync(path.join(this.root, folder)).sort();
    } catch {
      return [];
    }
  }

  /** What `find` gives, remembered for a while under `key`. */
  kept(key: string, find: () => string[]): string[] {
    const known = this.found.get(key);
    const now = performance.now();
    if (known !== undefined && now - known.at < this.keptMs) return known.names;
    const names = find();
    // Folders of processes come and go.
    if (this.found.size > MOST_KEPT) this.found.clear();
    this.found.set(key, { at: now, names });
    return names;
  }
}
