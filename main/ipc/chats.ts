import type { ChatService } from '../chat/chat-service.ts';
import type { Storage } from '../storage/storage.ts';
import type { Handlers } from './router.ts';

type ChatChannel = 'chats.list' | 'chats.create' | 'chats.rename' | 'chats.remove' | 'chats.search' | 'chats.options';

/** The list of chats. */
export function chatHandlers(service: ChatService, storage: Storage): Handlers<ChatChannel> {
  return {
    'chats.list': () => storage.chats.list(),
    'chats.create': () => storage.chats.create(),
    'chats.rename': ({ chatId, title }) => service.renameChat(chatId, title),
    'chats.remove': ({ chatId }) => service.removeChat(chatId),
    'chats.options': ({ chatId }) => storage.chats.get(chatId),
    'chats.search': ({ query }) => storage.chats.search(query),
  };
}
