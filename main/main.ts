/** Composition root of the app: makes the parts and ties them together. Runs in Electron's main process, computes nothing. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { app, clipboard, dialog, nativeTheme, powerMonitor } from 'electron';
import { languageOf } from '../contract/language.ts';
import { outsideArchive } from '../native/js/outside-archive.ts';
import { becomeTheOnlyCopy, endWith } from './app/lifecycle.ts';
import { type Log, openLog } from './app/logger.ts';
import { setMenu } from './app/menu.ts';
import { netGet } from './app/net-get.ts';
import { ORIGIN } from './app/page-files.ts';
import { declareScheme, servePages } from './app/pages.ts';
import { lockDown } from './app/security.ts';
import { spawnEngine } from './app/spawn-engine.ts';
import { openWindow } from './app/window.ts';
import { mainWords } from './app/words.ts';
import { AppSettings } from './chat/app-settings.ts';
import { Calibrator } from './chat/calibrator.ts';
import { ChatService } from './chat/chat-service.ts';
import { DeviceMeasurer } from './chat/device-measurer.ts';
import { ModelKeeper } from './chat/model-keeper.ts';
import { SerialQueue } from './chat/serial-queue.ts';
import { dataDir } from './data-dir.mjs';
import { EngineProcess } from './engine-process.ts';
import { ChatFiles } from './history/chat-files.ts';
import { ChatHistory } from './history/chat-history.ts';
import { calibrationHandlers } from './ipc/calibration.ts';
import { catalogHandlers } from './ipc/catalog.ts';
import { chatHandlers } from './ipc/chats.ts';
import { clipboardHandlers } from './ipc/clipboard.ts';
import { deviceHandlers } from './ipc/devices.ts';
import { draftHandlers } from './ipc/drafts.ts';
import { broadcast, listen } from './ipc/electron.ts';
import { engineHandlers } from './ipc/engine.ts';
import { messageHandlers } from './ipc/messages.ts';
import { modelHandlers } from './ipc/models.ts';
import { presetHandlers } from './ipc/presets.ts';
import { createRouter } from './ipc/router.ts';
import { settingsHandlers } from './ipc/settings.ts';
import { CATALOG } from './library/catalog.ts';
import { Downloads } from './library/downloads.ts';
import { availableMemory } from './library/fit.ts';
import { openStorage } from './storage/storage.ts';

declareScheme();
if (becomeTheOnlyCopy()) {
  const userData = app.getPath('userData');
  const logFolder = path.join(userData, 'logs');
  const log = openLog(logFolder);
  process.on('uncaughtException', (error) => log(`uncaught: ${error.stack ?? error.message}`));
  process.on('unhandledRejection', (reason) => log(`unhandled: ${reason instanceof Error ? reason.stack : reason}`));
  log(`start: app ${app.getVersion()}, Electron ${process.versions.electron}, ${process.platform} ${process.arch}`);
  app.whenReady().then(
    () => compose(userData, logFolder, log),
    (error: unknown) => log(`not ready: ${String(error)}`),
  );
} else {
  app.quit();
}

function compose(userData: string, logFolder: string, log: Log): void {
  const storage = openStorage(userData);
  const stopped = storage.messages.stopUnfinished();
  if (stopped > 0) log(`${stopped} answers were cut off when the app ended last time`);
  nativeTheme.themeSource = storage.settings.get().theme;
  const language = () => languageOf(storage.settings.get().language, app.getLocale());

  const queue = new SerialQueue();
  const data = dataDir();
  const modelsDir = path.join(data, 'models');
  mkdirSync(modelsDir, { recursive: true });
  const engine = new EngineProcess({
    spawn: spawnEngine(outsideArchive(__dirname), () => {
      const { libraryFolder } = storage.settings.get();
      return {
        modelsDir,
        bundlesDir: path.join(data, 'bundles'),
        profilesDir: path.join(data, 'profiles'),
        selfTestsDir: path.join(data, 'devices'),
        ...(libraryFolder === undefined ? {} : { libraryFolder }),
      };
    }),
    log,
    changed: (state) => keeper.engineChanged(state),
  });
  const keeper: ModelKeeper = new ModelKeeper({
    engine,
    modelsDir,
    settings: () => storage.settings.get(),
    changed: (status) => {
      broadcast({ type: 'engine-status', status });
      calibrator.engineChanged(status);
      measurer.engineChanged(status);
    },
    log,
  });
  const measurer: DeviceMeasurer = new DeviceMeasurer({ engine, keeper, queue, log });
  const calibrator = new Calibrator({ engine, onMains: () => !powerMonitor.isOnBatteryPower(), emit: broadcast, log });
  const settings = new AppSettings({
    table: storage.settings,
    keeper,
    queue,
    emit: broadcast,
    changed: (after, before) => {
      nativeTheme.themeSource = after.theme;
      if (after.language !== before.language) setMenu(mainWords[language()], logFolder);
    },
  });
  const chats = new ChatService({
    engine,
    keeper,
    storage,
    queue,
    emit: (event) => {
      calibrator.used();
      broadcast(event);
    },
    log,
  });

  const history = new ChatHistory({ storage, emit: broadcast, stopAnswers: (chatIds) => chats.stopIn(chatIds) });
  const swept = history.sweep();
  if (swept > 0) log(`${swept} chats that were deleted long ago are gone`);
  const downloads = new Downloads({
    folder: modelsDir,
    entries: CATALOG,
    get: netGet,
    mirror: () => storage.settings.get().downloadServer ?? process.env.HF_ENDPOINT,
    changed: (status) => broadcast({ type: 'model-job', job: { kind: 'download', status } }),
    arrived: () => {
      broadcast({ type: 'models' });
      keeper.lookAgain();
    },
    log,
  });

  const chatFiles = new ChatFiles({
    storage,
    emit: broadcast,
    chooseTarget: async (fileName) => {
      const { filePath } = await dialog.showSaveDialog({ defaultPath: path.join(app.getPath('documents'), fileName) });
      return filePath === '' ? undefined : filePath;
    },
    chooseSources: async () => {
      const filters = [{ name: 'JSON', extensions: ['json'] }];
      return (await dialog.showOpenDialog({ filters, properties: ['openFile', 'multiSelections'] })).filePaths;
    },
  });

  const chooseFolder = async () => {
    const title = mainWords[language()].dialogs.chooseLibraries;
    return (await dialog.showOpenDialog({ title, properties: ['openDirectory'] })).filePaths[0];
  };

  const handlers = {
    ...chatHandlers(history, chatFiles, storage),
    ...messageHandlers(chats, storage),
    ...draftHandlers(),
    ...presetHandlers(),
    ...catalogHandlers({
      downloads,
      models: () => keeper.models(),
      weights: () => storage.settings.get().weights,
      availableBytes: availableMemory,
    }),
    ...modelHandlers(keeper, downloads),
    ...engineHandlers(keeper, settings),
    ...deviceHandlers({ engine, keeper, settings, emit: broadcast, chooseFolder }),
    ...calibrationHandlers(calibrator),
    ...settingsHandlers(settings),
    ...clipboardHandlers((text) => clipboard.writeText(text)),
  };
  listen(createRouter(handlers, log), ORIGIN);
  endWith(async () => {
    chats.shutDown();
    await Promise.all([engine.stop(), downloads.stop()]);
    storage.close();
    log('end');
  }, log);

  app.on('browser-window-focus', () => keeper.lookAgain());

  lockDown(log);
  servePages(path.join(__dirname, 'renderer'));
  setMenu(mainWords[language()], logFolder);
  engine.start();
  void downloads.restore();
  const window = openWindow({ dist: __dirname, userData, log, language });
  const { notice } = storage;
  if (notice) {
    log(`storage: ${notice.message} ${notice.detail ?? ''}`);
    const { message, action = '' } = notice;
    void dialog.showMessageBox(window, { type: 'warning', title: app.getName(), message, detail: action });
  }
}
