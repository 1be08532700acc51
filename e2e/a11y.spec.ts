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

const SCREENS: readonly [name: string, show: (window: Page) => Promise<void>, leave?: string][] = [
  ['chat', (window) => window.keyboard.press('Control+1')],
  ['models', (window) => window.keyboard.press('Control+2')],
  ['devices', (window) => window.keyboard.press('Control+3')],
  ['settings', (window) => window.keyboard.press('Control+,')],
  ['shortcuts', (window) => window.keyboard.press('Control+/'), 'Escape'],
  ['palette', (window) => window.keyboard.press('Control+Shift+P'), 'Escape'],
];

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
    for (const [name, show, leave] of SCREENS) {
      await show(window);
      await expect(window.locator('main, dialog').first()).toBeVisible();
      await expect.poll(() => window.evaluate(() => document.getAnimations().length)).toBe(0);
      expect.soft(await violations(window), `${name}, ${theme}`).toEqual([]);
      if (leave !== undefined) await window.keyboard.press(leave);
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
