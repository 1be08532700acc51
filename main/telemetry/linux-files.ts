/** Files of /proc and /sys as their values. Whatever is missing, forbidden or odd is null. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Reads below `root`, which is / but in tests. */
export class LinuxFiles {
  private readonly root: string;

  constructor(root = '/') {
    this.root = root;
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
}
