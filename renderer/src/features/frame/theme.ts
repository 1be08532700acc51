/** Light or dark: the chosen theme on <html>, and what that means right now. */
import { useEffect, useSyncExternalStore } from 'react';
import type { ThemeChoice } from '../../../../contract/settings.ts';

const QUERY = '(prefers-color-scheme: dark)';

function watchSystem(listener: () => void): () => void {
  const media = window.matchMedia(QUERY);
  media.addEventListener('change', listener);
  return () => media.removeEventListener('change', listener);
}

/** Whether the window is dark now, with 'system' resolved. */
export function useDarkNow(theme: ThemeChoice): boolean {
  const systemDark = useSyncExternalStore(watchSystem, () => window.matchMedia(QUERY).matches);
  return theme === 'system' ? systemDark : theme === 'dark';
}

/** Puts the choice on <html>, where tokens.css reads it. */
export function useTheme(theme: ThemeChoice): void {
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
  }, [theme]);
}
