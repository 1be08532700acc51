/** One copy per profile; closing the last window ends everything, and everything ends before the app does. */
import { app, BrowserWindow } from 'electron';
import type { Log } from './logger.ts';

/** A process that does not end in this time is left to the system, which ends it with its parent. */
const LONGEST_GOODBYE_MS = 2000;

/**
 * False where another copy already uses this profile: it has been told to come to the front, and this one is to quit.
 */
export function becomeTheOnlyCopy(): boolean {
  if (!app.requestSingleInstanceLock()) return false;
  app.on('second-instance', () => {
    const [window] = BrowserWindow.getAllWindows();
    if (!window) return;
    if (window.isMinimized()) window.restore();
    window.focus();
  });
  return true;
}

/** `cleanUp` is called once, when the last window has closed or the user quits. */
export function endWith(cleanUp: () => Promise<void>, log: Log): void {
  let state: 'open' | 'ending' | 'ended' = 'open';
  app.on('window-all-closed', () => app.quit());
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
