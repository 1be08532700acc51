/** Asking, stopping, finding again. */
import { ended, expect, firstWords, lastAnswer, ready, send, startApp, test } from './app.ts';

const LONG_ANSWER = 'Write a long story about a lighthouse keeper and the sea, with many details.';
/** Some thousands of tokens: reading it takes a while. */
const LONG_QUESTION = `Summarise this: ${'The old lighthouse keeper walked up the stairs and looked at the grey sea. '.repeat(300)}`;

test('stop mid-answer keeps the text so far, and the next question is answered', async ({ app: { window } }) => {
  await ready(window);
  await send(window, LONG_ANSWER);
  await firstWords(window);
  const pressed = Date.now();
  await window.getByTestId('stop-button').click();
  await ended(window, 'stopped', 5_000);
  expect(Date.now() - pressed).toBeLessThan(2_000);
  await expect(lastAnswer(window).locator('p').first()).toHaveText(/\S/);
  await expect(window.getByTestId('stop-button')).toHaveCount(0);

  await send(window, 'And what did he see there?');
  await firstWords(window);
  await window.getByTestId('stop-button').click();
  await ended(window, 'stopped', 5_000);
  await expect(window.getByTestId('message-assistant')).toHaveCount(2);
});

test('stop while the question is still being read', async ({ app: { window } }) => {
  await ready(window);
  await send(window, LONG_QUESTION);
  await expect(window.getByTestId('prefill-progress')).toContainText(/\d of [\d,. ]+ tokens/);
  await window.getByTestId('stop-button').click();
  await ended(window, 'stopped', 5_000);
  await expect(window.getByTestId('prefill-progress')).toHaveCount(0);
  await expect(lastAnswer(window)).toContainText('stopped');

  await send(window, 'Say hello.');
  await ended(window, 'complete');
});

test('after a restart chats, theme and search are there', async ({ profile }) => {
  const first = await startApp(profile);
  await ready(first.window);
  await send(first.window, 'Name one colour of the rainbow. 彩虹的颜色');
  await ended(first.window, 'complete');
  const text = await lastAnswer(first.window).locator('p').first().textContent();
  await first.window.getByTestId('theme-toggle').click();
  await expect(first.window.locator('html')).toHaveAttribute('data-theme', 'dark');
  await first.electron.close();

  const { electron, window } = await startApp(profile);
  await expect(window.locator('html')).toHaveAttribute('data-theme', 'dark');
  const chat = window.getByTestId('chat-list-item');
  await expect(chat).toHaveCount(1);
  // The model may have written another title by then.
  await expect(chat).toContainText(/\S/);
  await window.getByTestId('search-input').fill('没有这个');
  await expect(chat).toHaveCount(0);
  await window.getByTestId('search-input').fill('彩虹的');
  await expect(chat).toHaveCount(1);
  await chat.getByRole('button').first().click();
  await expect(window.getByTestId('message-user')).toContainText('彩虹的颜色');
  await expect(lastAnswer(window).locator('p').first()).toHaveText(text ?? 'no text');
  await electron.close();
});

test('changing chats mid-answer neither cancels nor mixes', async ({ app: { window } }) => {
  await ready(window);
  await send(window, LONG_ANSWER);
  await firstWords(window);
  await window.getByTestId('new-chat').click();
  await expect(window.getByTestId('message-assistant')).toHaveCount(0);
  await send(window, 'Reply with the single word: banana');
  await expect(window.getByTestId('message-user')).toHaveText(/banana/);
  await expect(window.getByTestId('message-assistant')).toHaveAttribute('data-state', 'streaming');

  const chats = window.getByTestId('chat-list-item');
  await expect(chats).toHaveCount(2);
  await chats.filter({ hasText: 'lighthouse' }).getByRole('button').first().click();
  await expect(lastAnswer(window)).toHaveAttribute('data-state', 'streaming');
  await expect(window.getByTestId('message-user')).toHaveText(/lighthouse/);
  await window.getByTestId('stop-button').click();
  await ended(window, 'stopped', 5_000);

  await chats.filter({ hasText: 'banana' }).getByRole('button').first().click();
  await ended(window, 'complete');
  await expect(window.getByTestId('message-user')).toHaveCount(1);
  await expect(window.getByTestId('message-user')).toHaveText(/banana/);
});

test('Enter that confirms a conversion does not send', async ({ app: { window } }) => {
  const input = window.getByTestId('composer-input');
  await input.fill('你好');
  await input.evaluate((field) => {
    const keys = { key: 'Enter', bubbles: true, cancelable: true };
    field.dispatchEvent(new KeyboardEvent('keydown', { ...keys, isComposing: true }));
    field.dispatchEvent(new KeyboardEvent('keydown', { ...keys, keyCode: 229 }));
  });
  await expect(input).toHaveValue('你好');
  await expect(window.getByTestId('message-user')).toHaveCount(0);
  await input.press('Shift+Enter');
  await expect(input).toHaveValue('你好\n');
  await input.press('Enter');
  await expect(window.getByTestId('message-user')).toHaveText(/你好/);
});
