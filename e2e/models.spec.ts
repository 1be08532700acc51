/** Getting models: downloads from a real server over real HTTP, with everything that can come in between. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { DATA_FOLDER, expect, type StartedApp, startApp, test } from './app.ts';
import { ModelServer } from './model-server.ts';

const WANTED = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '..', 'resources', 'default-model.json'), 'utf8'),
) as { file: string; sha256: string; bytes: number };
const NAME = 'SmolLM2 135M Instruct';
const MB = 1e6;

let home: string;
let models: string;
let server: ModelServer;
let address: string;
const running: StartedApp[] = [];

test.beforeEach(async () => {
  home = mkdtempSync(path.join(tmpdir(), 'empty 空 '));
  models = path.join(home, 'models');
  server = new ModelServer(path.join(process.env[DATA_FOLDER] ?? '', 'models', WANTED.file));
  address = await server.listen();
});
test.afterEach(async () => {
  for (const { electron } of running.splice(0)) await electron.close();
  server.close();
  rmSync(home, { recursive: true, force: true });
});

async function start(profile: string): Promise<Page> {
  const app = await startApp(profile, home);
  running.push(app);
  await app.window.getByRole('button', { name: 'Models', exact: true }).click();
  return app.window;
}

async function stop(): Promise<void> {
  await running.pop()?.electron.close();
}

async function setServer(window: Page): Promise<void> {
  const field = window.getByRole('textbox', { name: 'Download server' });
  await field.fill(address);
  await field.press('Enter');
}

const offer = (window: Page) => window.getByRole('listitem', { name: NAME });
const download = (window: Page) => offer(window).getByTestId('download');
const begin = (window: Page) =>
  offer(window)
    .getByRole('button', { name: `Download ${NAME}` })
    .click();
const part = () => path.join(models, `${WANTED.file}.download`);
const partBytes = () => (existsSync(part()) ? readFileSync(part()).length : 0);

test('a model is downloaded over a pause and a restart of the app, and checked', async ({ profile }) => {
  test.setTimeout(180_000);
  server.limit = 20 * MB;
  const window = await start(profile);
  await expect(window.getByText('No model yet')).toBeVisible();
  await setServer(window);
  await begin(window);
  await expect(download(window)).toContainText(/(19|20)\sMB of 98\sMB/);
  expect(server.paths[0]).toContain('/resolve/');
  await offer(window).getByRole('button', { name: 'Pause' }).click();
  await expect(download(window)).toHaveAttribute('data-state', 'paused');
  await stop();

  const have = partBytes();
  expect(have).toBeGreaterThan(15 * MB);
  server.limit = 60 * MB;
  const again = await start(profile);
  // What was paused waits until it is wanted again.
  await expect(download(again)).toContainText('paused');
  expect(server.ranges).toHaveLength(2);
  await offer(again).getByRole('button', { name: 'Resume' }).click();
  await expect(download(again)).toContainText(/(59|60)\sMB of 98\sMB/);
  expect(server.ranges.at(-1)).toBe(`bytes=${have}-`);
  await stop();

  // What ran goes on by itself.
  const more = partBytes();
  expect(more).toBeGreaterThan(have);
  server.limit = Number.POSITIVE_INFINITY;
  const last = await start(profile);
  await expect(offer(last).getByText('On this computer')).toBeVisible({ timeout: 60_000 });
  expect(server.ranges.at(-1)).toBe(`bytes=${more}-`);
  const file = readFileSync(path.join(models, WANTED.file));
  expect(createHash('sha256').update(file).digest('hex')).toBe(WANTED.sha256);
  expect(readdirSync(models).filter((name) => name.includes('.download') && name !== '.downloads.json')).toEqual([]);
  // Nothing to be done by hand: it is prepared and will answer.
  await expect(last.getByTestId('engine-status')).toHaveAttribute('data-state', /loading|ready/);
});

test('a file that was damaged on the way is never used', async ({ profile }) => {
  server.damageAt = 50 * MB;
  const window = await start(profile);
  await setServer(window);
  await begin(window);
  await expect(download(window)).toContainText('The checksum of the download is wrong', { timeout: 60_000 });
  expect(readdirSync(models).filter((name) => name.startsWith(WANTED.file))).toEqual([]);
  await expect(window.getByText('No model yet')).toBeVisible();
  server.damageAt = undefined;
  await offer(window).getByRole('button', { name: 'Try' }).click();
  await expect(offer(window).getByText('On this computer')).toBeVisible({ timeout: 60_000 });
});

test('a download is cancelled, and leaves nothing', async ({ profile }) => {
  server.limit = 10 * MB;
  const window = await start(profile);
  await setServer(window);
  await begin(window);
  await expect(download(window)).toContainText(/\d\sMB of 98\sMB/);
  await expect.poll(partBytes).toBeGreaterThan(MB);
  await offer(window).getByRole('button', { name: 'Cancel' }).click();
  await expect(offer(window).getByRole('button', { name: `Download ${NAME}` })).toBeVisible();
  expect(readdirSync(models).filter((name) => name.startsWith(WANTED.file))).toEqual([]);
});

test('without a connection the page says so, and what is wrong with a server', async ({ profile }) => {
  const window = await start(profile);
  const field = window.getByRole('textbox', { name: 'Download server' });
  await field.fill('http://hf-mirror.com');
  await field.press('Enter');
  await expect(window.getByRole('alert')).toHaveText('It must begin with https://.');
  server.close();
  await setServer(window);
  await begin(window);
  await expect(download(window)).toContainText(/connection to 127\.0\.0\.1:\d+ was lost/);
  await expect(download(window)).toContainText('trying again');
});

test('a disk without room is told before the download, and one that becomes full does not lose it', async ({
  profile,
}) => {
  test.skip(process.platform !== 'linux' || process.getuid?.() !== 0, 'needs a small disk: root on Linux');
  mkdirSync(models);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=200m', 'tmpfs', models]);
  try {
    const window = await start(profile);
    await setServer(window);
    await begin(window);
    await expect(download(window)).toContainText(/has 0\.2\d GB free; the download needs 0\.37 GB/);
    expect(server.ranges).toEqual([]);
    execFileSync('mount', ['-o', 'remount,size=600m', models]);
    server.limit = 20 * MB;
    await offer(window).getByRole('button', { name: 'Try' }).click();
    await expect(download(window)).toContainText(/(19|20)\sMB of 98\sMB/);
    execFileSync('mount', ['-o', 'remount,size=30m', models]);
    server.limit = Number.POSITIVE_INFINITY;
    await expect(download(window)).toContainText('The disk became full');
    expect(partBytes()).toBeGreaterThan(20 * MB);
    execFileSync('mount', ['-o', 'remount,size=600m', models]);
    await offer(window).getByRole('button', { name: 'Try' }).click();
    await expect(offer(window).getByText('On this computer')).toBeVisible({ timeout: 60_000 });
    expect(server.ranges.at(-1)).toMatch(/^bytes=[1-9]\d*-$/);
  } finally {
    await stop();
    execFileSync('umount', ['-l', models]);
  }
});
