/** Keeps the window in step with main: events in, stale chats read again, drafts saved. */
import type { AppEvent } from '../../../contract/channels.ts';
import type { Api } from '../bridge.ts';
import type { Commands } from './commands.ts';
import { type WindowMemory, writeMemory } from './memory.ts';
import type { AppState } from './state.ts';
import type { Store } from './store.ts';

const REMEMBER_MS = 400;
/** A chat that does not fit even after reading is read again only this often. */
const REREAD_MS = 300;

/** Starts listening; the returned function ends it. */
export function keepInStep(store: Store, commands: Commands, api: Api, storage: Pick<Storage, 'setItem'>): () => void {
  let seen = store.get();
  let rememberTimer: ReturnType<typeof setTimeout> | undefined;
  const rereading = new Set<string>();

  function remember(): void {
    clearTimeout(rememberTimer);
    rememberTimer = undefined;
    const { activeChatId, listFolded } = store.get();
    writeMemory(storage, { activeChatId, listFolded });
  }

  async function reread(chatId: string): Promise<void> {
    if (rereading.has(chatId)) return;
    rereading.add(chatId);
    await commands.readMessages(chatId);
    setTimeout(() => {
      rereading.delete(chatId);
      if (store.get().conversations[chatId]?.stale === true) void reread(chatId);
    }, REREAD_MS);
  }

  function look(): void {
    const state = store.get();
    const before = seen;
    seen = state;
    if (state.conversations !== before.conversations) {
      for (const [chatId, { stale }] of Object.entries(state.conversations)) if (stale) void reread(chatId);
    }
    if (state.chatsStale && !before.chatsStale) void commands.readChats();
    // A model that has just been loaded may have been imported for that.
    const wasLoaded = state.engine.state === 'ready' && before.engine.state !== 'ready';
    if (state.phase === 'ready' && ((state.modelsStale && !before.modelsStale) || wasLoaded))
      void commands.readModels();
    if (isRemembered(state, before)) rememberTimer ??= setTimeout(remember, REMEMBER_MS);
  }

  function leave(): void {
    if (rememberTimer !== undefined) remember();
    commands.saveDrafts();
  }

  function take(event: AppEvent): void {
    if (event.type === 'opened') void commands.showOpened(event);
    if (event.type !== 'draft' || commands.acceptsDraft(event)) store.push(event);
  }

  const endEvents = api.onEvent(take);
  const endLook = store.subscribe(look);
  window.addEventListener('pagehide', leave);
  return () => {
    leave();
    endEvents();
    endLook();
    window.removeEventListener('pagehide', leave);
  };
}

function isRemembered(state: AppState, before: AppState): boolean {
  const keys: readonly (keyof WindowMemory)[] = ['activeChatId', 'listFolded'];
  return state.phase === 'ready' && keys.some((key) => state[key] !== before[key]);
}
