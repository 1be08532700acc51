/** The Devices page: what is there, why something cannot be used, and the self-test. */
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
