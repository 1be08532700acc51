/** The engine in its process, the model in it, what is measured of both, and the settings that they depend on. */

import path from 'node:path';
import { nativeTheme, powerMonitor } from 'electron';
import type { AppEvent } from '../../contract/channels.ts';
import type { AppError } from '../../contract/errors.ts';
import { appProcesses } from '../app/app-processes.ts';
import { choosePaths } from '../app/file-dialogs.ts';
import { spawnEngine } from '../app/spawn-engine.ts';
import { AppSettings } from '../chat/app-settings.ts';
import { Calibrator } from '../chat/calibrator.ts';
import { DeviceMeasurer } from '../chat/device-measurer.ts';
import { IdleUnloader } from '../chat/idle-unloader.ts';
import { ModelKeeper } from '../chat/model-keeper.ts';
import { PlanReplay } from '../compare/plan-replay.ts';
import { EngineProcess } from '../engine-process.ts';
import { calibrationHandlers } from '../ipc/calibration.ts';
import { deviceHandlers } from '../ipc/devices.ts';
import { broadcast, tellVisible } from '../ipc/electron.ts';
import { engineHandlers } from '../ipc/engine.ts';
import { resourceHandlers } from '../ipc/resources.ts';
import { settingsHandlers } from '../ipc/settings.ts';
import type { CrashReports } from '../support/crash-reports.ts';
import { ResourceMonitor } from '../telemetry/monitor.ts';
import { samplerThread } from '../telemetry/sampler.ts';
import type { Base } from './base.ts';

/** Devices are told by the engine; what can do without them does not wait longer for it. */
const DEVICES_PATIENCE_MS = 3000;

export interface EngineHooks {
  readonly crashes: CrashReports;
  /** What the tray tells of the model or the machine is another. */
  statusChanged: () => void;
  languageChanged: () => void;
}

export type EngineParts = ReturnType<typeof engineParts>;

export function engineParts(base: Base, { crashes, statusChanged, languageChanged }: EngineHooks) {
  const { storage, queue, log, dist, folders } = base;
  const engineFolders = () => {
    const { libraryFolder } = storage.settings.get();
    return {
      modelsDir: folders.models,
      bundlesDir: folders.bundles,
      profilesDir: folders.profiles,
      selfTestsDir: folders.selfTests,
      prefixesDir: folders.prefixes.own,
      foreignModels: true,
      ...(libraryFolder === undefined ? {} : { libraryFolder }),
    };
  };
  const engine = new EngineProcess({
    spawn: spawnEngine(dist, engineFolders),
    log,
    changed: (state) => {
      if (state.state === 'down') crashes.add({ process: 'engine', reason: exitCodeOf(state.error) });
      keeper.engineChanged(state);
    },
  });
  const keeper: ModelKeeper = new ModelKeeper({
    engine,
    modelsDir: folders.models,
    settings: () => storage.settings.get(),
    changed: (status) => {
      broadcast({ type: 'engine-status', status });
      statusChanged();
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
      if (after.language !== before.language) languageChanged();
      idle.used();
    },
  });
  const monitor = new ResourceMonitor({
    spawn: samplerThread(path.join(dist, 'sampler.cjs')),
    usage: () => engine.usage(),
    processes: appProcesses,
    emit: (event) => {
      tellVisible(event);
      if (event.type === 'glance') statusChanged();
    },
    log,
  });
  /** Tells the windows what is done for the user, which is what the engine is kept for. */
  const emit = (event: AppEvent) => {
    calibrator.used();
    idle.used();
    monitor.observe(event);
    broadcast(event);
  };
  const chooseFolder = async () =>
    (await choosePaths({ title: base.words().dialogs.chooseLibraries, properties: ['openDirectory'] }))[0];

  const devicesSoon = () => {
    const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), DEVICES_PATIENCE_MS));
    return Promise.race([keeper.devices().catch(() => undefined), late]);
  };

  return {
    engine,
    engineFolders,
    keeper,
    /** The devices, or undefined where the engine does not tell them soon. */
    devicesSoon,
    settings,
    monitor,
    emit,
    handlers: {
      ...engineHandlers(keeper, settings),
      ...deviceHandlers({ engine, keeper, settings, emit: broadcast, chooseFolder }),
      ...calibrationHandlers(calibrator),
      ...resourceHandlers(monitor, engine, new PlanReplay({ engine, queue, emit })),
      ...settingsHandlers(settings),
    },
    async stop() {
      idle.stop();
      monitor.stop();
      await engine.stop();
    },
  };
}

/** The exit code alone: the rest of an error's detail is what the process wrote. */
function exitCodeOf({ detail = '' }: AppError): string {
  return /exit code -?\d+/.exec(detail)?.[0] ?? 'ended';
}
