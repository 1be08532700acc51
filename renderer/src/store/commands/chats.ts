/** The list of chats: titles, deleting, search. */
import type { Chat } from '../../../../contract/chats.ts';
import type { Talk } from './talk.ts';

/** How long a deleted chat can be brought back, in milliseconds. */
const UNDO_MS = 8_000;
const SEARCH_DELAY_MS = 120;

export function createChatCommands({ store, api, notify, report, guarded }: Talk) {
  let searchTimer: ReturnType<typeof setTimeout> | undefined;
  const removals = new Map<string, { timer: ReturnType<typeof setTimeout>; noticeId: number }>();

  function endRemoval(chatId: string): boolean {
    const removal = removals.get(chatId);
    if (removal === undefined) return false;
    clearTimeout(removal.timer);
    removals.delete(chatId);
    store.dispatch({ type: 'notice-gone', id: removal.noticeId });
    return true;
  }

  async function finishRemoval(chatId: string): Promise<void> {
    if (!endRemoval(chatId)) return;
    try {
      await api.ask('chats.remove', { chatId });
      store.dispatch({ type: 'chat-gone', chatId });
    } catch (error) {
      store.dispatch({ type: 'chat-removing', chatId, on: false });
      report(error);
    }
  }

  return {
    async renameChat(chatId: string, title: string): Promise<void> {
      const trimmed = title.trim().slice(0, 200);
      if (trimmed === '') return;
      await guarded(async () => {
        const chat = await api.ask('chats.rename', { chatId, title: trimmed });
        store.dispatch({ type: 'chat', chat });
      });
    },

    /** Hides the chat at once and removes it once it can no longer be undone. */
    removeChat(chat: Chat): void {
      if (removals.has(chat.id)) return;
      store.dispatch({ type: 'chat-removing', chatId: chat.id, on: true });
      const noticeId = notify({ removedChat: chat });
      const timer = setTimeout(() => void finishRemoval(chat.id), UNDO_MS);
      removals.set(chat.id, { timer, noticeId });
    },

    undoRemoval(chatId: string): void {
      if (endRemoval(chatId)) store.dispatch({ type: 'chat-removing', chatId, on: false });
    },

    /** Removes now what was deleted: the undo notice was closed, or the window closes. */
    finishRemovals(): void {
      for (const chatId of [...removals.keys()]) void finishRemoval(chatId);
    },

    dismiss(id: number): void {
      const removal = [...removals].find(([, { noticeId }]) => noticeId === id);
      if (removal === undefined) store.dispatch({ type: 'notice-gone', id });
      else void finishRemoval(removal[0]);
    },

    setSearch(query: string): void {
      clearTimeout(searchTimer);
      store.dispatch({ type: 'search-query', query });
      if (query.trim() === '') return;
      searchTimer = setTimeout(() => {
        void guarded(async () => {
          const results = await api.ask('chats.search', { query });
          store.dispatch({ type: 'search-results', query, results });
        });
      }, SEARCH_DELAY_MS);
    },
  };
}
