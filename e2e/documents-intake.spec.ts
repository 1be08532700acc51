/** How documents come into the real window: every way there is, hostile and very long ones, and what they do to the window. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { rawPart, rawZip } from '../main/documents/testing/archives.ts';
import { docxParts } from '../main/documents/testing/packages.ts';
import { longPdf } from '../main/documents/testing/pdfs.ts';
import { expect, giveFile, type StartedApp, startApp, switches, test } from './app.ts';
import { watchResponsiveness } from './responsiveness.ts';

let folder: string;
test.beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'intake 入口 '));
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, content: string | Uint8Array): string {
  const where = path.join(folder, name);
  mkdirSync(path.dirname(where), { recursive: true });
  writeFileSync(where, content);
  return where;
}

const item = (window: Page, name: string) => window.getByTestId('document-item').filter({ hasText: name });
const isRead = (window: Page, name: string) =>
  expect(item(window, name)).toHaveAttribute('data-state', 'ready', { timeout: 60_000 });

/** Answers the next native dialog; the only part of the app that is not itself here. */
async function choose({ electron }: StartedApp, chosen: string): Promise<void> {
  await electron.evaluate(({ dialog }, filePath) => {
    dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [filePath] });
  }, chosen);
}

/** As a desktop opens a file with the app while it runs: a second copy is started, and hands over. */
async function openWith({ electron }: StartedApp, profile: string, ...files: string[]): Promise<void> {
  const program = await electron.evaluate(() => process.execPath);
  const second = spawn(program, [...switches(profile), ...files], { stdio: 'ignore' });
  await new Promise((resolve) => second.once('exit', resolve));
}

test('documents come from a dialog, a folder, the clipboard, a drop and other programs; a bomb harms nothing', async ({
  app,
  profile,
}) => {
  test.setTimeout(240_000);
  const { window } = app;
  await window.getByRole('button', { name: 'Documents', exact: true }).click();

  const packed = rawZip(
    Object.entries({ ...docxParts(''), 'word/document.xml': Buffer.alloc(300 * 2 ** 20, 0x20) }).map(
      ([name, content]) => rawPart(name, Buffer.from(content as string)),
    ),
  );
  expect(packed.length).toBeLessThan(2 ** 20);
  await choose(app, file('bomb.docx', packed));
  await window.getByRole('button', { name: 'Add documents' }).first().click();
  await expect(item(window, 'bomb.docx')).toHaveAttribute('data-state', 'failed', { timeout: 60_000 });
  await expect(window.getByTestId('error-notice')).toContainText('would unpack to 300 MB');

  file('box/first.md', '# First\n\nA note.');
  file('box/deeper/second.html', '<title>Second</title><p>A page.</p>');
  file('box/picture.png', Buffer.from('89504e470d0a1a0a', 'hex'));
  await choose(app, path.join(folder, 'box'));
  const more = async (entry: string) => {
    await window.getByRole('button', { name: 'More ways to add' }).click();
    await window.getByRole('menuitem', { name: entry }).click();
  };
  await more('Add a folder');
  await isRead(window, 'First');
  await isRead(window, 'Second');
  await expect(window.getByTestId('document-item')).toHaveCount(3);
  await expect(window.getByTestId('left-out')).toContainText(`cannot be read: ${path.join('box', 'picture.png')}`);

  await more('Paste text');
  await window.getByRole('textbox', { name: 'Text' }).fill('Minutes of Monday\n\nThe roof is mended.');
  await window.getByRole('button', { name: 'Add this text' }).click();
  await isRead(window, 'Minutes of Monday');

  await giveFile(window, file('dropped.csv', 'town,people\nA,1000\n'));
  await window.getByTestId('document-drop').evaluate((area) => {
    const [dropped] = document.querySelector<HTMLInputElement>('#given')?.files ?? [];
    const dataTransfer = new DataTransfer();
    if (dropped) dataTransfer.items.add(dropped);
    area.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer }));
  });
  await isRead(window, 'dropped.csv');

  await window.getByRole('button', { name: 'Chat', exact: true }).click();
  await openWith(app, profile, file('送来 sent.txt', 'Sent by another program.'));
  await isRead(window, '送来 sent.txt');
  await window.getByRole('button', { name: 'Text', exact: true }).click();
  await expect(window.getByText('Sent by another program.')).toBeVisible();

  await openWith(app, profile, file('broken.gguf', 'GGUF, but no model'));
  await expect(window.getByRole('heading', { name: 'Models', exact: true })).toBeVisible();
  await expect(window.getByTestId('error-notice')).toContainText('broken.gguf');
});

test('a PDF of 1,500 pages is read while the window answers; it may disappear meanwhile', async ({ profile }) => {
  test.setTimeout(400_000);
  const bytes = await longPdf(1500);
  const long = file('long.pdf', bytes);
  const app = await startApp(profile, undefined, [long]);
  const { electron, window } = app;
  const document = item(window, 'long.pdf');
  await expect(document).toHaveAttribute('data-state', /waiting|reading/);
  const longest = await watchResponsiveness(app);
  await expect(document).toHaveAttribute('data-state', 'ready', { timeout: 200_000 });
  await expect(document).toContainText(/1,500 pages · [\d,]+ tokens/, { timeout: 100_000 });
  const { answer, turn } = await longest();
  console.log(`1,500 pages: main answered within ${answer.toFixed(0)} ms, the page was busy for ${turn.toFixed(0)} ms`);
  expect(answer).toBeLessThan(200);
  expect(turn).toBeLessThan(200);

  writeFileSync(long, Buffer.concat([bytes, Buffer.from('\n')]));
  await window.getByRole('button', { name: 'Chat', exact: true }).click();
  await window.getByRole('button', { name: 'Documents', exact: true }).click();
  await window.getByRole('button', { name: 'Read again' }).click();
  await expect(window.getByRole('status').filter({ hasText: 'of 1,500' })).toBeVisible({ timeout: 60_000 });
  rmSync(long);
  await expect(window.getByText('long.pdf was moved or deleted while it was read.')).toBeVisible({ timeout: 200_000 });
  await expect(document).toContainText('1,500 pages');
  await electron.close();
});
