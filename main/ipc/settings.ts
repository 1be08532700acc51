import type { AppSettings } from '../chat/app-settings.ts';
import type { Handlers } from './router.ts';

/** The user's settings. */
export function settingsHandlers(settings: AppSettings): Handlers<'settings.get' | 'settings.set'> {
  return {
    'settings.get': () => settings.get(),
    'settings.set': (changes) => settings.set(changes),
  };
}
