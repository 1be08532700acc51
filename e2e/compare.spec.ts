/** The compare screen in the real window with the real model: three ways, their figures, the report as page and picture. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, ready, type StartedApp, test } from './app.ts';

const LICENSE = readFileSync(path.join(import.meta.dirname, '..', 'LICENSE'), 'utf8');
const PROMPT = `Summarise this licence in two sentences. <script>alert(1)</script>\n\n${LICENSE.slice(0, 8500)}`;

/** Exports by the menu, to a place that no dialog is asked for. */
async function exported({ electron, window }: StartedApp, entry: string, target: string): Promise<Buffer> {
  await electron.evaluate(({ dialog }, chosen) => {
    dialog.showSaveDialog = async () => ({ canceled: false, filePath: chosen });
  }, target);
  await window.getByRole('button', { name: 'Export, delete' }).click();
  await window.getByRole('menuitem', { name: entry }).click();
  await expect(window.getByText(`Exported to “${path.basename(target)}”.`)).toBeVisible({ timeout: 30_000 });
  return readFileSync(target);
}

test('three ways are compared, kept and exported; the curve can be stopped', async ({ app }) => {
  test.setTimeout(300_000);
  const folder = mkdtempSync(path.join(tmpdir(), 'reports 报告 '));
  const { window } = app;
  await ready(window);
  await window.locator('.rail').getByRole('button', { name: 'Compare' }).click();
  await window.getByTestId('compare-text').fill(PROMPT);
  await window.getByLabel('Length of the answer').selectOption('16');
  await expect(window.getByTestId('compare-plan')).toHaveText(/[12],\d{3} tokens\./, { timeout: 60_000 });
  await window.getByTestId('compare-run').click();
  const rows = window.getByTestId('figure-row');
  await expect(rows).toHaveCount(3);
  await expect(window.getByTestId('comparison')).toHaveAttribute('data-state', 'complete', { timeout: 200_000 });
  for (const row of await rows.all()) await expect(row).toHaveAttribute('data-state', 'done');
  await expect(rows.nth(0)).toContainText('the reference');
  await expect(rows.nth(1)).toContainText(/% of 1?\d/);
  await expect(window.getByTestId('compare-answer').nth(1)).toContainText(/\w/);

  const json = JSON.parse((await exported(app, 'Figures (JSON)', path.join(folder, 'out.json'))).toString());
  const [full, shadow, block] = json.rows;
  for (const { figures, peakBytes } of json.rows) {
    expect(figures).toMatchObject({ cachedTokens: 0, promptTokens: json.promptTokens });
    expect(figures.firstTokenMs / 1000).toBeGreaterThanOrEqual(figures.prefill.seconds * 0.99);
    expect(peakBytes).toBeGreaterThan(50e6);
  }
  expect(full).not.toHaveProperty('agreement');
  // Dropping whole blocks harms more than dropping what a pilot finds to matter little; where that would not be faster on
  // this machine with so few keys, shadow drops none.
  expect(block.agreement.kl).toBeGreaterThan(shadow.agreement.kl);
  expect(shadow.agreement.tokens).toBe(full.figures.completionTokens);

  const html = (await exported(app, 'Report (HTML)', path.join(folder, 'out.html'))).toString();
  expect(html).not.toMatch(/<(script|img|link|iframe)|\s(src|href|on[a-z]+)=/);
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  for (const text of [
    'Full',
    'Shadow 7 %',
    'Blocks 20 %',
    `Prompt of ${json.promptTokens.toLocaleString('en')} tokens`,
  ]) {
    expect(html).toContain(text);
  }
  const png = await exported(app, 'Report (PNG picture)', path.join(folder, 'out.png'));
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  // Width and height in its first chunk; drawn, not blank.
  expect(png.readUInt32BE(16)).toBeGreaterThan(1000);
  expect(png.readUInt32BE(20)).toBeGreaterThan(500);
  expect(png.length).toBeGreaterThan(20_000);

  await window.getByRole('radio', { name: 'Prompt length' }).check({ force: true });
  await expect(window.getByTestId('curve-plan')).toContainText('512, 1,024, 2,048');
  await window.getByTestId('curve-run').click();
  await expect(window.getByTestId('curve-table').getByRole('row')).toHaveCount(3, { timeout: 120_000 });
  await window.getByRole('button', { name: 'Stop' }).click();
  await expect(window.getByTestId('curve')).toHaveAttribute('data-state', 'stopped', { timeout: 60_000 });
  await expect(window.getByTestId('curve-chart')).toBeVisible();
  rmSync(folder, { recursive: true, force: true });
});
