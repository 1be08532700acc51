/** What the window itself remembers between starts: unfinished drafts, the open chat, the folded list. */

const KEY = 'shadownpu.window';

export interface WindowMemory {
  readonly drafts: Readonly<Record<string, string>>;
  readonly activeChatId: string | null;
  readonly listFolded: boolean;
}

const nothing: WindowMemory = { drafts: {}, activeChatId: null, listFolded: false };

/** Drafts longer than this are not remembered over a restart: storage is small and written while typing. */
const MAX_DRAFT = 50_000;

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
    const { drafts, activeChatId, listFolded } = raw as Partial<Record<keyof WindowMemory, unknown>>;
    return {
      drafts: isTexts(drafts) ? drafts : {},
      activeChatId: typeof activeChatId === 'string' ? activeChatId : null,
      listFolded: listFolded === true,
    };
  } catch {
    return nothing;
  }
}

/** Never throws: not being able to remember must not stop the work. */
export function writeMemory(storage: Pick<Storage, 'setItem'>, memory: WindowMemory): void {
  const drafts = Object.fromEntries(
    Object.entries(memory.drafts).filter(([, text]) => text !== '' && text.length <= MAX_DRAFT),
  );
  try {
    storage.setItem(KEY, JSON.stringify({ ...memory, drafts }));
  } catch {
    // Full or blocked storage: the drafts live on in this window only.
  }
}

function isTexts(value: unknown): value is Record<string, string> {
  return typeof value === 'object' && value !== null && Object.values(value).every((text) => typeof text === 'string');
}
