/** The engine's model, its calibration, and the devices of this machine. */
import type { DeviceInfo } from '../../../../contract/engine.ts';
import { AppError } from '../../../../contract/errors.ts';
import type { Talk } from './talk.ts';

export function createEngineCommands({ store, api, guarded }: Talk) {
  function showDevices(devices: readonly DeviceInfo[]): void {
    store.dispatch({ type: 'devices', devices });
  }

  return {
    /** Loads the model now and, as main remembers it, at every start. */
    async loadModel(modelId: string): Promise<void> {
      await guarded(() => api.ask('engine.load', { modelId }));
    },

    /** After a final failure: loads the wanted model once more, which starts the engine too. */
    async retryEngine(): Promise<void> {
      await guarded(async () => {
        const wanted = store.get().settings?.modelId;
        const modelId = wanted ?? (await api.ask('models.list', undefined)).find(({ problem }) => !problem)?.id;
        if (modelId !== undefined) await api.ask('engine.load', { modelId });
      });
    },

    async startCalibration(): Promise<void> {
      await guarded(() => api.ask('calibration.start', undefined));
    },

    async stopCalibration(): Promise<void> {
      await guarded(() => api.ask('calibration.stop', undefined));
    },

    async readDevices(): Promise<void> {
      await guarded(async () => {
        showDevices(await api.ask('engine.devices', undefined));
      });
    },

    /** Tests one device, or all. Stopping is no failure. */
    async testDevices(device: string | null): Promise<void> {
      await guarded(async () => {
        try {
          showDevices(await api.ask('devices.test', { device }));
        } catch (error) {
          if (AppError.from(error).kind !== 'cancelled') throw error;
        }
      });
    },

    async stopDeviceTest(): Promise<void> {
      await guarded(() => api.ask('devices.stop', undefined));
    },

    async chooseLibraryFolder(): Promise<void> {
      await guarded(async () => showDevices(await api.ask('devices.choose-folder', undefined)));
    },

    async forgetLibraryFolder(): Promise<void> {
      await guarded(async () => showDevices(await api.ask('devices.forget-folder', undefined)));
    },
  };
}
