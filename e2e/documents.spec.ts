/** Whole documents in the real window with the real model: read, summarised, asked, cited, exported. */
import { createWriteStream, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import { gunzipSync } from 'node:zlib';
import type { ElectronApplication, Page } from '@playwright/test';
import PDFDocument from 'pdfkit';
import { pdf } from '../main/documents/testing/pdfs.ts';
import { hasTool, runTool } from '../main/documents/testing/tools.ts';
import { DATA_FOLDER, ended, expect, ready, send, startApp, test } from './app.ts';

let folder: string;
test.beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'papers 文件 '));
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A page of prose about one town, with a fact of its own. */
function townPage(number: number): string {
  const filler =
    'The streets are narrow and paved with grey stone. Markets are held twice a week, and farmers from the hills bring fruit, cheese and wool. ';
  return `The town of Place${number} has ${1000 + number} inhabitants and was founded in ${1200 + number}. ${filler.repeat(6)}`;
}

async function writePdf(
  name: string,
  pages: readonly string[],
  options: PDFKit.PDFDocumentOptions = {},
): Promise<string> {
  const file = path.join(folder, name);
  const pdf = new PDFDocument({ autoFirstPage: false, ...options });
  const done = finished(pdf.pipe(createWriteStream(file)));
  for (const text of pages) {
    pdf.addPage();
    if (text !== '') pdf.fontSize(11).text(text);
    else pdf.rect(100, 100, 300, 400).fill('#888888');
  }
  pdf.end();
  await done;
  return file;
}

/** Adds a file by the dialog, which no test can click. */
async function add({ electron, window }: { electron: ElectronApplication; window: Page }, file: string): Promise<void> {
  await electron.evaluate(({ dialog }, chosen) => {
    dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [chosen] });
  }, file);
  await window.getByRole('button', { name: 'Documents', exact: true }).click();
  await window.getByRole('button', { name: 'Add documents' }).first().click();
}

const state = (window: Page) => window.getByTestId('document-item').first();

test('a PDF longer than the context: plan, parts, stop, restart, go on, a citation, export', async ({ profile }) => {
  test.setTimeout(600_000);
  const file = await writePdf(
    'Towns.pdf',
    Array.from({ length: 20 }, (_, i) => townPage(i + 1)),
  );
  const first = await startApp(profile);
  await ready(first.window);
  await add(first, file);
  const { window } = first;
  await expect(state(window)).toHaveAttribute('data-state', 'ready', { timeout: 60_000 });
  await window.getByRole('radio', { name: 'Short' }).check({ force: true });
  await expect(window.getByTestId('summary-plan')).toContainText('parts');
  await window.getByTestId('summary-start').click();
  const sections = window.getByTestId('summary-section');
  await expect(sections.first()).toHaveAttribute('data-state', 'done', { timeout: 180_000 });
  const total = await sections.count();
  expect(total).toBeGreaterThan(1);
  await window.getByTestId('summary').getByRole('button', { name: 'Stop' }).click();
  await expect(window.getByTestId('summary')).toHaveAttribute('data-state', 'stopped');
  const kept = await sections.first().textContent();
  await first.electron.close();

  const second = await startApp(profile);
  await ready(second.window);
  const again = second.window;
  await again.getByRole('button', { name: 'Documents', exact: true }).click();
  await state(again).getByRole('button').click();
  await expect(again.getByTestId('summary')).toHaveAttribute('data-state', 'stopped');
  await expect(again.getByTestId('summary-section').first()).toHaveText(kept ?? '');
  await again.getByTestId('summary').getByRole('button', { name: 'Go on' }).click();
  await expect(again.getByTestId('summary')).toHaveAttribute('data-state', 'complete', { timeout: 400_000 });
  await expect(again.getByTestId('summary-coverage')).toContainText('Read 100');
  await again.getByTestId('citation').first().click();
  await expect(again.getByTestId('cited-place')).toBeInViewport();

  for (const [entry, name] of [
    ['As Markdown', 'out.md'],
    ['As Word document', 'out.docx'],
    ['As PDF', 'out.pdf'],
  ] as const) {
    const target = path.join(folder, name);
    await second.electron.evaluate(({ dialog }, chosen) => {
      dialog.showSaveDialog = async () => ({ canceled: false, filePath: chosen });
    }, target);
    await again.getByRole('button', { name: 'Export' }).click();
    await again.getByRole('menuitem', { name: entry }).click();
    await expect(again.getByText(`Exported to “${name}”.`)).toBeVisible();
    expect(readFileSync(target).length).toBeGreaterThan(100);
  }
  expect(readFileSync(path.join(folder, 'out.md'), 'utf8')).toMatch(
    /^# Towns\.pdf\n\nRead (\d+) of \1 tokens \(100 %\)/,
  );
  expect(readFileSync(path.join(folder, 'out.docx')).subarray(0, 2).toString()).toBe('PK');
  expect(readFileSync(path.join(folder, 'out.pdf')).subarray(0, 5).toString()).toBe('%PDF-');
  if (hasTool('pdftotext')) {
    const printed = runTool('pdftotext', '-enc', 'UTF-8', path.join(folder, 'out.pdf'), '-');
    expect(printed).toMatch(/^Towns\.pdf\s+Read (\d+) of \1 tokens \(100 %\)/);
  }

  await again.getByTestId('document-question').fill('How many inhabitants has the town of Place7?');
  await again.keyboard.press('Enter');
  await expect(again.getByTestId('document-answer')).toHaveAttribute('data-state', 'complete', { timeout: 120_000 });
  await expect(again.getByTestId('document-answer')).toContainText(/Looked at \d+ of \d+ passages/);

  const whole = (await again.getByTestId('summary-whole').locator('.cited').textContent()) ?? '';
  await again.getByRole('button', { name: 'Open in a chat' }).click();
  await expect(again.getByTestId('chat-list-item').first()).toContainText('Towns.pdf');
  const [beginning = ''] = whole.match(/\w+ \w+ \w+/) ?? [];
  await expect(again.getByTestId('note')).toContainText(beginning);
  await send(again, 'Which town is told of first?');
  await ended(again, 'complete', 120_000);
  await second.electron.close();
});

