/** The app's entry in Electron's main process, which computes nothing: one copy of it, its log, and the parts once Electron is ready. */
import path from 'node:path';
import { app } from 'electron';
import { keepCrashDumps } from './app/crash-dumps.ts';
import { becomeTheOnlyCopy } from './app/lifecycle.ts';
import { filesIn } from './app/open-files.ts';
import { declareScheme } from './app/pages.ts';
import { compose, type RunningApp } from './compose/compose.ts';
import { CrashReports } from './support/crash-reports.ts';
import { openLog } from './support/logger.ts';

declareScheme();
keepCrashDumps();
let running: RunningApp | undefined;
/** What is to be opened before the app is up. */
const early: string[] = [];
const openOrKeep = (files: readonly string[]) => {
  if (running) running.open(files);
  else early.push(...files);
};
const second = (argv: readonly string[], workingFolder: string) => {
  running?.windows.show();
  openOrKeep(filesIn(argv, workingFolder, app.getAppPath()));
};
// How macOS tells of files.
app.on('open-file', (event, file) => {
  event.preventDefault();
  openOrKeep([file]);
});
if (becomeTheOnlyCopy(second)) {
  const userData = app.getPath('userData');
  const logFolder = path.join(userData, 'logs');
  const log = openLog(logFolder);
  const crashes = new CrashReports(path.join(userData, 'crashes'), app.getVersion());
  process.on('uncaughtException', (error) => {
    log(`uncaught: ${error.stack ?? error.message}`);
    crashes.addError('main', error);
  });
  process.on('unhandledRejection', (reason) => {
    log(`unhandled: ${reason instanceof Error ? reason.stack : reason}`);
    crashes.addError('main', reason);
  });
  log(`start: app ${app.getVersion()}, Electron ${process.versions.electron}, ${process.platform} ${process.arch}`);
  app.whenReady().then(
    () => {
      running = compose(userData, logFolder, log, crashes);
      running.open([...filesIn(process.argv, process.cwd(), app.getAppPath()), ...early]);
    },
    (error: unknown) => log(`not ready: ${String(error)}`),
  );
} else {
  app.quit();
}
