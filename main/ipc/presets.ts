import { AppError } from '../../contract/errors.ts';
import type { PresetChannel } from '../../contract/presets.ts';
import type { Handlers } from './router.ts';

/** Presets of the app and of the user. */
export function presetHandlers(): Handlers<PresetChannel> {
  const later = () => {
    throw new AppError('internal', 'This is being built.');
  };
  return { 'presets.list': () => [], 'presets.save': later, 'presets.remove': later };
}
