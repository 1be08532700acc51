import type { chatChannels } from '../../contract/chats.ts';
import type { ChatFiles } from '../history/chat-files.ts';
import type { ChatHistory } from '../history/chat-history.ts';
import type { Storage } from '../storage/storage.ts';
import type { Handlers } from './router.ts';

/** The list of chats: folders, titles, deleting, search, export and import. */
export function chatHandlers(
  history: ChatHistory,
  files: ChatFiles,
  storage: Storage,
): Handlers<keyof typeof chatChannels> {
  return {
    'chats.newest': ({ withId }) => storage.chats.newest(withId),
    'chats.page': ({ after }) => storage.chats.page(after),
    'chats.create': ({ folderId }) => history.create(folderId),
    'chats.change': ({ chatId, ...changes }) => history.change(chatId, changes),
    'chats.remove': ({ chatIds }) => history.remove(chatIds),
    'chats.restore': ({ chatIds }) => history.restore(chatIds),
    'chats.removed': () => storage.chats.removed(),
    'chats.erase': ({ chatIds }) => history.erase(chatIds),
    'chats.options': ({ chatId, options }) => history.change(chatId, { options }),
    'chats.search': ({ query }) => storage.search.search(query),
    'chats.export': ({ chatIds, format }) => files.export(chatIds, format),
    'chats.import': () => files.import(),
    'folders.list': () => storage.folders.list(),
    'folders.create': ({ name }) => history.createFolder(name),
    'folders.rename': ({ folderId, name }) => history.renameFolder(folderId, name),
    'folders.remove': ({ folderId }) => history.removeFolder(folderId),
  };
}
