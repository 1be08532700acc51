/** Chats over time: found, filed, deleted and brought back, exported, and safe through what can happen to a disk. */
import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import type { ElectronApplication, Locator, Page } from '@playwright/test';
import { ended, expect, firstWords, lastAnswer, processes, ready, send, startApp, test } from './app.ts';
import { addChat, seed } from './seed.ts';

const item = (window: Page, title: string | RegExp) => window.getByTestId('chat-list-item').filter({ hasText: title });

async function choose(window: Page, title: string, entry: string | RegExp): Promise<void> {
  await item(window, title).hover();
  await window.getByRole('button', { name: `More about “${title}”` }).click();
  await window.getByRole('menuitem', { name: entry }).click();
}

/** Answers the system's dialogs, which no test can click. */
async function answerDialogs(electron: ElectronApplication, target: string): Promise<void> {
  await electron.evaluate(({ dialog }, file) => {
    dialog.showSaveDialog = async () => ({ canceled: false, filePath: file });
    dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [file] });
  }, target);
}

test('folders, pins and names last; deleted chats come back, after a restart too', async ({ profile }) => {
  seed(profile, (storage) => {
    addChat(storage, 'Rome', [['Where is Rome?', 'In Italy.']], Date.now());
    addChat(storage, 'Bread', [['How is bread made?', 'With flour.']], Date.now() - 1);
    addChat(storage, 'Stars', [['Why do stars shine?', 'Fusion.']], Date.now() - 2);
  });
  const first = await startApp(profile);
  const { window } = first;
  await choose(window, 'Rome', 'Move to a new folder');
  await window
    .getByTestId('folder-row')
    .getByRole('button', { name: /^New folder/ })
    .press('F2');
  await window.getByRole('textbox', { name: 'Folder name' }).fill('Travel 旅行');
  await window.getByRole('textbox', { name: 'Folder name' }).press('Enter');
  await expect(window.getByTestId('folder-row')).toContainText('Travel 旅行1');
  await choose(window, 'Stars', 'Pin');
  await expect(window.locator('.list-row').nth(1)).toContainText('Stars');
  await choose(window, 'Bread', /^Delete/);
  await expect(item(window, 'Bread')).toHaveCount(0);
  await window.getByRole('button', { name: 'Undo' }).click();
  await expect(item(window, 'Bread')).toHaveCount(1);
  // By mouse: onto the folder.
  await item(window, 'Bread').dragTo(window.getByTestId('folder-row'));
  await expect(window.getByTestId('folder-row')).toContainText('Travel 旅行2');
  await choose(window, 'Bread', /^Delete/);
  await first.electron.close();

  const { electron, window: again } = await startApp(profile);
  await expect(item(again, 'Bread')).toHaveCount(0);
  await expect(again.getByTestId('folder-row')).toContainText('Travel 旅行1');
  await again.getByRole('button', { name: 'More about chats' }).click();
  await again.getByRole('menuitem', { name: 'Recently deleted' }).click();
  await again.getByRole('button', { name: 'Bring back “Bread”' }).click();
  await again.keyboard.press('Escape');
  await expect(again.getByTestId('folder-row')).toContainText('Travel 旅行2');
  await item(again, 'Bread').getByRole('button').first().click();
  await expect(lastAnswer(again)).toContainText('With flour.');
  await electron.close();
});

