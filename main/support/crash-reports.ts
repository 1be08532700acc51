/** Crashes of the app's processes, one small JSON file each, on this machine only. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';
import { CrashReport } from '../../contract/app.ts';

/** Older ones are removed. */
const MOST = 20;
const MOST_FRAMES = 30;

/** The app's own bundles: those of dist/, and those of the window's page, which end in a checksum. */
const BUNDLE = String.raw`(?:main|preload|engine|worker|pilot|compile|npu-compiler|device|device-test|parser)\.cjs|[a-z-]{1,30}-[\w-]{8}\.js`;

/** A place in them or in Node. What else a stack may hold could be anybody's text. */
const FRAME = new RegExp(
  String.raw`^\s*at (?:(?:async )?(?:new )?([\w$.<>]{1,80}) )?\(?(?:[^()]*[/\\])?(${BUNDLE}|node:[\w/]{1,60}):(\d+):(\d+)\)?$`,
);

/** The calls of a stack, innermost first, without the message that it begins with and without folders. */
export function framesOf(stack: string): string[] {
  return stack
    .split('\n')
    .flatMap((line) => {
      const match = FRAME.exec(line);
      return match ? [`${match[1] ?? '(anonymous)'} (${match[2]}:${match[3]}:${match[4]})`] : [];
    })
    .slice(0, MOST_FRAMES);
}

/** A class name of an error, or "Error" where it is anything else. */
export function errorName(name: unknown): string {
  return typeof name === 'string' && /^[A-Z][A-Za-z]{0,40}$/.test(name) ? name : 'Error';
}

export interface Crash {
  readonly process: CrashReport['process'];
  readonly reason: string;
  readonly stack?: string;
}

export class CrashReports {
  readonly #folder: string;
  readonly #version: string;
  #count = 0;

  /** `version` is the app's. */
  constructor(folder: string, version: string) {
    this.#folder = folder;
    this.#version = version;
  }

  /** Keeps a crash. Never throws: a full disk must not make one crash into two. */
  add({ process, reason, stack = '' }: Crash): void {
    try {
      const time = Date.now();
      this.#count += 1;
      // Of one length, so that names sort as crashes came, also within a millisecond.
      const place = String(this.#count).padStart(6, '0');
      const id = `${new Date(time).toISOString().replaceAll(':', '-')}-${place}-${process}`;
      const report: CrashReport = { id, time, process, reason, frames: framesOf(stack), app: this.#version };
      mkdirSync(this.#folder, { recursive: true });
      writeFileSync(path.join(this.#folder, `${id}.json`), `${JSON.stringify(report, null, 2)}\n`);
      for (const file of this.#files().slice(MOST)) rmSync(path.join(this.#folder, file), { force: true });
    } catch {
      // Nothing to be done about it.
    }
  }

  /** Something thrown that nothing caught. */
  addError(process: CrashReport['process'], error: unknown): void {
    const { name, stack } = error instanceof Error ? error : { name: '', stack: '' };
    this.add({ process, reason: errorName(name), stack: stack ?? '' });
  }

  /** Newest first. Files that are damaged, or not ours, are passed over. */
  list(): CrashReport[] {
    return this.#files().flatMap((file) => {
      try {
        const parsed = v.safeParse(CrashReport, JSON.parse(readFileSync(path.join(this.#folder, file), 'utf8')));
        return parsed.success ? [parsed.output] : [];
      } catch {
        return [];
      }
    });
  }

  removeAll(): void {
    for (const file of this.#files()) rmSync(path.join(this.#folder, file), { force: true });
  }

  /** Newest first: names begin with the time. */
  #files(): string[] {
    try {
      return readdirSync(this.#folder)
        .filter((name) => /^\d{4}-.*\.json$/.test(name))
        .sort()
        .reverse();
    } catch {
      return [];
    }
  }
}
