/** How components reach the state and the commands. */
import { createContext, useContext, useSyncExternalStore } from 'react';
import type { PlatformInfo } from '../bridge.ts';
import type { Commands } from './commands.ts';
import type { AppState } from './state.ts';
import type { Store } from './store.ts';

export interface AppContextValue {
  readonly store: Store;
  readonly commands: Commands;
  readonly platform: PlatformInfo;
}

export const AppContext = createContext<AppContextValue | null>(null);

/** The store itself, for code that reads the state only when something happens. */
export function useApp(): AppContextValue {
  const value = useContext(AppContext);
  if (value === null) throw new Error('AppContext is missing above this component.');
  return value;
}

/** A part of the state. `select` must return the same reference while that part has not changed. */
export function useAppState<T>(select: (state: AppState) => T): T {
  const { store } = useApp();
  return useSyncExternalStore(store.subscribe, () => select(store.get()));
}

export function useCommands(): Commands {
  return useApp().commands;
}

export function usePlatform(): PlatformInfo {
  return useApp().platform;
}
