import type { AppSettings } from '../chat/app-settings.ts';
import type { ModelKeeper } from '../chat/model-keeper.ts';
import type { Handlers } from './router.ts';

/** Models, devices and where the engine stands. */
export function engineHandlers(
  keeper: ModelKeeper,
  settings: AppSettings,
): Handlers<'engine.status' | 'engine.devices' | 'engine.load'> {
  return {
    'engine.status': () => keeper.status,
    'engine.devices': () => keeper.devices(),
    'engine.load': ({ modelId }) => settings.load(modelId),
  };
}
