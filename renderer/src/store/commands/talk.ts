/** What all commands share: the store, main, and how a failure reaches the user. */
import { AppError } from '../../../../contract/errors.ts';
import type { Api } from '../../bridge.ts';
import type { Notice } from '../state.ts';
import type { Store } from '../store.ts';

/** How long an error stays, in milliseconds. */
const ERROR_MS = 12_000;

export interface Talk {
  readonly store: Store;
  readonly api: Api;
  /** Shows a notice and returns its id. */
  notify(notice: Omit<Notice, 'id'>): number;
  /** Shows an error for a while. */
  report(error: unknown): void;
  /** Runs `work`; a failure becomes a notice and `undefined`. */
  guarded<T>(work: () => Promise<T>): Promise<T | undefined>;
}

export function createTalk(store: Store, api: Api): Talk {
  let lastNotice = 0;

  function notify(notice: Omit<Notice, 'id'>): number {
    lastNotice += 1;
    store.dispatch({ type: 'notice', notice: { ...notice, id: lastNotice } });
    return lastNotice;
  }

  function report(error: unknown): void {
    const id = notify({ error: AppError.from(error).toInfo() });
    setTimeout(() => store.dispatch({ type: 'notice-gone', id }), ERROR_MS);
  }

  return {
    store,
    api,
    notify,
    report,
    async guarded(work) {
      try {
        return await work();
      } catch (error) {
        report(error);
        return undefined;
      }
    },
  };
}
