/** The resources and pipeline screens in the real window, over an answer of the real model. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ended, expect, lastAnswer, ready, send, test } from './app.ts';

const QUESTION = `Summarise in one sentence: ${readFileSync(path.join(import.meta.dirname, '..', 'LICENSE'), 'utf8').slice(0, 5000)}`;

let folder: string;
test.beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'saved 保存 '));
});
test.afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('charts move during an answer and are quiet after; the pipeline shows heads, kept keys and words', async ({
  app,
}) => {
  test.setTimeout(420_000);
  const { electron, window } = app;
  await ready(window);
  await window.getByRole('button', { name: 'Pipeline' }).click();
  await expect(window.getByTestId('no-trace')).toBeVisible();

  await window.getByRole('button', { name: 'Chat', exact: true }).click();
  await send(window, QUESTION);
  await window.getByRole('button', { name: 'Resources' }).click();
  const speed = window.getByTestId('reading-speed').locator('.resource-now');
  // The speed of the prompt or of the answer is above nothing while it is made.
  await expect(speed).toHaveText(/[1-9][\d,.]*.tok\/s/, { timeout: 60_000 });
  await expect(window.getByTestId('engine-threads').getByText('Engine thread')).toBeVisible();
  await expect(window.getByTestId('model-memory')).toContainText('Weights');
  // This machine has no NPU: that is said, and no zero is shown.
  await expect(window.getByTestId('reading-npu')).toContainText('Not reported by this driver');

  await window.getByTestId('pause-samples').click();
  await window.getByRole('radio', { name: 'Table' }).check({ force: true });
  await expect(window.getByTestId('readings-table')).toContainText('Processor: All');
  await window.getByTestId('pause-samples').click();
  await window.getByRole('radio', { name: 'Charts' }).check({ force: true });

  await window.getByRole('button', { name: 'Chat', exact: true }).click();
  await expect(lastAnswer(window).locator('p, li, pre').first()).toHaveText(/\S/, { timeout: 90_000 });
  // What was measured of the prompt stays, whether the answer goes on or not.
  await window.getByTestId('stop-button').click();
  await ended(window, 'stopped');
  await expect(window.getByTestId('resource-strip')).toContainText('Processor');
  await expect(window.getByTestId('resource-strip')).not.toContainText('tok/s', { timeout: 10_000 });

  await window.getByRole('button', { name: 'Pipeline' }).click();
  await expect(window.getByTestId('trace-facts')).toContainText('tokens');
  await expect(window.getByTestId('stage-totals')).toContainText('Selection');
  await window.getByRole('radio', { name: 'Heads of a layer' }).check({ force: true });
  const gantt = window.getByTestId('gantt').first();
  await expect(gantt).toHaveAttribute('data-rows', '9');
  await gantt.locator('canvas').focus();
  await window.keyboard.press('+');
  await expect(gantt.getByRole('button', { name: 'Show all' })).toBeEnabled();
  await window.getByRole('radio', { name: 'One head' }).check({ force: true });
  await expect(gantt).toHaveAttribute('data-rows', /[3-5]/);

  const replay = window.getByTestId('replay');
  await replay.getByTestId('replay-run').click();
  await replay.getByRole('button', { name: 'Stop' }).click();
  await expect(replay.getByTestId('replay-run')).toBeVisible({ timeout: 60_000 });
  await expect(replay.getByTestId('replay-totals')).toHaveCount(0);
  await replay.getByTestId('replay-run').click();
  await expect(replay.getByTestId('replay-totals')).toContainText('Attention, measured', { timeout: 180_000 });
  await expect(replay.getByTestId('replay-device')).toContainText('Simulated device');
  // Two headings; the engine thread, a worker and the device of each run.
  await expect(replay.getByTestId('gantt')).toHaveAttribute('data-rows', '8');
  const measured = replay.getByTestId('replay-totals').getByRole('row', { name: 'Attention, measured' });
  expect(Number.parseFloat((await measured.getByRole('cell').last().textContent()) ?? '')).toBeGreaterThan(0);
  // The answer's own trace is still there.
  await expect(gantt).toHaveAttribute('data-rows', /[3-5]/);

  const whatIf = window.getByTestId('what-if');
  await expect(whatIf).toContainText('Simulation: nothing of this was run');
  await expect(whatIf.getByTestId('what-if-totals')).toContainText('Measured in this answer');
  // The device, selection, kept keys, and the nine heads.
  await expect(whatIf.getByTestId('gantt')).toHaveAttribute('data-rows', '12');
  const simulated = whatIf.getByTestId('what-if-totals').getByRole('row', { name: 'with these switches' });
  const planned = (await simulated.textContent()) ?? '';
  await whatIf.getByRole('switch', { name: 'Pipeline' }).click();
  await expect(simulated).not.toHaveText(planned);

  const heat = window.getByTestId('heat-map');
  await heat.focus();
  await window.keyboard.press('ArrowRight');
  await window.keyboard.press('ArrowDown');
  await expect(window.getByTestId('heat-told')).toContainText('Layer 2, Head 2');
  await expect(window.getByTestId('token-view')).toContainText('Summarise in one sentence');
  const first = window.getByTestId('token-view').locator('.token[title]').first();
  await expect(first).toHaveAttribute('title', /kept by/);
  await window.getByRole('radio', { name: 'Layer 2, head 2' }).check({ force: true });
  await expect(window.getByTestId('token-view')).toBeVisible();

  // Where files go, only the system's dialog asks, which no test can click.
  await electron.evaluate(({ session }, target) => {
    session.defaultSession.on('will-download', (_event, item) => item.setSavePath(`${target}/${item.getFilename()}`));
  }, folder);
  async function saved(button: string, name: string): Promise<string> {
    const file = path.join(folder, name);
    await window.getByRole('button', { name: button, exact: true }).click();
    await expect.poll(() => existsSync(file)).toBe(true);
    return readFileSync(file, 'utf8');
  }
  const trace = JSON.parse(await saved('Save the trace', 'trace.json')) as {
    traceEvents: { ph: string; dur?: number }[];
  };
  expect(trace.traceEvents.filter(({ ph, dur = 0 }) => ph === 'X' && dur > 0).length).toBeGreaterThan(30 * 9);
  const table = JSON.parse(await saved('Save this table', 'costs.json')) as object;
  expect(Object.keys(table)).not.toEqual([]);
  await window.getByTestId('open-trace').setInputFiles(path.join(folder, 'trace.json'));
  await expect(window.getByTestId('trace-facts')).toContainText('tokens');
  await window.getByRole('button', { name: 'Resources' }).click();
  const [heading = '', ...rows] = (await saved('Save as CSV', 'resources.csv')).split('\r\n').filter(Boolean);
  expect(heading).toMatch(/^\uFEFFtime,/);
  expect(rows.length).toBeGreaterThan(10);
  expect(new Set(rows.map((row) => row.split(',').length))).toEqual(new Set([heading.split(',').length]));
  const samples = JSON.parse(await saved('Save as JSON', 'resources.json')) as unknown[];
  expect(samples.length).toBeGreaterThanOrEqual(rows.length);
});
