import type { PresetChannel } from '../../contract/presets.ts';
import type { Presets } from '../chat/presets.ts';
import type { Handlers } from './router.ts';

/** Presets of the app and of the user. */
export function presetHandlers(presets: Presets): Handlers<PresetChannel> {
  return {
    'presets.list': () => presets.list(),
    'presets.save': ({ presetId, ...content }) => presets.save(presetId, content),
    'presets.remove': ({ presetId }) => presets.remove(presetId),
  };
}