test('a chat is named by the model while nothing else is asked, unless a person named it or does not want it', async ({
  profile,
}) => {
  test.setTimeout(180_000);
  seed(profile, (storage) => storage.settings.set({ temperature: 0, autoTitle: false }));
  const { electron, window } = await startApp(profile);
  await ready(window);
  const newest = window.getByTestId('chat-list-item').first();
  async function ask(question: string): Promise<void> {
    await send(window, question);
    await ended(window, 'complete');
  }
  async function askAnew(question: string): Promise<void> {
    await window.getByTestId('new-chat').click();
    await ask(question);
  }
  const named = (question: string) => expect(newest).not.toHaveText(question, { timeout: 60_000 });

  await ask('What is the capital of Italy?');
  await window.getByRole('button', { name: 'Settings', exact: true }).click();
  await window.getByRole('switch', { name: 'Titles by the model' }).click();
  await window.getByRole('button', { name: 'Chat', exact: true }).click();

  // The next question does not wait for a title, which comes after its answer.
  await askAnew('Explain quantum computing in two sentences.');
  await ask('Shorter');
  await named('Explain quantum computing in two sentences.');

  await choose(window, (await newest.textContent()) ?? '', 'Rename');
  await window.getByRole('textbox', { name: 'Chat title' }).fill('Mine 我的');
  await window.keyboard.press('Enter');
  await ask('Is it old?');

  // One title is written at a time, in the order of the answers: so those of before are decided by now.
  await askAnew('What is the capital of France?');
  await named('What is the capital of France?');
  await expect(item(window, 'Mine 我的')).toHaveCount(1);
  await expect(item(window, 'What is the capital of Italy?')).toHaveCount(1);
  await electron.close();
});

/** Where the first letter of an element's text stands. */
const side = (element: Locator) =>
  element.evaluate((node) => {
    const range = document.createRange();
    const text = document.createTreeWalker(node, NodeFilter.SHOW_TEXT).nextNode() ?? node;
    range.setStart(text, 0);
    range.setEnd(text, 1);
    const letter = range.getBoundingClientRect();
    const box = node.getBoundingClientRect();
    return letter.left - box.left > box.right - letter.right ? 'right' : 'left';
  });

test('text is laid out in the direction of its script, paragraph by paragraph, and code from left to right', async ({
  profile,
}) => {
  const python = '```python\nprint("سلام")\n```';
  const reply = `مرحبا بالعالم\n\nIn English: hello.\n\n- عنصر\n\n${python}\n\n| أ | ب |\n|---|---|\n| ١ | ٢ |`;
  seed(profile, (storage) => addChat(storage, 'שלום', [['שלום עולם', reply]], Date.now()));
  const { electron, window } = await startApp(profile);
  await item(window, 'שלום').getByRole('button').first().click();
  const answer = lastAnswer(window);
  expect(await side(window.getByTestId('message-user').getByText('שלום עולם'))).toBe('right');
  expect(await side(answer.getByText('مرحبا بالعالم'))).toBe('right');
  expect(await side(answer.getByText('In English: hello.'))).toBe('left');
  expect(await side(answer.locator('li'))).toBe('right');
  expect(await side(answer.locator('pre'))).toBe('left');
  // The first column is the rightmost one.
  const [first, second] = await Promise.all([0, 1].map((at) => answer.locator('th').nth(at).boundingBox()));
  expect(first?.x).toBeGreaterThan(second?.x ?? Number.POSITIVE_INFINITY);
  const [table, code] = await Promise.all([answer.locator('table').boundingBox(), answer.locator('pre').boundingBox()]);
  expect(table?.x).toBeGreaterThan((code?.x ?? 0) + (code?.width ?? 0) / 2);
  await electron.close();
});

test('search finds Chinese text, shows where, and opens the message', async ({ profile }) => {
  seed(profile, (storage) => {
    const many: [string, string][] = Array.from({ length: 60 }, (_, i) => [`第${i}个问题`, `第${i}个回答。`]);
    many[7] = ['量子纠缠是什么？', '它是两个粒子之间的一种联系。'];
    addChat(storage, 'Physics 物理', many, Date.now());
    addChat(storage, 'Other', [['hello', 'world']], Date.now() - 1);
  });
  const { electron, window } = await startApp(profile);
  for (const query of ['纠缠', '粒子', '量子纠']) {
    await window.getByTestId('search-input').fill(query);
    await expect(window.locator('.chat-excerpt mark')).toHaveText(query);
    await expect(window.getByTestId('chat-list-item')).toHaveCount(1);
  }
  await window.getByTestId('chat-list-item').getByRole('button').first().click();
  await expect(window.getByTestId('message-user').filter({ hasText: '量子纠缠是什么' })).toBeInViewport();
  await electron.close();
});

