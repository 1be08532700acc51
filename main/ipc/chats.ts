import type { ChatService } from '../chat/chat-service.ts';
import type { Storage } from '../storage/storage.ts';
import type { Handlers } from './router.ts';

type ChatChannel =
  | 'chats.list'
  | 'chats.create'
  | 'chats.rename'
  | 'chats.remove'
  | 'chats.search'
  | 'messages.list'
  | 'messages.send'
  | 'messages.stop';

/** Chats and their messages. */
export function chatHandlers(service: ChatService, storage: Storage): Handlers<ChatChannel> {
  return {
    'chats.list': () => storage.chats.list(),
    'chats.create': () => storage.chats.create(),
    'chats.rename': ({ chatId, title }) => service.renameChat(chatId, title),
    'chats.remove': ({ chatId }) => service.removeChat(chatId),
    'chats.search': ({ query }) => storage.chats.search(query),
    'messages.list': ({ chatId }) => storage.messages.list(chatId),
    'messages.send': ({ chatId, text }) => service.send(chatId, text),
    'messages.stop': ({ messageId }) => service.stop(messageId),
  };
}
