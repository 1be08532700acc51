/** What the window itself remembers between starts: the open chat and the folded list. */

const KEY = 'shadownpu.window';

export interface WindowMemory {
  readonly activeChatId: string | null;
  readonly listFolded: boolean;
}

const nothing: WindowMemory = { activeChatId: null, listFolded: false };

/** The window's storage, or one that forgets where the page may not have any. */
export function windowStorage(): Pick<Storage, 'getItem' | 'setItem'> {
  try {
    return window.localStorage;
  } catch {
    return { getItem: () => null, setItem: () => undefined };
  }
}

/** Never throws: a storage that is blocked or holds something else counts as empty. */
export function readMemory(storage: Pick<Storage, 'getItem'>): WindowMemory {
  try {
    const raw: unknown = JSON.parse(storage.getItem(KEY) ?? 'null');
    if (typeof raw !== 'object' || raw === null) return nothing;
    const { activeChatId, listFolded } = raw as Partial<Record<keyof WindowMemory, unknown>>;
    return {
      activeChatId: typeof activeChatId === 'string' ? activeChatId : null,
      listFolded: listFolded === true,
    };
  } catch {
    return nothing;
  }
}

/** Never throws: not being able to remember must not stop the work. */
export function writeMemory(storage: Pick<Storage, 'setItem'>, memory: WindowMemory): void {
  try {
    storage.setItem(KEY, JSON.stringify(memory));
  } catch {
    // Full or blocked storage: the next start begins with what was remembered before.
  }
}
