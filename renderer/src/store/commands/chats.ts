/** The list of chats: titles, folders, deleting and bringing back, search, export and import. */
import type { ChannelRequest } from '../../../../contract/channels.ts';
import type { Chat, ExportFormat } from '../../../../contract/chats.ts';
import { english } from '../../../../contract/phrase.ts';
import { strings } from '../../strings.ts';
import { told } from '../../ui/told.ts';
import type { Talk } from './talk.ts';

/** How long the notice that a chat was deleted stays, in milliseconds. It can be brought back later too. */
const UNDO_MS = 8_000;
const SEARCH_DELAY_MS = 120;

export function createChatCommands({ store, api, notify, guarded }: Talk) {
  let searchTimer: ReturnType<typeof setTimeout> | undefined;

  async function change(request: ChannelRequest<'chats.change'>): Promise<void> {
    await guarded(async () => store.dispatch({ type: 'chat', chat: await api.ask('chats.change', request) }));
  }

  return {
    /** In pages, so that nothing stands still meanwhile, however many there are. */
    async readChats(): Promise<void> {
      await guarded(async () => {
        let after: string | null = null;
        do {
          const chats: readonly Chat[] = await api.ask('chats.page', { after });
          store.dispatch({ type: 'chats', chats });
          after = chats.at(-1)?.id ?? null;
        } while (after !== null);
      });
    },

    async renameChat(chatId: string, title: string): Promise<void> {
      const trimmed = title.trim().slice(0, 200);
      if (trimmed !== '') await change({ chatId, title: trimmed });
    },

    async pinChat(chatId: string, pinned: boolean): Promise<void> {
      await change({ chatId, pinned });
    },

    /** Into a folder, or out of any (null). */
    async moveChat(chatId: string, folderId: string | null): Promise<void> {
      await change({ chatId, folderId });
    },

    /** Makes a folder for the chat; its name can be changed in the list. */
    async moveToNewFolder(chatId: string): Promise<void> {
      await guarded(async () => {
        const { id } = await api.ask('folders.create', { name: strings.chats.newFolderName });
        await change({ chatId, folderId: id });
      });
    },

    /** Deletes the chats; for a while a notice offers to bring them back. */
    async removeChats(chats: readonly Chat[]): Promise<void> {
      const chatIds = chats.map(({ id }) => id);
      await guarded(async () => {
        await api.ask('chats.remove', { chatIds });
        store.dispatch({ type: 'chats-gone', chatIds });
        const id = notify({ removed: chats });
        setTimeout(() => store.dispatch({ type: 'notice-gone', id }), UNDO_MS);
      });
    },

    async restoreChats(chatIds: string[]): Promise<void> {
      await guarded(() => api.ask('chats.restore', { chatIds }));
    },

    async eraseChats(chatIds: string[]): Promise<void> {
      await guarded(() => api.ask('chats.erase', { chatIds }));
    },

    /** Deleted chats that can still be brought back. */
    async removedChats(): Promise<readonly Chat[]> {
      return (await guarded(() => api.ask('chats.removed', undefined))) ?? [];
    },

    /** The new folder's id. */
    async createFolder(name: string): Promise<string | undefined> {
      return (await guarded(() => api.ask('folders.create', { name })))?.id;
    },

    async renameFolder(folderId: string, name: string): Promise<void> {
      const trimmed = name.trim().slice(0, 200);
      if (trimmed !== '') await guarded(() => api.ask('folders.rename', { folderId, name: trimmed }));
    },

    async removeFolder(folderId: string): Promise<void> {
      await guarded(() => api.ask('folders.remove', { folderId }));
    },

    /** All chats where `chatIds` is null. */
    async exportChats(chatIds: string[] | null, format: ExportFormat): Promise<void> {
      await guarded(async () => {
        const name = await api.ask('chats.export', { chatIds, format });
        if (name !== null) notify({ text: strings.chats.exported(name) });
      });
    },

    async importChats(): Promise<void> {
      await guarded(async () => {
        const summary = await api.ask('chats.import', undefined);
        if (summary === null) return;
        const words = strings.chats;
        const leftOut = summary.skipped.map(({ title, reason }) => words.leftOut(title, told(english(reason), reason)));
        notify({ text: [words.imported(summary.chats, summary.known), ...leftOut].join(' ') });
      });
    },

    setSearch(query: string): void {
      clearTimeout(searchTimer);
      store.dispatch({ type: 'search-query', query });
      if (query.trim() === '') return;
      searchTimer = setTimeout(() => {
        void guarded(async () => {
          const { hits, more } = await api.ask('chats.search', { query });
          store.dispatch({ type: 'search-results', query, hits, more });
        });
      }, SEARCH_DELAY_MS);
    },
  };
}
