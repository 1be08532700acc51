// @vitest-environment jsdom
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { FakeMain } from '../../testing/fake-main.ts';
import { openWindow } from '../../testing/open-window.tsx';

afterEach(cleanup);

it('says how much is kept of documents, how much may be, and removes it', async () => {
  const main = new FakeMain();
  main.keptBytes = 340e6;
  const { settle } = await openWindow(main);
  fireEvent.click(screen.getByRole('button', { name: 'Settings' }));
  await settle();
  const room = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Keep what was read' });
  expect(room.selectedOptions[0]?.textContent).toBe('Up to 2 GB');
  fireEvent.change(room, { target: { value: '0' } });
  await settle();
  expect(main.settings.keptReadingGigabytes).toBe(0);
  expect(screen.getByText(/340 MB are kept/)).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Remove what was kept' }));
  await settle();
  expect(main.keptBytes).toBe(0);
  expect(screen.queryByRole('button', { name: 'Remove what was kept' })).toBeNull();
});
