/**
 * Compiled graphs on disk, by a key that holds all that they depend on: `KEY.onnx` with its size and digest in `KEY.json`,
 * which is written last. A file that is not what was written is removed when it is asked for.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive, sha256File } from '../model/import-files.ts';
import { readSealed, writeSealed } from './sealed-json.ts';

interface Seal {
  bytes: number;
  sha256: string;
}

const TEMPORARY = /^(.*)\.(\d+)-[0-9a-f]{8}\.tmp\.onnx$/;

export class CompiledCache {
  private readonly dir: string;
  private readonly limit: number;

  /** @param dir made if needed @param limit most bytes that `trim` leaves */
  constructor(dir: string, limit: number) {
    this.dir = dir;
    this.limit = limit;
    mkdirSync(dir, { recursive: true });
  }

  /** The path of a whole compiled graph; undefined where there is none. */
  async find(key: string): Promise<string | undefined> {
    const path = this.path(key);
    const seal = await readSealed<Seal>(this.sealPath(key));
    if (seal !== undefined && (await sizeOf(path)) === seal.bytes) {
      if ((await sha256File(path, () => {})) === seal.sha256) {
        const now = new Date();
        await utimes(path, now, now).catch(() => {});
        return path;
      }
    }
    await this.remove(key);
    return undefined;
  }

  /** Where a compiler may write the graph of a key; `keep` makes it the entry. */
  temporary(key: string): string {
    return join(this.dir, `${key}.${process.pid}-${randomBytes(4).toString('hex')}.tmp.onnx`);
  }

  /** Takes over what was written to `temporary` and returns its path. */
  async keep(key: string, temporary: string): Promise<string> {
    const path = this.path(key);
    const seal: Seal = { bytes: (await stat(temporary)).size, sha256: await sha256File(temporary, () => {}) };
    await this.remove(key);
    await rename(temporary, path);
    await writeSealed(this.sealPath(key), seal);
    return path;
  }

  /**
   * Removes what was used longest ago until the rest fits the limit, and what processes that have ended left behind.
   * Entries in `keep` stay whatever they take.
   */
  async trim(keep: ReadonlySet<string>): Promise<void> {
    const entries = [];
    let total = 0;
    for (const name of await readdir(this.dir)) {
      const path = join(this.dir, name);
      const left = TEMPORARY.exec(name);
      if (left !== null) {
        if (!isAlive(Number(left[2]))) await rm(path, { force: true });
        continue;
      }
      if (!name.endsWith('.onnx')) continue;
      const found = await stat(path).catch(() => undefined);
      if (found === undefined) continue;
      total += found.size;
      entries.push({ key: name.slice(0, -'.onnx'.length), bytes: found.size, used: found.mtimeMs });
    }
    for (const { key, bytes } of entries.sort((a, b) => a.used - b.used)) {
      if (total <= this.limit) return;
      if (keep.has(key)) continue;
      await this.remove(key);
      total -= bytes;
    }
  }

  private async remove(key: string): Promise<void> {
    // The seal first: a graph without one is no entry.
    await rm(this.sealPath(key), { force: true });
    if (existsSync(this.path(key))) await rm(this.path(key), { force: true });
  }

  private path(key: string): string {
    return join(this.dir, `${key}.onnx`);
  }

  private sealPath(key: string): string {
    return join(this.dir, `${key}.json`);
  }
}

async function sizeOf(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.size;
}
