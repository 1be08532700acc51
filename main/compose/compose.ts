/** Composition root of the app: makes the parts and ties them to the windows. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { app, clipboard, nativeTheme, shell } from 'electron';
import { languageOf } from '../../contract/language.ts';
import { outsideArchive } from '../../native/js/outside-archive.ts';
import { removeCrashDumps } from '../app/crash-dumps.ts';
import { checkLater } from '../app/damage.ts';
import { endWith } from '../app/lifecycle.ts';
import { type MenuActions, setMenu } from '../app/menu.ts';
import { openFiles } from '../app/open-files.ts';
import { ORIGIN } from '../app/page-files.ts';
import { servePages } from '../app/pages.ts';
import { lockDown } from '../app/security.ts';
import { AppTray, trayText } from '../app/tray.ts';
import { Windows } from '../app/windows.ts';
import { type MainWords, mainWords } from '../app/words.ts';
import { SerialQueue } from '../chat/serial-queue.ts';
import { appHandlers } from '../ipc/app.ts';
import { clipboardHandlers } from '../ipc/clipboard.ts';
import { listen } from '../ipc/electron.ts';
import { createRouter } from '../ipc/router.ts';
import { openStorage } from '../storage/storage.ts';
import type { CrashReports } from '../support/crash-reports.ts';
import { diagnosticsText, lastLogLines, machineFacts } from '../support/diagnostics.ts';
import type { Log } from '../support/logger.ts';
import { type Base, dataFolders } from './base.ts';
import { chatParts } from './chat-parts.ts';
import { documentParts } from './document-parts.ts';
import { engineParts } from './engine-parts.ts';
import { modelParts } from './model-parts.ts';

export interface RunningApp {
  readonly windows: Windows;
  /** Opens documents and models that the system handed over. */
  readonly open: (files: readonly string[]) => void;
}

/** To be called once Electron is ready. */
export function compose(userData: string, logFolder: string, log: Log, crashes: CrashReports): RunningApp {
  const storage = openStorage(userData);
  let { notice } = storage;
  if (notice !== undefined) log(`storage: ${notice.message} ${notice.detail ?? ''}`);
  if (storage.cutOff > 0) log(`${storage.cutOff} answers were cut off when the app ended last time`);
  nativeTheme.themeSource = storage.settings.get().theme;
  const language = () => languageOf(storage.settings.get().language, app.getLocale());
  const words = () => mainWords[language()];
  const dist = outsideArchive(__dirname);
  const folders = dataFolders();
  const base: Base = { storage, log, language, words, queue: new SerialQueue(), dist, userData, folders };

  lockDown(log);
  servePages(path.join(__dirname, 'renderer'));
  const windows = new Windows({
    dist: __dirname,
    userData,
    log,
    language,
    crashed: (reason) => crashes.add({ process: 'window', reason }),
  });
  // First of all: what it asks is answered once everything below is there.
  const window = windows.open();

  mkdirSync(folders.models, { recursive: true });
  const engine = engineParts(base, {
    crashes,
    statusChanged: () => setTooltip(),
    languageChanged: () => setWords(),
  });
  const { keeper, settings, monitor } = engine;
  const documents = documentParts(base, engine);
  const chats = chatParts(base, engine, documents.reader);
  const models = modelParts(base, engine);

  const openLogs = () => void shell.openPath(logFolder);
  const menuActions: MenuActions = {
    newWindow: () => void windows.open(),
    openLogs,
    command: (command) => windows.command(command),
  };
  const tray = openTray(windows, words(), log);
  const setTooltip = () => tray?.setTooltip(trayText(keeper.status, words(), monitor.latest));
  const setWords = () => {
    setMenu(words(), menuActions);
    tray?.setWords(words());
  };

  const handlers = {
    ...engine.handlers,
    ...chats.handlers,
    ...documents.handlers,
    ...models.handlers,
    ...appHandlers({
      newWindow: () => void windows.open(),
      zoom: (change) => windows.zoom(change),
      diagnostics: async () =>
        diagnosticsText({
          ...machineFacts(app.getVersion()),
          engine: keeper.status,
          devices: await engine.devicesSoon(),
          settings: settings.get(),
          crashes: crashes.list(),
          logLines: lastLogLines(logFolder),
        }),
      attachSample: async () => {
        const folder = path.join(dist, '..', 'resources', 'sample');
        await chats.drafts.attach(null, [path.join(folder, `heat-pumps.${language()}.md`)]);
      },
      startNotice: () => {
        const told = notice;
        notice = undefined;
        return told ?? null;
      },
      openLogs,
      crashes,
      removeCrashes: () => {
        crashes.removeAll();
        removeCrashDumps();
      },
    }),
    ...clipboardHandlers((text) => clipboard.writeText(text)),
  };
  listen(createRouter(handlers, log), ORIGIN);
  endWith(
    async () => {
      chats.stop();
      documents.stop();
      await Promise.all([engine.stop(), models.stop()]);
      storage.close();
      log('end');
    },
    () => tray !== undefined && settings.get().closeToTray,
    log,
  );

  app.on('browser-window-focus', () => keeper.lookAgain());

  setWords();
  engine.engine.start();
  void models.downloads.restore();
  window.webContents.once('did-finish-load', () => monitor.start());
  if (storage.file !== undefined) checkLater(storage.file, dist, words, log);
  const open = (files: readonly string[]) =>
    void openFiles(files, {
      addDocuments: async (paths) => documents.documents.addPaths(paths),
      importModel: async (file) => handlers['models.drop']({ path: file, weights: undefined }),
      opened: (event) => windows.tell(event),
    });
  return { windows, open };
}

function openTray(windows: Windows, words: MainWords, log: Log): AppTray | undefined {
  const actions = {
    toggle: () => windows.toggle(),
    newChat: () => windows.command('new-chat'),
    quit: () => app.quit(),
  };
  try {
    return new AppTray(actions, words);
  } catch (error) {
    log(`no tray: ${String(error)}`);
    return undefined;
  }
}
