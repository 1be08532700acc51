/** Questions in several versions, several answers, answers that go on, files, options, and the context's end. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { ended, expect, firstWords, lastAnswer, ready, send, test } from './app.ts';

const LONG_ANSWER = 'Write a long story about a lighthouse keeper and the sea, with many details.';

test('a stopped answer goes on, is answered again beside itself, and its question is edited', async ({
  app: { window },
}) => {
  await ready(window);
  await send(window, LONG_ANSWER);
  await firstWords(window);
  await window.getByTestId('stop-button').click();
  await ended(window, 'stopped', 5_000);
  const before = await textOf(window);

  await lastAnswer(window).getByRole('button', { name: 'Continue' }).click();
  await expect(lastAnswer(window)).toHaveAttribute('data-state', 'streaming');
  await expect(async () => {
    expect((await textOf(window)).length).toBeGreaterThan(before.length + 20);
  }).toPass();
  await window.getByTestId('stop-button').click();
  await ended(window, 'stopped', 5_000);
  const longer = await textOf(window);
  expect(longer.startsWith(before)).toBe(true);
  await expect(window.getByTestId('message-assistant')).toHaveCount(1);

  await lastAnswer(window).getByRole('button', { name: 'Answer again' }).click();
  await expect(lastAnswer(window)).toHaveAttribute('data-state', 'streaming');
  await firstWords(window);
  await window.getByTestId('stop-button').click();
  await ended(window, 'stopped', 5_000);
  const version = lastAnswer(window).getByRole('group', { name: 'Version 2 of 2' });
  await expect(version).toBeVisible();
  await version.getByRole('button', { name: 'Previous version' }).click();
  await expect(lastAnswer(window).getByRole('group', { name: 'Version 1 of 2' })).toBeVisible();
  // What came last may still have been on its way to the screen then.
  await expect.poll(async () => (await textOf(window)).startsWith(longer)).toBe(true);

  const question = window.getByTestId('message-user');
  await question.hover();
  await question.getByRole('button', { name: 'Edit question' }).click();
  const editor = window.getByRole('textbox', { name: 'Your question, edited' });
  await editor.fill('Reply with the single word: banana');
  await editor.press('Enter');
  await ended(window, 'complete');
  await expect(question).toHaveText(/banana/);
  await question.getByRole('button', { name: 'Previous version' }).click();
  await expect(question).toHaveText(/lighthouse/);
  await expect(lastAnswer(window)).toHaveAttribute('data-state', 'stopped');
});

test('messages are reached and used by keyboard alone', async ({ app: { electron, window } }) => {
  await ready(window);
  await send(window, 'Reply with the single word: banana');
  await ended(window, 'complete');
  await window.getByTestId('composer-input').focus();
  await window.keyboard.press('Alt+ArrowUp');
  await expect(window.getByTestId('message-assistant')).toBeFocused();
  await window.keyboard.press('c');
  const words = /\p{L}+/u.exec(await textOf(window))?.[0] ?? 'no word';
  await expect.poll(() => electron.evaluate(({ clipboard }) => clipboard.readText())).toContain(words);
  await window.keyboard.press('Alt+ArrowUp');
  await expect(window.getByTestId('message-user')).toBeFocused();
  await window.keyboard.press('e');
  await expect(window.getByRole('textbox', { name: 'Your question, edited' })).toBeFocused();
  await window.keyboard.press('Escape');
  await window.keyboard.press('Alt+ArrowDown');
  await window.keyboard.press('Alt+ArrowDown');
  await expect(window.getByTestId('composer-input')).toBeFocused();
});

test('files are read, counted and sent along; one that is no document says so', async ({
  app: { electron, window },
}) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'files 文件 '));
  const good = path.join(folder, 'colours 颜色.md');
  const bad = path.join(folder, 'picture.docx');
  writeFileSync(good, `The secret colour of the harbour is turquoise.\n`.repeat(20));
  writeFileSync(bad, Buffer.from([0, 1, 2, 3, 4, 5]));
  await electron.evaluate(
    ({ dialog }, chosen) => {
      dialog.showOpenDialog = async () => ({ canceled: false, filePaths: chosen });
    },
    [good, bad],
  );
  await ready(window);
  await window.getByRole('button', { name: 'Attach files' }).click();
  const files = window.getByTestId('attachment');
  await expect(files).toHaveCount(2);
  await expect(files.nth(0)).toHaveAttribute('data-state', 'ready');
  await expect(files.nth(0)).toContainText(/colours 颜色\.md.*tokens/);
  await expect(files.nth(1)).toHaveAttribute('data-state', 'failed');
  await window.getByTestId('composer-input').fill('Which colour is the secret one? One word.');
  await expect(window.getByTestId('send-button')).toBeDisabled();
  await window.getByRole('button', { name: 'Remove picture.docx' }).click();
  await expect(files).toHaveCount(1);
  await window.getByTestId('context-gauge').hover();
  await expect(window.getByRole('tooltip')).toContainText(/Attached files\s*[1-9]/);
  await window.getByTestId('send-button').click();
  await ended(window, 'complete');
  await expect(window.getByTestId('message-user').getByTestId('attachment')).toContainText('colours 颜色.md');
  await expect(window.locator('.composer').getByTestId('attachment')).toHaveCount(0);
  rmSync(folder, { recursive: true, force: true });
});

test('the options of a chat are kept; a preset is made of them and used by another chat', async ({
  app: { window },
}) => {
  await ready(window);
  await window.getByRole('button', { name: 'Show options of this chat' }).click();
  const panel = window.getByTestId('options-panel');
  await panel.getByRole('textbox', { name: 'Instructions' }).fill('Answer in one word.');
  const longest = panel.getByRole('spinbutton', { name: 'Longest answer' });
  await longest.fill('4');
  await longest.press('Enter');
  await send(window, LONG_ANSWER);
  await ended(window, 'complete');
  await expect(lastAnswer(window)).toContainText('ended at the length limit');
  await expect(longest).toHaveValue('4');

  await panel.getByRole('button', { name: 'Save as preset' }).click();
  await panel.getByRole('textbox', { name: 'Name of the preset' }).fill('One word 一个词');
  await panel.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(panel.getByRole('combobox')).toHaveValue(/./);
  await window.getByTestId('new-chat').click();
  await panel.getByRole('combobox').selectOption({ label: 'One word 一个词' });
  await expect(longest).toHaveAttribute('placeholder', '4');
  await expect(panel.locator('[data-option=maxTokens]')).toContainText('from the preset');
});

test('a question that is too long is shown as such before and after it was sent', async ({ app: { window } }) => {
  await ready(window);
  const words = 'The old lighthouse keeper walked up the stairs and looked at the grey sea. ';
  await window.getByTestId('composer-input').fill(words.repeat(900));
  await expect(window.locator('.gauge')).toHaveClass(/is-over/);
  await window.getByTestId('context-gauge').hover();
  await expect(window.getByRole('tooltip')).toContainText('Your message alone is too long');
  await window.getByTestId('send-button').click();
  await ended(window, 'failed');
  await expect(window.getByTestId('limit')).toContainText(/needs [\d,]+ tokens, and there is room for [\d,]+/);
  await expect(window.getByTestId('limit').getByRole('button')).toHaveCount(0);
});

test('a draft outlives the window, and another window shows it', async ({ app: { electron, window } }) => {
  await ready(window);
  await window.getByTestId('composer-input').fill('Not sent yet 还没发送');
  await window.waitForTimeout(800);
  const opened = electron.waitForEvent('window');
  await window.keyboard.press('Control+Shift+N');
  const second = await opened;
  await expect(second.getByTestId('composer-input')).toHaveValue('Not sent yet 还没发送');
  await second.getByTestId('composer-input').fill('Changed in the second window');
  await expect(window.getByTestId('composer-input')).toHaveValue('Changed in the second window');
});

/** The words of the last answer. */
async function textOf(window: Page): Promise<string> {
  return ((await lastAnswer(window).locator('.md').textContent()) ?? '').trim();
}
