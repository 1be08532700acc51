/** Which device does what: the settings, and the proof under an answer. */
import { ended, expect, lastAnswer, ready, send, test } from './app.ts';

test('an answer tells who did what; wishes are kept over a new load', async ({ app: { window } }) => {
  await ready(window);
  await window.getByRole('button', { name: 'Settings' }).click();
  const linear = window.getByRole('combobox', { name: 'Reading the prompt' });
  await expect(linear).toHaveValue('auto');
  await linear.selectOption({ label: 'Processor' });
  await window.getByRole('switch', { name: 'Leave my GPU alone' }).click();
  await ready(window);
  await expect(window.getByText('Now: Processor. It was chosen.')).toBeVisible();
  await window.getByRole('button', { name: 'Chat', exact: true }).click();

  await send(window, 'What is the capital of France? Answer in one sentence.');
  await ended(window, 'complete');
  const footer = lastAnswer(window).getByTestId('answer-footer');
  await expect(footer).toContainText('CPU');
  const work = footer.getByTestId('answer-work');
  await expect(work).toBeHidden();
  const button = footer.getByRole('button');
  await button.focus();
  await window.keyboard.press('Enter');
  await expect(button).toHaveAttribute('aria-expanded', 'true');
  await expect(work.locator('[data-part=decode]')).toContainText(/CPU.*\d.*ms/);
  await expect(work.locator('[data-part=linear]')).toContainText(/CPU.*\d.*ms/);
});
