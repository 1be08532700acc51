import { ended, expect, lastAnswer, ready, send, startApp, test } from './app.ts';
import { readFileSync } from 'node:fs';
const Q = `Summarise in one sentence: ${readFileSync('/tmp/w/telemetry/LICENSE', 'utf8').slice(0, 5000)}`;
test('shots', async () => {
  test.setTimeout(400_000);
  const { window, electron } = await startApp('/tmp/tel/prof-shots', process.env.HOME + '/.local/share/shadownpu');
  await expect(window.getByTestId('engine-status')).toHaveAttribute('data-state', 'ready', { timeout: 180_000 });
  await send(window, Q);
  await expect(lastAnswer(window).locator('p, li, pre').first()).toHaveText(/\S/, { timeout: 180_000 });
  await window.screenshot({ path: '/tmp/tel/s-chat.png' });
  await window.getByTestId('stop-button').click();
  await ended(window, 'stopped');
  for (const scheme of ['light', 'dark'] as const) {
    await window.emulateMedia({ colorScheme: scheme });
    await window.getByRole('button', { name: 'Pipeline' }).click();
    await expect(window.getByTestId('what-if-totals')).toBeVisible();
    await window.getByRole('radio', { name: 'Heads of a layer' }).check({ force: true });
    await window.waitForTimeout(1000);
    await window.screenshot({ path: `/tmp/tel/s-pipe-${scheme}.png` });
    await window.getByTestId('what-if').scrollIntoViewIfNeeded();
    await window.getByTestId('what-if').screenshot({ path: `/tmp/tel/s-whatif-${scheme}.png` });
    await window.getByRole('button', { name: 'Resources' }).click();
    await window.waitForTimeout(4000);
    await window.screenshot({ path: `/tmp/tel/s-res-${scheme}.png` });
    await window.evaluate(() => document.querySelector('.resources-content')?.scrollIntoView(false));
    await window.screenshot({ path: `/tmp/tel/s-res2-${scheme}.png` });
  }
  await window.setViewportSize({ width: 480, height: 900 });
  await window.getByRole('button', { name: 'Pipeline' }).click();
  await window.getByTestId('what-if').scrollIntoViewIfNeeded();
  await window.waitForTimeout(800);
  await window.screenshot({ path: '/tmp/tel/s-narrow.png' });
  await electron.close();
});
