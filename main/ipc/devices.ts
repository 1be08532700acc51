/** Self-tests of devices, and the folder of the user's own execution provider libraries. */
import type { AppEvent } from '../../contract/channels.ts';
import type { DeviceTestStatus } from '../../contract/devices.ts';
import type { AppSettings } from '../chat/app-settings.ts';
import type { ModelKeeper } from '../chat/model-keeper.ts';
import type { DeviceTest, EngineProcess } from '../engine-process.ts';
import type { Handlers } from './router.ts';

export interface DeviceParts {
  engine: EngineProcess;
  keeper: ModelKeeper;
  settings: AppSettings;
  emit: (event: AppEvent) => void;
  /** Asks the user; undefined where nothing was chosen. */
  chooseFolder: () => Promise<string | undefined>;
}

export function deviceHandlers({
  engine,
  keeper,
  settings,
  emit,
  chooseFolder,
}: DeviceParts): Handlers<'devices.test' | 'devices.stop' | 'devices.choose-folder' | 'devices.forget-folder'> {
  let running: DeviceTest | undefined;
  const tell = (status: DeviceTestStatus) => emit({ type: 'device-test', status });
  return {
    'devices.test': async ({ device }) => {
      // Asked twice: the first one answers both.
      if (running) return running.done;
      // The engine is up and knows the folder then.
      await keeper.devices();
      running = engine.selfTest(device === null ? {} : { device }, (progress) => tell({ state: 'running', progress }));
      tell({ state: 'running' });
      try {
        return await running.done;
      } finally {
        running = undefined;
        tell({ state: 'idle' });
      }
    },
    'devices.stop': () => running?.cancel(),
    'devices.choose-folder': async () => {
      const libraryFolder = await chooseFolder();
      if (libraryFolder !== undefined) settings.set({ libraryFolder });
      return keeper.devices();
    },
    'devices.forget-folder': () => {
      settings.set({ libraryFolder: undefined });
      return keeper.devices();
    },
  };
}
