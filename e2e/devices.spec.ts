/** The Devices page: what is there, why something cannot be used, and the self-test. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, ready, test } from './app.ts';

test('lists the processor, tests it for real, and explains how NPU support is installed', async ({
  app: { window },
}) => {
  await ready(window);
  await window.getByRole('button', { name: 'Devices' }).click();
  const list = window.getByTestId('devices');
  const processor = list.getByRole('listitem').filter({ hasText: 'CPUExecutionProvider' });
  await expect(processor).toHaveAttribute('data-state', 'untested');

  await window.getByTestId('test-devices').click();
  await expect(processor).toHaveAttribute('data-state', 'tested');
  await expect(processor).toContainText(/Passed in .* pilot .*ms .* linear .*ms/);
  await expect(processor.getByRole('button')).toHaveText('Test again');

  await expect(window.getByRole('heading', { name: 'Install NPU support' })).toBeVisible();
  await expect(window.getByRole('button', { name: 'Choose a folder' })).toBeEnabled();
});

test('nothing is cut off in a narrow window, and the page is reached by keyboard', async ({ app: { window } }) => {
  await ready(window);
  await window.setViewportSize({ width: 640, height: 800 });
  const button = window.getByRole('button', { name: 'Devices' });
  await button.focus();
  await window.keyboard.press('Enter');
  await expect(window.getByTestId('devices')).toBeVisible();
  const overflow = await window.evaluate(() => {
    const content = document.querySelector('.settings-scroll');
    return content === null ? 1 : content.scrollWidth - content.clientWidth;
  });
  expect(overflow).toBe(0);
});

test('a chosen folder of libraries: what is no library is listed with the reason, until the folder is forgotten', async ({
  app: { electron, window },
}) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'libraries 库 '));
  const windows = process.platform === 'win32';
  writeFileSync(
    path.join(folder, windows ? 'onnxruntime_providers_qnn.dll' : 'libonnxruntime_providers_qnn.so'),
    'not a library',
  );
  // The dialog is the system's own: what a person would choose in it is put in its place.
  await electron.evaluate(({ dialog }, chosen) => {
    dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [chosen] });
  }, folder);
  await ready(window);
  await window.getByRole('button', { name: 'Devices' }).click();
  await window.getByRole('button', { name: 'Choose a folder' }).click();
  await expect(window.getByText(folder)).toBeVisible();
  const entry = window.getByTestId('devices').getByRole('listitem').filter({ hasText: 'QNNExecutionProvider' });
  await expect(entry).toHaveAttribute('data-state', 'unusable');
  await expect(entry).toContainText(/no library at all|another kind of machine/);
  await window.getByRole('button', { name: 'Forget it' }).click();
  await expect(window.getByText(folder)).toHaveCount(0);
  await expect(entry).toHaveCount(0);
  rmSync(folder, { recursive: true, force: true });
});
