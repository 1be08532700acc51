/** Composition root of the app: makes the parts and ties them together. Runs in Electron's main process, computes nothing. */
import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import path from 'node:path';
import { app, clipboard, dialog, nativeTheme, type OpenDialogOptions, powerMonitor, shell } from 'electron';
import type { AppEvent } from '../contract/channels.ts';
import type { AppError } from '../contract/errors.ts';
import { languageOf } from '../contract/language.ts';
import { outsideArchive } from '../native/js/outside-archive.ts';
import { appProcesses } from './app/app-processes.ts';
import { keepCrashDumps, removeCrashDumps } from './app/crash-dumps.ts';
import { becomeTheOnlyCopy, endWith } from './app/lifecycle.ts';
import { type MenuActions, setMenu } from './app/menu.ts';
import { netGet } from './app/net-get.ts';
import { filesIn, openFiles } from './app/open-files.ts';
import { ORIGIN } from './app/page-files.ts';
import { declareScheme, servePages } from './app/pages.ts';
import { pictureOf } from './app/picture.ts';
import { printToPdf } from './app/print.ts';
import { lockDown } from './app/security.ts';
import { IMPORT_SERVICE, spawnEngine } from './app/spawn-engine.ts';
import { spawnParser } from './app/spawn-parser.ts';
import { AppTray, trayText } from './app/tray.ts';
import { Windows } from './app/windows.ts';
import { type MainWords, mainWords } from './app/words.ts';
import { Answerer } from './chat/answerer.ts';
import { AppSettings } from './chat/app-settings.ts';
import { Calibrator } from './chat/calibrator.ts';
import { ChatService } from './chat/chat-service.ts';
import { ContextMeter } from './chat/context-meter.ts';
import { DeviceMeasurer } from './chat/device-measurer.ts';
import { Drafts } from './chat/drafts.ts';
import { IdleUnloader } from './chat/idle-unloader.ts';
import { ModelKeeper } from './chat/model-keeper.ts';
import { Presets } from './chat/presets.ts';
import { SerialQueue } from './chat/serial-queue.ts';
import { ComparisonFiles } from './compare/comparison-files.ts';
import { ComparisonService } from './compare/comparison-service.ts';
import { PlanReplay } from './compare/plan-replay.ts';
import { Trials } from './compare/trials.ts';
import { dataDir } from './data-dir.mjs';
import { OcrLanguages } from './documents/ocr-languages.ts';
import { DocumentReader } from './documents/reader.ts';
import { defaultRatio } from './engine/attention/rules.ts';
import { resourceFile } from './engine/paths.ts';
import { EngineProcess } from './engine-process.ts';
import { ChatFiles } from './history/chat-files.ts';
import { ChatHistory } from './history/chat-history.ts';
import { appHandlers } from './ipc/app.ts';
import { calibrationHandlers } from './ipc/calibration.ts';
import { catalogHandlers } from './ipc/catalog.ts';
import { chatHandlers } from './ipc/chats.ts';
import { clipboardHandlers } from './ipc/clipboard.ts';
import { compareHandlers } from './ipc/compare.ts';
import { deviceHandlers } from './ipc/devices.ts';
import { documentHandlers, summaryHandlers } from './ipc/documents.ts';
import { draftHandlers } from './ipc/drafts.ts';
import { broadcast, listen, tellVisible } from './ipc/electron.ts';
import { engineHandlers } from './ipc/engine.ts';
import { messageHandlers } from './ipc/messages.ts';
import { modelHandlers } from './ipc/models.ts';
import { presetHandlers } from './ipc/presets.ts';
import { resourceHandlers } from './ipc/resources.ts';
import { createRouter } from './ipc/router.ts';
import { settingsHandlers } from './ipc/settings.ts';
import { CATALOG } from './library/catalog.ts';
import { Downloads } from './library/downloads.ts';
import { availableMemory, type FreeMemory } from './library/fit.ts';
import { ModelJobs } from './library/model-jobs.ts';
import { ModelWorker } from './library/model-worker.ts';
import { entryOf } from './library/offers.ts';
import { checkBeside } from './storage/check-beside.ts';
import { openStorage } from './storage/storage.ts';
import { CountedDocuments } from './summaries/counted-documents.ts';
import { DocumentAsker } from './summaries/document-asker.ts';
import { DocumentLibrary } from './summaries/document-library.ts';
import { EngineModel } from './summaries/engine-model.ts';
import { KeptReading } from './summaries/kept-reading.ts';
import { SummaryFiles } from './summaries/summary-files.ts';
import { SummaryService } from './summaries/summary-service.ts';
import { CrashReports } from './support/crash-reports.ts';
import { diagnosticsText, lastLogLines, machineFacts } from './support/diagnostics.ts';
import { type Log, openLog } from './support/logger.ts';
import { ResourceMonitor } from './telemetry/monitor.ts';
import { samplerThread } from './telemetry/sampler.ts';

