// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { DeviceInfo } from '../../../../contract/engine.ts';
import { AppError } from '../../../../contract/errors.ts';
import { FakeMain } from '../../testing/fake-main.ts';
import { openWindow } from '../../testing/open-window.tsx';

afterEach(cleanup);

const CPU: DeviceInfo = {
  id: 'CPUExecutionProvider:CPU:0',
  name: 'Some processor',
  type: 'CPU',
  executionProvider: 'CPUExecutionProvider',
  epVersion: '1.30.0',
  vendor: 'AMD',
  flavours: ['cpu', 'pilot-u8'],
  virtual: false,
  usable: true,
};
const NPU: DeviceInfo = {
  id: 'QNNExecutionProvider:NPU:0',
  name: 'Some NPU',
  type: 'NPU',
  executionProvider: 'QNNExecutionProvider',
  vendor: 'Qualcomm',
  driver: '30.0.1',
  flavours: ['pilot-u8', 'w8a16'],
  virtual: false,
  usable: false,
  reason: 'Its driver is too old.',
  remedy: 'Install the newest driver.',
};
const NONE: DeviceInfo = { ...NPU, id: 'none:NPU', name: 'Unclaimed NPU', flavours: [], reason: 'No library.' };
const TESTED: DeviceInfo = {
  ...CPU,
  selfTest: { passed: true, seconds: 1.3, pilotMs: 0.934, linearMs: 0.2, worstError: 0.5, memoryBytes: 29e6 },
};

async function page(devices: DeviceInfo[]) {
  const main = new FakeMain();
  main.handlers['engine.devices'] = () => devices;
  const { settle } = await openWindow(main);
  fireEvent.click(screen.getByRole('button', { name: 'Devices' }));
  await settle();
  const item = (name: string) => within(screen.getByRole('listitem', { name }));
  const requests = (channel: string) => main.asked.filter((asked) => asked.channel === channel);
  return { main, settle, item, requests };
}

it('says of each device where it stands and what can be done', async () => {
  const { item } = await page([TESTED, NPU, NONE]);
  expect(item('Some processor').getByText('Works')).toBeTruthy();
  expect(item('Some processor').getByText(/Passed in 1\.3 s · pilot 0\.93 ms · linear 0\.20 ms .* 29 MB/)).toBeTruthy();
  expect(item('Some NPU').getByText('Cannot be used')).toBeTruthy();
  expect(item('Some NPU').getByText('QNNExecutionProvider · driver 30.0.1')).toBeTruthy();
  expect(item('Some NPU').getByText('Its driver is too old.')).toBeTruthy();
  expect(item('Some NPU').getByText('Install the newest driver.')).toBeTruthy();
  // There is nothing to run on what no library takes.
  expect(item('Unclaimed NPU').queryByRole('button')).toBeNull();
});

it('tests one device, shows how far it is, and the result', async () => {
  const { main, settle, item, requests } = await page([CPU]);
  expect(item('Some processor').getByText('Not tested yet')).toBeTruthy();
  let finish: (devices: DeviceInfo[]) => void = () => undefined;
  main.handlers['devices.test'] = () => new Promise((resolve) => (finish = resolve));
  fireEvent.click(screen.getByRole('button', { name: 'Test Some processor' }));
  await settle();
  expect(requests('devices.test').map(({ request }) => request)).toEqual([{ device: CPU.id }]);
  const progress = { stage: 'self-test', done: 1, total: 3, note: 'Some processor' } as const;
  act(() => main.emit({ type: 'device-test', status: { state: 'running', progress } }));
  await settle();
  expect(screen.getByText('2 of 3: Some processor')).toBeTruthy();
  expect(screen.getByRole('progressbar', { name: 'Testing devices' }).getAttribute('aria-valuenow')).toBe('33');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Test Some processor' }).disabled).toBe(true);

  finish([TESTED]);
  act(() => main.emit({ type: 'device-test', status: { state: 'idle' } }));
  await settle();
  expect(item('Some processor').getByText('Works')).toBeTruthy();
  expect(screen.queryByRole('progressbar')).toBeNull();
});

it('can be stopped, which is no failure; other failures are told', async () => {
  const { main, settle, requests } = await page([CPU]);
  let fail: (error: Error) => void = () => undefined;
  main.handlers['devices.test'] = () => new Promise((_, reject) => (fail = reject));
  fireEvent.click(screen.getByRole('button', { name: 'Test all devices' }));
  act(() => main.emit({ type: 'device-test', status: { state: 'running' } }));
  await settle();
  fireEvent.click(screen.getByRole('button', { name: 'Stop' }));
  await settle();
  expect(requests('devices.stop')).toHaveLength(1);
  fail(new AppError('cancelled', 'The test was stopped.'));
  act(() => main.emit({ type: 'device-test', status: { state: 'idle' } }));
  await settle();
  expect(screen.queryByTestId('error-notice')).toBeNull();

  fireEvent.click(screen.getByRole('button', { name: 'Test all devices' }));
  await settle();
  fail(new AppError('internal', 'It broke.'));
  await settle();
  expect(screen.getByTestId('error-notice').textContent).toContain('It broke.');
});

it('takes a folder of libraries and forgets it', async () => {
  const { main, settle, requests } = await page([CPU]);
  const settingsWith = (folder: object) => ({ ...main.settings, ...folder });
  main.handlers['devices.choose-folder'] = () => [CPU, NPU];
  fireEvent.click(screen.getByRole('button', { name: 'Choose a folder' }));
  act(() => main.emit({ type: 'settings', settings: settingsWith({ libraryFolder: '/opt/npu' }) }));
  await settle();
  expect(screen.getByText('/opt/npu')).toBeTruthy();
  expect(screen.getByRole('listitem', { name: 'Some NPU' })).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Forget it' }));
  await settle();
  expect(requests('devices.forget-folder')).toHaveLength(1);
});
