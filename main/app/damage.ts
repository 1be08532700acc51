/** Looks through the database a while after the start, and asks for a restart where it is damaged. */
import path from 'node:path';
import { app, dialog } from 'electron';
import { checkBeside } from '../storage/check-beside.ts';
import type { Log } from '../support/logger.ts';
import type { MainWords } from './words.ts';

/** After a start the machine has better things to do for so long. */
const CHECK_AFTER_MS = 10_000;

export function checkLater(file: string, dist: string, words: () => MainWords, log: Log): void {
  setTimeout(() => {
    check(file, dist, words, log).catch((error: unknown) => log(`storage: not checked: ${String(error)}`));
  }, CHECK_AFTER_MS);
}

async function check(file: string, dist: string, words: () => MainWords, log: Log): Promise<void> {
  if (await checkBeside(path.join(dist, 'check.cjs'), file)) return;
  log('storage: the database is damaged; the next start saves what can be read');
  const { title, text, restart, later } = words().damage;
  const { response } = await dialog.showMessageBox({
    type: 'warning',
    title,
    message: title,
    detail: text,
    buttons: [restart, later],
  });
  if (response !== 0) return;
  app.relaunch();
  app.quit();
}
