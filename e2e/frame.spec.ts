/** The frame around the screens: first run, languages, windows, palette, keys, diagnostics. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ended, expect, ready, send, startApp, startUnwelcomed, test } from './app.ts';

test('the first run promises, checks, shows the model, and never comes again', async ({ profile }) => {
  const { electron, window } = await startUnwelcomed(profile);
  await expect(window.getByTestId('first-run')).toContainText('stay on this computer');
  await expect(window.getByRole('region', { name: 'This computer' })).toContainText('Works');
  await expect(window.getByRole('region', { name: 'A model' })).toContainText(/SmolLM2/);
  await window.getByRole('combobox', { name: 'Language' }).focus();
  await window.getByRole('combobox', { name: 'Language' }).selectOption('zh-CN');
  await expect(window.getByRole('heading', { level: 1 })).toHaveText('欢迎使用 ShadowNPU');
  await expect(window.getByRole('combobox', { name: '语言' })).toBeFocused();
  await window.getByRole('combobox', { name: '语言' }).selectOption('en');
  await window.getByRole('button', { name: 'Open the sample document' }).click();
  await expect(window.getByTestId('composer-input')).toBeFocused();
  const drafts = () => window.evaluate(() => globalThis.window.shadownpu.invoke('drafts.list', undefined));
  await expect.poll(drafts).toMatchObject({
    value: [{ chatId: null, attachments: [{ name: 'heat-pumps.en.md', state: 'ready' }] }],
  });
  await electron.close();
  const again = await startUnwelcomed(profile);
  await expect(again.window.getByTestId('composer-input')).toBeVisible();
  await expect(again.window.getByTestId('first-run')).toHaveCount(0);
  await again.electron.close();
});

test('the language changes at once and is there at the next start, in the menu too', async ({ profile }) => {
  const first = await startApp(profile);
  await first.window.getByRole('button', { name: 'Settings' }).click();
  await first.window.getByRole('combobox', { name: 'Language' }).selectOption('zh-CN');
  await expect(first.window.getByRole('heading', { level: 1 })).toHaveText('设置');
  await expect(first.window.locator('html')).toHaveAttribute('lang', 'zh-CN');
  await first.electron.close();
  const { electron, window } = await startApp(profile);
  await expect(window.getByTestId('composer-input')).toHaveAttribute('placeholder', '想问什么都可以');
  const menu = () => electron.evaluate(({ Menu }) => Menu.getApplicationMenu()?.items.map(({ label }) => label));
  expect(await menu()).toEqual(['文件(&F)', '编辑(&E)', '视图(&V)', '窗口(&W)', '帮助(&H)']);
  await electron.close();
});

test('windows have states of their own and share settings and zoom', async ({ app: { electron, window } }) => {
  const opened = electron.waitForEvent('window');
  await window.keyboard.press('Control+Shift+N');
  const more = await opened;
  await expect(more.getByTestId('composer-input')).toBeVisible();
  await more.getByRole('button', { name: 'Settings' }).click();
  await expect(window.getByTestId('composer-input')).toBeVisible();
  await more.getByText('Dark', { exact: true }).click();
  await expect(window.locator('html')).toHaveAttribute('data-theme', 'dark');
  await more.getByRole('button', { name: 'Zoom in' }).click();
  await expect(more.getByText('110 %')).toBeVisible();
  expect(await window.evaluate(() => Math.round(globalThis.window.devicePixelRatio * 100))).toBe(110);
  const places = await electron.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().map((w) => w.getBounds()),
  );
  expect(places[0]?.x).not.toBe(places[1]?.x);
  await more.close();
  await expect(window.getByTestId('composer-input')).toBeVisible();
});

test('the palette works by keyboard alone', async ({ app: { window } }) => {
  await window.keyboard.press('Control+Shift+P');
  const field = window.getByTestId('palette-input');
  await expect(field).toBeFocused();
  await field.pressSequentially('go dev');
  await window.keyboard.press('Enter');
  await expect(window.getByRole('heading', { level: 1 })).toHaveText('Devices');
  await expect(field).toHaveCount(0);
  await window.keyboard.press('Control+/');
  await expect(window.getByRole('dialog', { name: 'Keyboard shortcuts' })).toContainText('Command palette');
  await window.keyboard.press('Escape');
  await expect(window.getByRole('dialog')).toHaveCount(0);
});

test('an app that stays in the tray comes back with its window, however soon it is asked to', async ({
  app: { electron, window },
}) => {
  await window.evaluate(() => globalThis.window.shadownpu.invoke('settings.set', { closeToTray: true }));
  let current = window;
  for (const closedBy of ['the page', 'its frame']) {
    const opened = electron.waitForEvent('window');
    if (closedBy === 'the page') await current.close();
    else await electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
    await electron.evaluate(({ app }) => app.emit('second-instance', {}, [], '/'));
    current = await opened;
    await expect(current.getByTestId('composer-input')).toBeVisible();
  }
  await current.evaluate(() => globalThis.window.shadownpu.invoke('settings.set', { closeToTray: false }));
});

test('diagnostics and crash reports hold no words of a chat', async ({ app: { electron, window }, profile }) => {
  await ready(window);
  const secret = 'Zanzibar4711';
  await send(window, `Say hello to ${secret}.`);
  await ended(window, 'complete');
  // An error with the secret in it, thrown in the window and in main.
  await window.evaluate((word) => {
    const error = new Error(word);
    return globalThis.window.shadownpu.invoke('crashes.report', { name: error.name, stack: `${error.stack}` });
  }, secret);
  await electron.evaluate((_, word) => void process.emit('uncaughtException', new Error(word)), secret);
  await window.getByRole('button', { name: 'Settings' }).click();
  await window.getByRole('button', { name: 'Copy', exact: true }).click();
  const copied = () => electron.evaluate(({ clipboard }) => clipboard.readText());
  await expect.poll(copied).toMatch(/^ShadowNPU \d/);
  expect(await copied()).toContain('window of');
  expect(await copied()).not.toContain(secret);
  expect(await copied()).not.toContain(profile);
  const folder = path.join(profile, 'crashes');
  const reports = readdirSync(folder).map((name) => readFileSync(path.join(folder, name), 'utf8'));
  expect(reports).toHaveLength(2);
  expect(reports.join()).not.toContain(secret);
  await window.getByRole('button', { name: 'Delete all' }).click();
  await expect.poll(() => readdirSync(folder)).toEqual([]);
});
