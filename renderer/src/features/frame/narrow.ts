/** Whether the window is too narrow for list and chat side by side. */
import { useSyncExternalStore } from 'react';

const QUERY = '(max-width: 899.98px)';

function watch(listener: () => void): () => void {
  const media = window.matchMedia(QUERY);
  media.addEventListener('change', listener);
  return () => media.removeEventListener('change', listener);
}

export function useNarrow(): boolean {
  return useSyncExternalStore(watch, () => window.matchMedia(QUERY).matches);
}
