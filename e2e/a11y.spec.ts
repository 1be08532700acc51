/** Every screen in both themes and both languages, as axe sees it: nothing serious. */
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { ended, expect, pastWelcome, ready, send, startUnwelcomed, test } from './app.ts';

async function violations(window: Page): Promise<string[]> {
  // Electron cannot open the blank page that axe otherwise gathers its results in.
  const { violations: found } = await new AxeBuilder({ page: window }).setLegacyMode().analyze();
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`));
}

/** Dialogs of the frame, by the keys that open them. */
const DIALOGS = ['Control+/', 'Control+Shift+P'];

async function settled(window: Page): Promise<void> {
  await expect(window.locator('main, dialog').first()).toBeVisible();
  const moving = () =>
    window.evaluate(() => document.getAnimations().filter((one) => one.playState === 'running').length);
  await expect.poll(moving).toBe(0);
}

test('no screen has serious faults in any theme', async ({ profile }) => {
  test.setTimeout(240_000);
  const { electron, window } = await startUnwelcomed(profile);
  await expect(window.getByTestId('first-run')).toBeVisible();
  expect(await violations(window), 'first run').toEqual([]);
  await pastWelcome(window);
  await ready(window);
  await send(window, 'Write a two-item list and one line of Python code.');
  await ended(window, 'complete');
  for (const theme of ['light', 'dark'] as const) {
    await window.evaluate((chosen) => globalThis.window.shadownpu.invoke('settings.set', { theme: chosen }), theme);
    await expect(window.locator('html')).toHaveAttribute('data-theme', theme);
    const rail = window.locator('.rail button:not([data-testid="theme-toggle"])');
    for (let screen = 0; screen < (await rail.count()); screen += 1) {
      await rail.nth(screen).click();
      await settled(window);
      // Values that were put into a text unread.
      expect(await window.locator('body').textContent()).not.toMatch(/\[object \w+\]|\bundefined\b|\bNaN\b/);
      expect
        .soft(await violations(window), `${await rail.nth(screen).getAttribute('aria-label')}, ${theme}`)
        .toEqual([]);
    }
    for (const keys of DIALOGS) {
      await window.keyboard.press(keys);
      await expect(window.getByRole('dialog')).toBeVisible();
      await settled(window);
      expect.soft(await violations(window), `${keys}, ${theme}`).toEqual([]);
      await window.keyboard.press('Escape');
    }
  }
  await electron.close();
});

test('everything can be reached by Tab, and nothing moves where motion is unwanted', async ({ app: { window } }) => {
  await window.keyboard.press('Control+,');
  const reached = new Set<string>();
  for (let step = 0; step < 80; step += 1) {
    await window.keyboard.press('Tab');
    reached.add(
      await window.evaluate(() => {
        const { activeElement } = document;
        return activeElement?.getAttribute('aria-label') ?? activeElement?.textContent ?? '';
      }),
    );
  }
  for (const name of ['Chat', 'Settings', 'Language', 'Keep running in the tray', 'Look at them']) {
    expect([...reached], name).toContain(name);
  }
  await window.emulateMedia({ reducedMotion: 'reduce' });
  expect(
    await window.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--quick').trim()),
  ).toBe('0s');
});
