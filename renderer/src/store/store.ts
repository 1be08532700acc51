/** Holds the state, tells listeners about changes and gathers main's events, so that a burst costs one render. */
import type { AppEvent } from '../../../contract/channels.ts';
import { type Action, reduce } from './reducer.ts';
import { type AppState, initialState } from './state.ts';

/** Events that arrive within this many milliseconds are applied together. */
const GATHER_MS = 32;

export interface Store {
  get(): AppState;
  dispatch(action: Action): void;
  /** Takes an event from main; it is applied a moment later, in order. */
  push(event: AppEvent): void;
  subscribe(listener: () => void): () => void;
}

export function createStore(start: AppState = initialState): Store {
  let state = start;
  let gathered: AppEvent[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const listeners = new Set<() => void>();

  function apply(action: Action): void {
    const next = reduce(state, action);
    if (next === state) return;
    state = next;
    for (const listener of [...listeners]) listener();
  }

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (gathered.length === 0) return;
    const events = gathered;
    gathered = [];
    apply({ type: 'events', events });
  }

  return {
    get: () => state,
    dispatch(action) {
      // What main said before this action must be seen before it.
      flush();
      apply(action);
    },
    push(event) {
      gathered.push(event);
      timer ??= setTimeout(flush, GATHER_MS);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
