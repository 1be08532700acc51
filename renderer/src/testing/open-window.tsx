/** Opens the whole window on a FakeMain, in a page that lacks what jsdom does not draw. */
import { act, render } from '@testing-library/react';
import { App } from '../app.tsx';
import { createApi } from '../bridge.ts';
import { createCommands } from '../store/commands.ts';
import { AppContext } from '../store/context.ts';
import { initialState } from '../store/state.ts';
import { createStore, type Store } from '../store/store.ts';
import { keepInStep } from '../store/sync.ts';
import type { FakeMain } from './fake-main.ts';
import { fillPage } from './fill-page.ts';

export interface OpenWindow {
  readonly store: Store;
  /** Lets events that were gathered and requests that are under way arrive. */
  readonly settle: () => Promise<void>;
  readonly close: () => void;
}

/** `lastChat` was open last; `loaded` is called when the page is there and has not asked for anything yet. */
export async function openWindow(
  main: FakeMain,
  lastChat: string | null = null,
  loaded: () => void = () => undefined,
): Promise<OpenWindow> {
  fillPage();
  const api = createApi(main.bridge);
  const store = createStore(initialState);
  const commands = createCommands(store, api);
  const end = keepInStep(store, commands, api, { setItem: () => undefined });
  const view = render(
    <AppContext value={{ store, commands, platform: main.bridge.platform }}>
      <App />
    </AppContext>,
  );
  loaded();
  await act(() => commands.start(lastChat));
  return {
    store,
    settle: () => act(() => new Promise<void>((resolve) => setTimeout(resolve, 60))),
    close: () => {
      end();
      view.unmount();
    },
  };
}
