// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { createApi } from '../../bridge.ts';
import { createCommands } from '../../store/commands.ts';
import { AppContext } from '../../store/context.ts';
import { initialState } from '../../store/state.ts';
import { createStore } from '../../store/store.ts';
import { FakeMain } from '../../testing/fake-main.ts';
import { GuardedApp } from './guarded-app.tsx';

vi.mock('../../app.tsx', () => ({
  App: () => {
    throw new TypeError('x is not a function');
  },
}));

afterEach(cleanup);

it('a window that breaks says so, tells main, and copies the diagnostics', async () => {
  const silent = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const main = new FakeMain();
  const store = createStore(initialState);
  const commands = createCommands(store, createApi(main.bridge));
  render(
    <AppContext value={{ store, commands, platform: main.bridge.platform }}>
      <GuardedApp />
    </AppContext>,
  );
  expect(screen.getByRole('alert').textContent).toContain('x is not a function');
  expect(screen.getByRole('button', { name: 'Reload the window' })).toBeDefined();
  const reports = main.asked.filter(({ channel }) => channel === 'crashes.report');
  expect(reports).toHaveLength(1);
  expect(reports[0]?.request).toMatchObject({ name: 'TypeError' });
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Copy diagnostics' })));
  expect(main.asked.some(({ channel }) => channel === 'clipboard.write')).toBe(true);
  silent.mockRestore();
});
