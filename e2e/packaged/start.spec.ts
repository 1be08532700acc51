/** What someone does who has just unpacked the app: starts it, asks, closes it, starts it again. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { ended, lastAnswer, ready, send } from '../app.ts';
import { filesOf, type Installed, installed, start, uninstall } from './package.ts';

let app: Installed;
let profile: string;
test.beforeAll(() => {
  app = installed();
  profile = mkdtempSync(path.join(tmpdir(), 'profile 用户 '));
});
test.afterAll(() => {
  uninstall(app);
  rmSync(profile, { recursive: true, force: true });
});

const times = (folder: string) => filesOf(folder).map((file) => `${file} ${statSync(path.join(folder, file)).mtimeMs}`);

test('from a folder with a space, read-only and offline: first start to first answer', async () => {
  const before = times(app.folder);
  const { window, close } = await start(app, profile);
  await send(window, 'What is the capital of France? Answer in one sentence.');
  await ended(window, 'complete', 280_000);
  await ready(window);
  await expect(lastAnswer(window)).toContainText('Paris');
  await expect(lastAnswer(window).getByTestId('answer-footer')).toContainText(/Shadow 7.?%/);
  expect(await close()).toBe(0);
  expect(times(app.folder)).toEqual(before);
});

test('the second start finds the chat; no inspector of Node can be had', async () => {
  const { window, output, close } = await start(app, profile, '--inspect=0');
  await window.getByTestId('chat-list-item').getByRole('button').first().click();
  await expect(lastAnswer(window)).toContainText('Paris');
  await ready(window);
  expect(output()).not.toContain('Debugger listening');
  expect(await close()).toBe(0);
});
