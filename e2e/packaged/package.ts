/**
 * Starts a copy of the package in release/. Its fuses refuse the inspector that Playwright drives an Electron by, so the window is
 * driven by Chromium's remote debugging, as any browser.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium, expect, type Page } from '@playwright/test';
import { DATA_FOLDER, pastWelcome } from '../app.ts';

export interface Installed {
  /** The folder that a person would have unpacked. */
  folder: string;
  program: string;
}

/** The unpacked form, which the others hold. */
export const PACKAGE = path.join(import.meta.dirname, '..', '..', 'release', 'linux-unpacked');

/** The package, copied to a folder with a space in its name in which nobody may write. */
export function installed(): Installed {
  const folder = path.join(mkdtempSync(path.join(tmpdir(), 'installed 应用 ')), 'Shadow NPU');
  cpSync(PACKAGE, folder, { recursive: true });
  for (const file of filesOf(folder))
    chmodSync(path.join(folder, file), statSync(path.join(folder, file)).mode & 0o555);
  return { folder, program: path.join(folder, 'shadownpu') };
}

export function uninstall({ folder }: Installed): void {
  rmSync(path.dirname(folder), { recursive: true, force: true });
}

/** Names of the files below a folder, sorted, relative to it. */
export function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
}

export interface StartedPackage {
  window: Page;
  /** What the program has written to its standard error so far. */
  output(): string;
  /** Closes the window as a person does and resolves with the exit code. */
  close(): Promise<number | null>;
}

/** As on a machine without a network: no name resolves, and no proxy answers. */
const OFFLINE = ['--host-resolver-rules=MAP * ~NOTFOUND', '--proxy-server=127.0.0.1:9'];

/** Starts it with a profile; `more` are further arguments. */
export async function start({ program }: Installed, profile: string, ...more: string[]): Promise<StartedPackage> {
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const fixed = [...asRoot, '--disable-gpu', ...OFFLINE, '--remote-debugging-port=0', `--user-data-dir=${profile}`];
  const child = spawn(program, [...fixed, ...more], {
    env: { ...process.env, SHADOWNPU_HOME: process.env[DATA_FOLDER] },
    cwd: path.parse(program).root,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let written = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    written += text;
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  // Its defaults are for browsers with several contexts, which Electron does not have.
  const browser = await chromium.connectOverCDP(await debuggingAddress(child, () => written), { noDefaults: true });
  const context = browser.contexts()[0];
  if (!context) throw new Error('the app has no browser context');
  const window = context.pages()[0] ?? (await context.waitForEvent('page'));
  await window.waitForLoadState('domcontentloaded');
  await pastWelcome(window);
  const close = async () => {
    await window.close();
    return ended;
  };
  return { window, output: () => written, close };
}

/** Chromium prints it once it listens. */
async function debuggingAddress(child: ChildProcess, written: () => string): Promise<string> {
  let address: string | undefined;
  await expect
    .poll(() => {
      address = /DevTools listening on (ws:\S+)/.exec(written())?.[1];
      return address !== undefined || child.exitCode !== null;
    })
    .toBe(true);
  if (address === undefined)
    throw new Error(`the app ended with ${child.exitCode} before it had a window:\n${written()}`);
  return address;
}