test('a scanned PDF: nothing to summarise, what a download lacks, then recognised and marked', async ({ app }) => {
  test.setTimeout(300_000);
  const { electron, window } = app;
  await ready(window);
  const scan = readFileSync(path.join(import.meta.dirname, '..', 'main', 'documents', 'testing', 'scans', 'eng.png'));
  const file = path.join(folder, 'Scan.pdf');
  writeFileSync(file, await pdf((document) => document.image(scan, 40, 60, { width: 500 })));
  await add(app, file);
  await expect(state(window)).toHaveAttribute('data-state', 'ready', { timeout: 60_000 });
  await expect(window.getByTestId('document-problems')).toContainText('Page 1: a picture without text.');
  await expect(window.getByTestId('summary-start')).toBeDisabled();

  const offer = window.getByTestId('scanned-offer');
  const english = window.getByTestId('ocr-language').first();
  // No network, whatever there is here: a proxy that is not there.
  await electron.evaluate(({ session }) => session.defaultSession.setProxy({ proxyRules: '127.0.0.1:9' }));
  await offer.getByRole('button', { name: /Download English/ }).click();
  await expect(english.getByRole('alert')).toContainText('registry.npmjs.org');
  // What the message says helps without a network.
  const data = path.join(process.env[DATA_FOLDER] ?? '', 'ocr');
  const packed = createRequire(import.meta.url).resolve('@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz');
  mkdirSync(data, { recursive: true });
  writeFileSync(path.join(data, 'eng.traineddata'), gunzipSync(readFileSync(packed)));
  await offer.getByRole('button', { name: /Download English/ }).click();
  await expect(english).toHaveAttribute('data-state', 'here');
  await offer.getByRole('button', { name: 'Recognise the text of 1 page' }).click();
  await expect(window.getByTestId('document-problems')).toContainText('text recognised in a picture', {
    timeout: 120_000,
  });
  await window.getByRole('button', { name: 'Text', exact: true }).click();
  await expect(window.locator('.document-page')).toContainText('Recognised in a picture');
  await expect(window.locator('.document-page-text')).toContainText('The committee met on 14 March');
  await expect(window.getByTestId('summary-start')).toBeEnabled();
});

test('a PDF with a password is opened with it', async ({ app }) => {
  await ready(app.window);
  await add(app, await writePdf('Secret.pdf', [townPage(1)], { userPassword: 'sesam', pdfVersion: '1.7' }));
  await expect(state(app.window)).toHaveAttribute('data-state', 'failed', { timeout: 60_000 });
  await app.window.getByLabel('Password').fill('wrong');
  await app.window.getByRole('button', { name: 'Open', exact: true }).click();
  // Its state is still the former one for a moment.
  await expect(app.window.getByTestId('error-notice')).toContainText('The password does not open', { timeout: 60_000 });
  await app.window.getByLabel('Password').fill('sesam');
  await app.window.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(state(app.window)).toHaveAttribute('data-state', 'ready', { timeout: 60_000 });
});

test('a file that changes is noticed, and one that is gone keeps what was read', async ({
  app: { electron, window },
}) => {
  const file = path.join(folder, 'note.txt');
  writeFileSync(file, 'The meeting is on Tuesday.');
  await add({ electron, window }, file);
  await expect(state(window)).toHaveAttribute('data-state', 'ready', { timeout: 60_000 });
  writeFileSync(file, 'The meeting is on Friday, at noon.');
  await window.getByRole('button', { name: 'Chat', exact: true }).click();
  await window.getByRole('button', { name: 'Documents', exact: true }).click();
  await expect(window.getByText('The file has changed since it was read.')).toBeVisible();
  await window.getByRole('button', { name: 'Read again' }).click();
  await window.getByRole('button', { name: 'Text', exact: true }).click();
  await expect(window.getByText('The meeting is on Friday, at noon.')).toBeVisible();
  renameSync(file, path.join(folder, 'moved.txt'));
  await window.getByRole('button', { name: 'Chat', exact: true }).click();
  await window.getByRole('button', { name: 'Documents', exact: true }).click();
  await expect(window.getByText('The file is not in its place any more.')).toBeVisible();
});

test('a Chinese document from end to end', async ({ app: { electron, window } }) => {
  test.setTimeout(240_000);
  const file = path.join(folder, '桥梁报告.txt');
  writeFileSync(
    file,
    '这座大桥建于一九二八年，总长六百米。工程师克拉拉来自德累斯顿。一九四三年冬天，大桥因两个桥墩受损而关闭。'.repeat(
      3,
    ),
  );
  await ready(window);
  await add({ electron, window }, file);
  await expect(state(window)).toHaveAttribute('data-state', 'ready', { timeout: 60_000 });
  await window.getByTestId('summary-start').click();
  await expect(window.getByTestId('summary')).toHaveAttribute('data-state', /complete|failed/, { timeout: 200_000 });
  await expect(window.getByTestId('summary-coverage')).toContainText(/tokens/);
  await window.getByRole('button', { name: 'Text', exact: true }).click();
  await expect(window.locator('.document-page-text').first()).toContainText('这座大桥建于一九二八年');
});
