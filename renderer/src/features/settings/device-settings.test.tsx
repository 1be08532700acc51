// @vitest-environment jsdom
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { DeviceInfo } from '../../../../contract/engine.ts';
import { FakeMain } from '../../testing/fake-main.ts';
import { openWindow } from '../../testing/open-window.tsx';

afterEach(cleanup);

const device = (type: DeviceInfo['type'], more: Partial<DeviceInfo> = {}): DeviceInfo => ({
  id: `EP:${type}:0`,
  name: `Some ${type}`,
  type,
  executionProvider: 'EP',
  vendor: 'V',
  flavours: [],
  virtual: false,
  usable: true,
  ...more,
});

it('pins a part to a device, and back; switches are kept', async () => {
  const main = new FakeMain();
  main.handlers['engine.devices'] = () => [
    device('CPU'),
    device('NPU'),
    device('GPU', { usable: false, reason: 'No driver.' }),
    device('NPU', { id: 'EP.virtual:NPU:0', virtual: true, name: 'Virtual NPU' }),
  ];
  const { settle } = await openWindow(main);
  fireEvent.click(screen.getByRole('button', { name: 'Settings' }));
  await settle();
  const select = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Reading the prompt' });
  expect([...select.options].map(({ text, disabled }) => [text, disabled])).toEqual([
    ['Automatic', false],
    ['Processor', false],
    ['Some NPU', false],
    ['Some GPU (cannot be used)', true],
  ]);
  expect(screen.getByText('Some GPU cannot be chosen. No driver.')).toBeTruthy();

  fireEvent.change(select, { target: { value: 'EP:NPU:0' } });
  await settle();
  expect(main.settings.placement).toMatchObject({ linear: 'EP:NPU:0', pilot: 'auto', decode: 'auto' });
  fireEvent.change(select, { target: { value: 'auto' } });
  fireEvent.click(screen.getByRole('switch', { name: 'Leave my GPU alone' }));
  await settle();
  expect(main.settings.placement).toMatchObject({ linear: 'auto', avoidGpu: true, saveBattery: false });
});

it('names a pinned device that is gone', async () => {
  const main = new FakeMain();
  main.settings.placement = { ...main.settings.placement, decode: 'EP:GPU:7' };
  main.handlers['engine.devices'] = () => [device('CPU')];
  const { settle } = await openWindow(main);
  fireEvent.click(screen.getByRole('button', { name: 'Settings' }));
  await settle();
  const select = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Writing the answer' });
  expect(select.selectedOptions[0]?.text).toBe('EP:GPU:7 (not found)');
});
