/** The first minutes of someone who has just installed the app. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ended, expect, lastAnswer, ready, send, startApp, test } from './app.ts';

test('first start: the model is prepared and the first question is answered', async ({ app: { window } }) => {
  test.setTimeout(300_000);
  await expect(window.getByTestId('engine-status')).toHaveAttribute('data-state', 'loading');
  await expect(window.getByTestId('composer-input')).toBeFocused();
  // Asked before the model is ready: the question waits for it.
  await send(window, 'What is the capital of France? Answer in one sentence.');
  await expect(window.getByTestId('message-user')).toHaveText(/capital of France/);
  await ended(window, 'complete', 280_000);
  await ready(window);
  await expect(lastAnswer(window)).toContainText('Paris');
  const footer = lastAnswer(window).getByTestId('answer-footer');
  await expect(footer).toContainText(/Shadow 7.?%/);
  await expect(footer).toContainText('CPU');
  await expect(footer).toContainText(/tok\/s/);
  // Named by the question until the model has written a title, which may be any moment now.
  await expect(window.getByTestId('chat-list-item')).toHaveText(/capital of France/i);
});

test('without a model the window says what to do', async ({ profile }) => {
  const home = mkdtempSync(path.join(tmpdir(), 'no model '));
  const { electron, window } = await startApp(profile, home);
  const status = window.getByTestId('engine-status');
  await expect(status).toHaveAttribute('data-state', 'no-model');
  await expect(status).toContainText(path.join(home, 'models'));
  await window.getByTestId('composer-input').fill('Hello');
  await expect(window.getByTestId('send-button')).toBeDisabled();
  await electron.close();
  rmSync(home, { recursive: true, force: true });
});
