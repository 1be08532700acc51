/** Which folders this window has closed. Kept over restarts. */
import { useSyncExternalStore } from 'react';
import { windowStorage } from '../../store/memory.ts';

const KEY = 'shadownpu.closed-folders';

const listeners = new Set<() => void>();
let closed: ReadonlySet<string> | undefined;

function read(): ReadonlySet<string> {
  try {
    const ids: unknown = JSON.parse(windowStorage().getItem(KEY) ?? '[]');
    return new Set(Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []);
  } catch {
    return new Set();
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useClosedFolders(): ReadonlySet<string> {
  return useSyncExternalStore(subscribe, () => {
    closed ??= read();
    return closed;
  });
}

export function setFolderClosed(folderId: string, on: boolean): void {
  const next = new Set(closed ?? read());
  if (on) next.add(folderId);
  else next.delete(folderId);
  closed = next;
  try {
    windowStorage().setItem(KEY, JSON.stringify([...next]));
  } catch {
    // Full or blocked storage: it holds for this window only.
  }
  for (const listener of [...listeners]) listener();
}
