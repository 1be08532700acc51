/** Starts the built app with a profile of its own, and what tests do with its window. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  test as base,
  type ElectronApplication,
  _electron as electron,
  expect,
  type Locator,
  type Page,
} from '@playwright/test';
import { chromiumWindow } from './chromium/chromium-window.ts';

/** Environment variable from global set-up to the workers. */
export const DATA_FOLDER = 'SHADOWNPU_E2E_HOME';

/** Set where the page is to be tried in the system's Chromium instead (chromium/). */
export const IN_CHROMIUM = 'SHADOWNPU_E2E_CHROMIUM';

/** The engine's name among the processes of the app. */
export const ENGINE = 'ShadowNPU engine';

export interface StartedApp {
  electron: ElectronApplication;
  window: Page;
}

/** Electron's command line for the built app. Root must do without Chromium's sandbox. */
export function switches(profile: string): string[] {
  const root = path.join(import.meta.dirname, '..');
  const asRoot = process.getuid?.() === 0;
  return [...(asRoot ? ['--no-sandbox'] : []), '--disable-gpu', root, `--user-data-dir=${profile}`];
}

/** A new profile is welcomed first; most tests are about what comes after that. `files` are on the command line. */
export async function startApp(
  profile: string,
  home = process.env[DATA_FOLDER] ?? '',
  files: readonly string[] = [],
): Promise<StartedApp> {
  const started = await startUnwelcomed(profile, home, files);
  await pastWelcome(started.window);
  return started;
}

/** Skips the first run where it is shown. */
export async function pastWelcome(window: Page): Promise<void> {
  const skip = window.getByTestId('first-run-skip');
  await expect(
    skip.or(window.getByTestId('composer-input')).or(window.getByTestId('error-notice')).first(),
  ).toBeVisible();
  if (await skip.isVisible()) await skip.click();
}

/** As the app comes up, the first run included. */
export async function startUnwelcomed(
  profile: string,
  home = process.env[DATA_FOLDER] ?? '',
  files: readonly string[] = [],
): Promise<StartedApp> {
  const started = await electron.launch({
    args: [...switches(profile), ...files],
    env: { ...(process.env as Record<string, string>), SHADOWNPU_HOME: home },
  });
  const window = await started.firstWindow();
  await window.waitForLoadState('domcontentloaded');
  if (process.env[IN_CHROMIUM] === undefined) return { electron: started, window };
  const front = await chromiumWindow(window);
  started.once('close', () => void front.browser.close());
  return { electron: started, window: front.window };
}

/** Puts a file into the page as a drop would: a File object that the browser made, in the input #given. */
export async function giveFile(page: Page, file: string): Promise<void> {
  await page.evaluate(() => {
    document.querySelector('#given')?.remove();
    const input = document.createElement('input');
    input.type = 'file';
    input.id = 'given';
    document.body.append(input);
  });
  await page.locator('#given').setInputFiles(file);
}

/** Waits until the engine answers; the first time that takes an import. */
export async function ready(window: Page): Promise<void> {
  await expect(window.getByTestId('engine-status')).toHaveAttribute('data-state', 'ready', { timeout: 60_000 });
}

/** Resolves when the new answer, still without text, is on screen. */
export async function send(window: Page, question: string): Promise<void> {
  const answers = await window.getByTestId('message-assistant').count();
  await window.getByTestId('composer-input').fill(question);
  await window.getByTestId('send-button').click();
  await expect(window.getByTestId('message-assistant')).toHaveCount(answers + 1);
}

export const lastAnswer = (window: Page): Locator => window.getByTestId('message-assistant').last();

/** Waits for the answer's first visible words. */
export async function firstWords(window: Page): Promise<void> {
  await expect(lastAnswer(window).locator('p, li, pre').first()).toHaveText(/\S/);
}

/** Ends as 'complete', 'stopped' or 'failed'. */
export async function ended(window: Page, state: 'complete' | 'stopped' | 'failed', timeout = 60_000): Promise<void> {
  await expect(lastAnswer(window)).toHaveAttribute('data-state', state, { timeout });
}

/** Process ids of the app: all of them, and the engine's. */
export async function processes(app: ElectronApplication): Promise<{ all: number[]; engine: number }> {
  const found = await app.evaluate(({ app: main }) => main.getAppMetrics().map(({ pid, name }) => ({ pid, name })));
  const engine = found.find((entry) => entry.name === ENGINE);
  if (!engine) throw new Error('the engine process is not running');
  return { all: found.map((entry) => entry.pid), engine: engine.pid };
}

/** A process's memory in MB of 10^6 bytes, on Linux; what it shares with others counts by its share. */
export function megabytesOf(pid: number): number {
  const [, kibibytes = ''] = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? [];
  return (Number(kibibytes) * 1024) / 1e6;
}

interface Fixtures {
  profile: string;
  app: StartedApp;
}

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures that are wanted from this pattern
  profile: async ({}, use) => {
    const profile = mkdtempSync(path.join(tmpdir(), 'profile 用户 '));
    await use(profile);
    rmSync(profile, { recursive: true, force: true });
  },
  app: async ({ profile }, use) => {
    const app = await startApp(profile);
    await use(app);
    await app.electron.close();
  },
});
export { expect };
