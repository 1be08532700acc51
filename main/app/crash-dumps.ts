/** Chromium's memory dumps of crashes. They stay on this machine: nothing is ever sent. */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { app, crashReporter } from 'electron';

/** To be called before Electron is ready, so that every process is covered. */
export function keepCrashDumps(): void {
  crashReporter.start({ uploadToServer: false });
}

/** Dumps hold pieces of memory, so also of chats. */
export function removeCrashDumps(): void {
  const folder = app.getPath('crashDumps');
  for (const name of ['new', 'pending', 'completed', 'reports']) {
    rmSync(path.join(folder, name), { recursive: true, force: true });
  }
}