/** Devices are told by the engine; what can do without them does not wait longer for it. */
const DEVICES_PATIENCE_MS = 3000;

/** After a start the machine has better things to do for so long than to check the database. */
const CHECK_AFTER_MS = 10_000;

declareScheme();
keepCrashDumps();
let running: { windows: Windows; open: (files: readonly string[]) => void } | undefined;
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

function compose(userData: string, logFolder: string, log: Log, crashes: CrashReports): NonNullable<typeof running> {
  const storage = openStorage(userData);
  let { notice } = storage;
  if (notice !== undefined) log(`storage: ${notice.message} ${notice.detail ?? ''}`);
  if (storage.cutOff > 0) log(`${storage.cutOff} answers were cut off when the app ended last time`);
  nativeTheme.themeSource = storage.settings.get().theme;
  const language = () => languageOf(storage.settings.get().language, app.getLocale());

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

  const queue = new SerialQueue();
  const data = dataDir();
  const modelsDir = path.join(data, 'models');
  mkdirSync(modelsDir, { recursive: true });
  const prefixesDir = path.join(data, 'prefixes', 'app');
  const engineFolders = () => {
    const { libraryFolder } = storage.settings.get();
    return {
      modelsDir,
      bundlesDir: path.join(data, 'bundles'),
      profilesDir: path.join(data, 'profiles'),
      selfTestsDir: path.join(data, 'devices'),
      prefixesDir,
      foreignModels: true,
      ...(libraryFolder === undefined ? {} : { libraryFolder }),
    };
  };
  const engine = new EngineProcess({
    spawn: spawnEngine(outsideArchive(__dirname), engineFolders),
    log,
    changed: (state) => {
      if (state.state === 'down') crashes.add({ process: 'engine', reason: exitCodeOf(state.error) });
      keeper.engineChanged(state);
    },
  });
  const keeper: ModelKeeper = new ModelKeeper({
    engine,
    modelsDir,
    settings: () => storage.settings.get(),
    changed: (status) => {
      broadcast({ type: 'engine-status', status });
      setTooltip();
      monitor.lookSoon();
      calibrator.engineChanged(status);
      if (status.state === 'ready') idle.used();
      measurer.engineChanged(status);
    },
    log,
  });
  const idle: IdleUnloader = new IdleUnloader({ keeper, queue, settings: () => storage.settings.get(), log });
  const measurer: DeviceMeasurer = new DeviceMeasurer({ engine, keeper, queue, log });
  const calibrator = new Calibrator({ engine, onMains: () => !powerMonitor.isOnBatteryPower(), emit: broadcast, log });
  const settings = new AppSettings({
    table: storage.settings,
    keeper,
    queue,
    emit: broadcast,
    changed: (after, before) => {
      nativeTheme.themeSource = after.theme;
      if (after.language !== before.language) setWords();
      idle.used();
    },
  });
  const monitor = new ResourceMonitor({
    spawn: samplerThread(path.join(outsideArchive(__dirname), 'sampler.cjs')),
    usage: () => engine.usage(),
    processes: appProcesses,
    emit: (event) => {
      tellVisible(event);
      if (event.type === 'glance') setTooltip();
    },
    log,
  });
  const emit = (event: AppEvent) => {
    calibrator.used();
    idle.used();
    monitor.observe(event);
    broadcast(event);
  };
  const presets = new Presets(storage.presets, emit);
  const answerer = new Answerer({
    engine,
    keeper,
    storage,
    presets,
    emit,
    energyFromNow: () => monitor.energyFromNow(),
    log,
  });
  const chats = new ChatService({ engine, answerer, storage, queue, emit, log });
  const meter = new ContextMeter({ engine, keeper, storage, answerer });
  const reader = new DocumentReader({ spawn: spawnParser(outsideArchive(__dirname)), log });
  const slowReader = new DocumentReader({ spawn: spawnParser(outsideArchive(__dirname)), log });
  const drafts = new Drafts({
    storage,
    reader,
    chooseFiles: async () => {
      const title = mainWords[language()].dialogs.chooseAttachments;
      return (await dialog.showOpenDialog({ title, properties: ['openFile', 'multiSelections'] })).filePaths;
    },
    tokensOf: (attachment) => meter.attachmentTokens(attachment),
    emit,
    log,
  });

  const freeMemory = async (): Promise<FreeMemory> => ({
    availableBytes: (await availableMemory()) + (await keeper.loadedBytes()),
    // Without an engine no device is known.
    devices: (await soon(keeper.devices(), DEVICES_PATIENCE_MS)) ?? [],
  });
  const modelParts = { engine, keeper, queue, settings: storage.settings };
  const openModel = () => EngineModel.open(modelParts);
  const counted = new CountedDocuments(storage.documents);
  const ocrFolder = path.join(data, 'ocr');
  const ocrLanguages = new OcrLanguages({
    folder: ocrFolder,
    get: netGet,
    changed: (state) => broadcast({ type: 'ocr-data', data: state }),
    log,
  });
  const documents = new DocumentLibrary({
    storage,
    reader,
    slowReader,
    ocrFolder,
    pastedFolder: path.join(userData, 'pasted'),
    choose: async (kind) => {
      const properties = kind === 'folder' ? (['openDirectory'] as const) : (['openFile', 'multiSelections'] as const);
      return (await dialog.showOpenDialog({ properties: [...properties] })).filePaths;
    },
    counted,
    loadedModel: () => EngineModel.loaded(modelParts),
    emit,
    log,
  });
  const summaries = new SummaryService({ storage, documents: counted, openModel, emit, log });
  const asker = new DocumentAsker({ storage, documents: counted, openModel, emit, log });
  const kept = new KeptReading(storage, { own: prefixesDir, others: path.join(data, 'prefixes', 'cli') });
  void kept.sweep();
  const summaryFiles = new SummaryFiles({
    storage,
    emit,
    chooseTarget: saveAs,
    print: printToPdf,
    language,
  });

  const comparisons = new ComparisonService({
    storage,
    engine,
    documents: counted,
    keeper,
    trials: new Trials({ engine, keeper, queue, emit, energyFromNow: () => monitor.energyFromNow() }),
    sampleText: () => readFile(resourceFile('calibration.txt'), 'utf8'),
    machine: `${cpus()[0]?.model.trim() ?? process.arch}, ${cpus().length} cores, ${process.platform} ${process.arch}`,
    shadowRatio: defaultRatio('shadow'),
    emit,
    log,
  });
  const comparisonFiles = new ComparisonFiles({ chooseTarget: saveAs, picture: pictureOf, language });

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

  const worker = new ModelWorker({ spawn: spawnEngine(outsideArchive(__dirname), engineFolders, IMPORT_SERVICE), log });
  const jobs = new ModelJobs({
    engine: worker,
    models: () => keeper.models(),
    emit: broadcast,
    knownSum: (model) => entryOf(model, CATALOG)?.sha256,
  });
  const chooseModel = async (what: 'file' | 'folder') => {
    const { chooseModelFile, chooseModelFolder, modelFiles } = mainWords[language()].dialogs;
    const options: OpenDialogOptions =
      what === 'file'
        ? { title: chooseModelFile, properties: ['openFile'], filters: [{ name: modelFiles, extensions: ['gguf'] }] }
        : { title: chooseModelFolder, properties: ['openDirectory'] };
    return (await dialog.showOpenDialog(options)).filePaths[0];
  };

  const chatFiles = new ChatFiles({
    storage,
    emit: broadcast,
    chooseTarget: saveAs,
    chooseSources: async () => {
      const filters = [{ name: 'JSON', extensions: ['json'] }];
      return (await dialog.showOpenDialog({ filters, properties: ['openFile', 'multiSelections'] })).filePaths;
    },
  });
  const openLogs = () => void shell.openPath(logFolder);
  const menuActions: MenuActions = {
    newWindow: () => void windows.open(),
    openLogs,
    command: (command) => windows.command(command),
  };
  const tray = openTray(windows, mainWords[language()], log);
  const setTooltip = () => tray?.setTooltip(trayText(keeper.status, mainWords[language()], monitor.latest));
  const setWords = () => {
    setMenu(mainWords[language()], menuActions);
    tray?.setWords(mainWords[language()]);
  };

  const checkStorage = async (file: string) => {
    try {
      if (await checkBeside(path.join(outsideArchive(__dirname), 'check.cjs'), file)) return;
      log('storage: the database is damaged; the next start saves what can be read');
      const { title, text, restart, later } = mainWords[language()].damage;
      const buttons = [restart, later];
      const { response } = await dialog.showMessageBox({
        type: 'warning',
        title,
        message: title,
        detail: text,
        buttons,
      });
      if (response !== 0) return;
      app.relaunch();
      app.quit();
    } catch (error) {
      log(`storage: not checked: ${String(error)}`);
    }
  };
  const chooseFolder = async () => {
    const title = mainWords[language()].dialogs.chooseLibraries;
    return (await dialog.showOpenDialog({ title, properties: ['openDirectory'] })).filePaths[0];
  };

  const handlers = {
    ...chatHandlers(history, chatFiles, storage),
    ...messageHandlers(chats, meter, storage),
    ...documentHandlers(documents, summaries, ocrLanguages, kept),
    ...summaryHandlers(summaries, summaryFiles, asker, storage, kept),
    ...draftHandlers(drafts),
    ...presetHandlers(presets),
    ...catalogHandlers({
      downloads,
      models: () => keeper.models(),
      weights: () => storage.settings.get().weights,
      freeMemory,
    }),
    ...modelHandlers({
      keeper,
      jobs,
      downloads,
      queue,
      choose: chooseModel,
      weights: () => storage.settings.get().weights,
      freeMemory,
      changed: () => broadcast({ type: 'models' }),
    }),
    ...engineHandlers(keeper, settings),
    ...deviceHandlers({ engine, keeper, settings, emit: broadcast, chooseFolder }),
    ...calibrationHandlers(calibrator),
    ...resourceHandlers(monitor, engine, new PlanReplay({ engine, queue, emit })),
    ...compareHandlers(comparisons, comparisonFiles, storage),
    ...settingsHandlers(settings),
    ...appHandlers({
      newWindow: () => void windows.open(),
      zoom: (change) => windows.zoom(change),
      diagnostics: async () =>
        diagnosticsText({
          ...machineFacts(app.getVersion()),
          engine: keeper.status,
          devices: await soon(keeper.devices(), DEVICES_PATIENCE_MS),
          settings: settings.get(),
          crashes: crashes.list(),
          logLines: lastLogLines(logFolder),
        }),
      attachSample: async () => {
        const folder = path.join(outsideArchive(__dirname), '..', 'resources', 'sample');
        await drafts.attach(null, [path.join(folder, `heat-pumps.${language()}.md`)]);
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
      idle.stop();
      chats.shutDown();
      drafts.shutDown();
      documents.shutDown();
      summaries.shutDown();
      asker.shutDown();
      ocrLanguages.shutDown();
      comparisons.shutDown();
      reader.stop();
      slowReader.stop();
      monitor.stop();
      await Promise.all([engine.stop(), worker.stop(), downloads.stop()]);
      storage.close();
      log('end');
    },
    () => tray !== undefined && settings.get().closeToTray,
    log,
  );

  app.on('browser-window-focus', () => keeper.lookAgain());

  setWords();
  engine.start();
  void downloads.restore();
  window.webContents.once('did-finish-load', () => monitor.start());
  const { file } = storage;
  if (file !== undefined) setTimeout(() => void checkStorage(file), CHECK_AFTER_MS);
  const open = (files: readonly string[]) =>
    void openFiles(files, {
      addDocuments: async (paths) => documents.addPaths(paths),
      importModel: async (file) => handlers['models.drop']({ path: file, weights: undefined }),
      opened: (event) => windows.tell(event),
    });
  return { windows, open };
}

/** The exit code alone: the rest of an error's detail is what the process wrote. */
function exitCodeOf({ detail = '' }: AppError): string {
  return /exit code -?\d+/.exec(detail)?.[0] ?? 'ended';
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

/** What `promise` gives within `ms` milliseconds, else undefined. */
async function soon<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), ms));
  return Promise.race([promise.catch(() => undefined), late]);
}

/** Asks where to save a file; undefined where the user thought better of it. */
async function saveAs(fileName: string): Promise<string | undefined> {
  const { filePath } = await dialog.showSaveDialog({ defaultPath: path.join(app.getPath('documents'), fileName) });
  return filePath === '' ? undefined : filePath;
}