test('export and import bring every chat over', async ({ profile }) => {
  const target = path.join(profile, '导出 chats.json');
  seed(profile, (storage) => addChat(storage, 'Rome', [['Where is Rome? 罗马', 'In Italy.']], Date.now()));
  const { electron, window } = await startApp(profile);
  await answerDialogs(electron, target);
  await window.getByRole('button', { name: 'More about chats' }).click();
  await window.getByRole('menuitem', { name: 'Export all chats as JSON' }).click();
  await expect(window.getByText('Exported to “导出 chats.json”.')).toBeVisible();
  expect(readFileSync(target, 'utf8')).toContain('罗马');
  await choose(window, 'Rome', /^Delete/);
  await window.getByRole('button', { name: 'More about chats' }).click();
  await window.getByRole('menuitem', { name: 'Import chats' }).click();
  await expect(window.getByText('Imported 1 chats.')).toBeVisible();
  await item(window, 'Rome').getByRole('button').first().click();
  await expect(lastAnswer(window)).toContainText('In Italy.');
  await electron.close();
});

test('10,000 chats: there at once, scrolled, searched', async ({ profile }) => {
  test.setTimeout(300_000);
  const words = 'the quick brown fox jumps over a lazy dog while five boxing wizards vex the daft jack'.split(' ');
  seed(profile, (storage) => {
    for (let i = 0; i < 10_000; i += 1) {
      const text = Array.from({ length: 40 }, (_, j) => words[(i * 7 + j * 3) % words.length]).join(' ');
      const reply = `${text} 人工智能的发展很快，第${i}号。${i === 4321 ? ' platypus 鸭嘴兽' : ''}`;
      addChat(storage, `Chat ${i}`, [[text, reply]], 1_700_000_000_000 + i * 60_000);
    }
  });
  const first = await startApp(profile);
  await ready(first.window);
  await first.electron.close();

  const interactive: number[] = [];
  const startTimed = async () => {
    const started = Date.now();
    const app = await startApp(profile);
    await expect(item(app.window, 'Chat 9999')).toBeVisible();
    await app.window.getByTestId('composer-input').fill('ready');
    interactive.push(Date.now() - started);
    return app;
  };
  for (let i = 0; i < 2; i += 1) await (await startTimed()).electron.close();
  const { electron, window } = await startTimed();
  expect(await window.getByTestId('chat-list-item').count()).toBeLessThan(60);
  // The older ones come a moment later.
  await expect(async () => {
    await window.locator('.list-scroll').evaluate((list) => list.scrollTo(0, list.scrollHeight));
    await expect(item(window, /^Chat 0$/)).toBeVisible({ timeout: 500 });
  }).toPass();

  const slowest: Record<string, number> = {};
  for (const query of ['platypus', '鸭嘴兽', '鸭嘴', 'the', 'ox', '人工', '的', 'Chat 77', 'wizards 4321']) {
    const ms = await window.evaluate(async (text) => {
      const times: number[] = [];
      for (let i = 0; i < 3; i += 1) {
        const before = performance.now();
        const answer = await self.shadownpu.invoke('chats.search', { query: text });
        times.push(performance.now() - before);
        if (!answer.ok || answer.value.hits.length === 0) throw new Error(`nothing found for ${text}`);
      }
      return times.sort((a, b) => a - b)[1] ?? 0;
    }, query);
    slowest[query] = Math.round(ms);
  }
  console.log(`10,000 chats: interactive after ${interactive.join(', ')} ms; search, ms: ${JSON.stringify(slowest)}`);
  await window.getByTestId('search-input').fill('鸭嘴兽');
  await expect(window.getByTestId('chat-list-item')).toHaveCount(1);
  await expect(item(window, 'Chat 4321')).toBeVisible();
  // The limits are those of a quiet machine; here others may be at work.
  expect(Math.min(...interactive)).toBeLessThan(8_000);
  expect(Math.max(...Object.values(slowest))).toBeLessThan(400);
  await electron.close();
});

