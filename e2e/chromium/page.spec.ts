/** What differs between browsers: the policy, and what the style sheets ask for. */
import { ended, expect, lastAnswer, ready, send, test } from '../app.ts';

test('the page runs under its security policy without a violation or an error', async ({ app: { window } }) => {
  const problems: string[] = [];
  window.on('pageerror', (error) => problems.push(error.message));
  window.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  await window.reload();
  await ready(window);
  expect(await window.evaluate(() => navigator.userAgent)).not.toContain('Electron');
  await send(window, 'Write a short Python function that adds two numbers, in a code block.');
  await ended(window, 'complete');
  await expect(lastAnswer(window).locator('pre code').first()).toHaveText(/\S/);
  // The policy is in force: an inline script does not run.
  const injected = await window.evaluate(() => {
    const inline = document.createElement('script');
    inline.textContent = 'window.injected = true';
    document.head.append(inline);
    return 'injected' in window;
  });
  expect(injected).toBe(false);
  expect(problems.filter((text) => !text.includes('inline script'))).toEqual([]);
});

test('light and dark are different, and both are the design tokens', async ({ app: { window } }) => {
  const background = () => window.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const html = window.locator('html');
  await window.emulateMedia({ colorScheme: 'light' });
  const toggle = window.getByTestId('theme-toggle');
  const seen = new Set<string>();
  for (let i = 0; i < 3; i += 1) {
    await toggle.click();
    seen.add(`${await html.getAttribute('data-theme')} ${await background()}`);
  }
  expect([...seen].some((value) => value === 'dark rgb(20, 24, 26)')).toBe(true);
  expect([...seen].some((value) => value.endsWith('rgb(242, 245, 245)'))).toBe(true);
});

test('everything in the frame can be reached and used by keyboard', async ({ app: { window } }) => {
  await ready(window);
  await expect(window.getByTestId('composer-input')).toBeFocused();
  const reached = new Set<string>();
  for (let i = 0; i < 60; i += 1) {
    await window.keyboard.press('Tab');
    reached.add(await window.evaluate(() => (document.activeElement as HTMLElement | null)?.dataset.testid ?? ''));
  }
  expect([...reached]).toEqual(expect.arrayContaining(['theme-toggle', 'new-chat', 'search-input', 'composer-input']));
});
