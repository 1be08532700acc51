/** One copy per profile; closing the last window ends everything unless the app stays in the tray, and everything ends before the app does. */
import { app } from 'electron';
import type { Log } from '../support/logger.ts';

/** A process that does not end in this time is left to the system, which ends it with its parent. */
const LONGEST_GOODBYE_MS = 2000;

/**
 * False where another copy already uses this profile: it has been told, and this one is to quit. `onSecond` is called in
 * the first copy, with the second one's command line and folder.
 */
export function becomeTheOnlyCopy(onSecond: (argv: readonly string[], workingFolder: string) => void): boolean {
  if (!app.requestSingleInstanceLock()) return false;
  app.on('second-instance', (_event, argv, workingFolder) => onSecond(argv, workingFolder));
  return true;
}

/** `cleanUp` is called once, when the user quits or the last window has closed and `staysOpen` says no. */
export function endWith(cleanUp: () => Promise<void>, staysOpen: () => boolean, log: Log): void {
  let state: 'open' | 'ending' | 'ended' = 'open';
  app.on('window-all-closed', () => {
    if (!staysOpen()) app.quit();
  });
  app.on('will-quit', (event) => {
    if (state === 'ended') return;
    event.preventDefault();
    if (state === 'ending') return;
    state = 'ending';
    const patience = new Promise<void>((resolve) => setTimeout(resolve, LONGEST_GOODBYE_MS));
    Promise.race([cleanUp(), patience])
      .catch((error: unknown) => log(`clean-up failed: ${String(error)}`))
      .finally(() => {
        state = 'ended';
        app.quit();
      });
  });
}