test('a killed app has lost nothing that was on the screen half a second before', async ({ profile }) => {
  const first = await startApp(profile);
  await ready(first.window);
  await send(first.window, 'Write a long story about a lighthouse keeper and the sea, with many details.');
  await firstWords(first.window);
  await first.window.waitForTimeout(1_500);
  const shown = (await lastAnswer(first.window).locator('p').first().textContent()) ?? '';
  await first.window.waitForTimeout(700);
  const { all } = await processes(first.electron);
  for (const pid of all) process.kill(pid, 'SIGKILL');
  await first.electron.close().catch(() => undefined);

  const { electron, window } = await startApp(profile);
  await item(window, 'lighthouse').getByRole('button').first().click();
  await expect(lastAnswer(window)).toHaveAttribute('data-state', 'stopped');
  expect(shown.length).toBeGreaterThan(10);
  await expect(lastAnswer(window).locator('p').first()).toContainText(shown.slice(0, 60));
  await electron.close();
});

test('a damaged database gives back what can be read, and says so', async ({ profile }) => {
  seed(profile, (storage) => {
    for (let i = 0; i < 30; i += 1)
      addChat(storage, `Chat ${i}`, [['x'.repeat(3000), 'y'.repeat(3000)]], Date.now() + i);
  });
  const name = path.join(profile, 'chats.db');
  const db = new DatabaseSync(name);
  const { pageno } = db
    .prepare("SELECT pageno FROM dbstat WHERE name = 'messages' AND pagetype = 'leaf' LIMIT 1 OFFSET 9")
    .get() as { pageno: number };
  db.close();
  const file = openSync(name, 'r+');
  writeSync(file, Buffer.alloc(4096, 0xa5), 0, 4096, (pageno - 1) * 4096);
  closeSync(file);
  const first = await startApp(profile);
  const question = first.electron.evaluate(
    ({ dialog }) =>
      new Promise<string>((resolve) => {
        dialog.showMessageBox = (async ({ message, buttons }: { message: string; buttons: string[] }) => {
          resolve(message);
          return { response: buttons.indexOf('Later'), checkboxChecked: false };
        }) as unknown as typeof dialog.showMessageBox;
      }),
  );
  expect(await question).toBe('The chat database is damaged');
  await first.electron.close();

  const { electron, window } = await startApp(profile);
  await expect(window.getByTestId('chat-list-item').first()).toBeVisible();
  await expect(window.getByTestId('error-notice')).toContainText(/was damaged\. 30 chats with \d\d messages/);
  expect(readdirSync(profile).filter((name) => name.includes('.damaged-')).length).toBeGreaterThan(0);
  await electron.close();
});

test('a full disk is told, and nothing on screen or disk is lost', async () => {
  test.skip(
    process.platform !== 'linux' || process.getuid?.() !== 0,
    'a small disk is mounted for this, which takes root on Linux',
  );
  const disk = mkdtempSync(path.join(tmpdir(), 'small disk '));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=48m', 'tmpfs', disk]);
  try {
    const profile = path.join(disk, 'profile');
    mkdirSync(profile);
    seed(profile, (storage) => addChat(storage, 'Rome', [['Where is Rome?', 'In Italy.']], Date.now()));
    const { electron, window } = await startApp(profile);
    await ready(window);
    await item(window, 'Rome').getByRole('button').first().click();
    execFileSync('sh', ['-c', 'cat /dev/zero > "$0" || true', path.join(disk, 'filler')], { stdio: 'ignore' });
    await window.getByTestId('composer-input').fill(`And Paris? ${'p'.repeat(200_000)}`);
    await window.getByTestId('send-button').click();
    await expect(window.getByTestId('error-notice').first()).toContainText('the disk is full');
    await expect(window.getByTestId('composer-input')).toHaveValue(/^And Paris\?/);
    await expect(lastAnswer(window)).toContainText('In Italy.');
    rmSync(path.join(disk, 'filler'));
    await window.getByTestId('composer-input').fill('And Paris?');
    await window.getByTestId('send-button').click();
    await expect(window.getByTestId('message-user').last()).toContainText('And Paris?');
    await electron.close();
  } finally {
    execFileSync('umount', ['-l', disk]);
    rmSync(disk, { recursive: true, force: true });
  }
});
