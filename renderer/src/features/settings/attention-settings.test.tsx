// @vitest-environment jsdom
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { FakeMain } from '../../testing/fake-main.ts';
import { openWindow } from '../../testing/open-window.tsx';

afterEach(cleanup);

const radio = (name: string) => screen.getByRole<HTMLInputElement>('radio', { name });

it('chooses among the usual modes and those for comparison, one at a time', async () => {
  const main = new FakeMain();
  main.settings.attention = { mode: 'shadow', ratio: 0.1 };
  const { settle } = await openWindow(main);
  fireEvent.click(screen.getByRole('button', { name: 'Settings' }));
  await settle();
  expect(radio('Shadow').checked).toBe(true);
  expect(screen.getByText(/quicker and less exact/)).toBeTruthy();

  fireEvent.click(radio('Blocks'));
  await settle();
  expect(main.settings.attention).toEqual({ mode: 'block', ratio: 0.1 });
  expect([radio('Blocks').checked, radio('Shadow').checked, radio('Full').checked]).toEqual([true, false, false]);
  expect(screen.queryByText(/quicker and less exact/)).toBeNull();
  expect(screen.getByText('Share that is read closely')).toBeTruthy();

  fireEvent.click(radio('All 8 bits'));
  await settle();
  expect(main.settings.attention).toEqual({ mode: 'npu-full', ratio: 0.1 });
  expect(screen.queryByText('Share that is read closely')).toBeNull();
});
