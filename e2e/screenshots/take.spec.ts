/** Takes the pictures: every screen that the rail leads to, and those of screens.ts, in both themes. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { expect, type StartedApp, test } from '../app.ts';
import { SCREENS, type Screen, seed } from './screens.ts';

const FOLDER = path.join(import.meta.dirname, '..', '..', 'docs', 'screenshots');
const SIZE = { width: 1180, height: 780 };
const THEMES = ['light', 'dark'] as const;

test('every screen in both themes', async ({ app }) => {
  const { window } = app;
  mkdirSync(FOLDER, { recursive: true });
  await seed(window);
  const screens = [...SCREENS, ...(await screensOfRail(window))];
  expect(new Set(screens.map(({ name }) => name)).size).toBe(screens.length);
  for (const screen of screens) await take(app, screen);
});

/** All but the chat, which has pictures of its own. */
async function screensOfRail(window: Page): Promise<Screen[]> {
  const buttons = window.locator('.rail').getByRole('button').and(window.locator(':not([data-testid="theme-toggle"])'));
  const labels = await buttons.evaluateAll((found) => found.map((button) => button.getAttribute('aria-label') ?? ''));
  expect(labels.length).toBeGreaterThan(2);
  const [, ...others] = labels;
  return others.map((label) => ({
    name: label.toLowerCase().replaceAll(' ', '-'),
    show: (page) => page.locator('.rail').getByRole('button', { name: label, exact: true }).click(),
  }));
}

async function take(
  { electron, window }: StartedApp,
  { name, language = 'en', size = SIZE, show }: Screen,
): Promise<void> {
  await resize(electron, SIZE);
  await set(window, { language });
  await window.locator('.rail').getByRole('button').first().click(); // the chats, where each way begins
  await show(window);
  await resize(electron, size);
  for (const theme of THEMES) {
    await set(window, { theme });
    await expect(window.locator('html')).toHaveAttribute('data-theme', theme);
    // Tips and focus rings of the way here are no part of the screen.
    await window.mouse.move(size.width / 2, size.height - 2);
    await window.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await window.evaluate(() =>
      Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => 0))),
    );
    await window.screenshot({ path: path.join(FOLDER, `${name}-${theme}.png`), animations: 'disabled' });
  }
}

function resize(electron: StartedApp['electron'], size: { width: number; height: number }): Promise<void> {
  return electron.evaluate(({ BrowserWindow }, { width, height }) => {
    BrowserWindow.getAllWindows()[0]?.setContentSize(width, height);
  }, size);
}

/** Changes settings and waits until the window shows them. */
async function set(
  window: Page,
  changes: { language?: 'en' | 'zh-CN'; theme?: (typeof THEMES)[number] },
): Promise<void> {
  const { ok } = await window.evaluate((wanted) => globalThis.window.shadownpu.invoke('settings.set', wanted), changes);
  expect(ok).toBe(true);
  if (changes.language) await expect(window.locator('html')).toHaveAttribute('lang', changes.language);
}
