// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { CalibrationStatus } from '../../../../contract/model-status.ts';
import { FakeMain } from '../../testing/fake-main.ts';
import { openWindow } from '../../testing/open-window.tsx';

afterEach(cleanup);

async function window() {
  const main = new FakeMain();
  const { settle } = await openWindow(main);
  const tell = async (status: CalibrationStatus) => {
    act(() => main.emit({ type: 'calibration', status }));
    await settle();
  };
  const asked = () => main.asked.map(({ channel }) => channel).filter((channel) => channel.startsWith('calibration.'));
  return { settle, tell, asked };
}

const button = (name: string) => screen.queryByRole('button', { name });

it('starts in the settings, shows how far it is, and stops', async () => {
  const { settle, tell, asked } = await window();
  fireEvent.click(screen.getByRole('button', { name: 'Settings' }));
  await settle();
  fireEvent.click(screen.getByRole('button', { name: 'Start' }));
  await settle();
  await tell({ state: 'running', progress: { stage: 'calibrate', done: 30, total: 120, secondsLeft: 600 } });
  expect(screen.getByText('About 10 minutes left.')).toBeTruthy();
  expect(screen.getByRole('progressbar', { name: 'Measuring the model' }).getAttribute('aria-valuenow')).toBe('25');
  expect(button('Start')).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Stop' }));
  await settle();
  expect(asked()).toEqual(['calibration.status', 'calibration.start', 'calibration.stop']);
  await tell({ state: 'unavailable' });
  expect(screen.queryByText('Improve accuracy for this model')).toBeNull();
});

it('says why it could not be done', async () => {
  const { settle, tell } = await window();
  fireEvent.click(screen.getByRole('button', { name: 'Settings' }));
  await settle();
  await tell({ state: 'possible', offered: false, error: { kind: 'disk-full', message: 'No space is left.' } });
  expect(screen.getByText('No space is left.')).toBeTruthy();
});

it('is offered in the top bar only at a good moment', async () => {
  const { settle, tell, asked } = await window();
  expect(button('Improve accuracy for this model')).toBeNull();
  await tell({ state: 'possible', offered: true });
  fireEvent.click(screen.getByRole('button', { name: 'Improve accuracy for this model' }));
  await settle();
  expect(asked()).toContain('calibration.start');
});
