import { AppError } from '../../contract/errors.ts';
import type { MessageChannel } from '../../contract/messages.ts';
import type { ChatService } from '../chat/chat-service.ts';
import type { Storage } from '../storage/storage.ts';
import type { Handlers } from './router.ts';

/** Questions and answers. */
export function messageHandlers(service: ChatService, storage: Storage): Handlers<MessageChannel> {
  const later = () => {
    throw new AppError('internal', 'This is being built.');
  };
  return {
    'messages.list': ({ chatId }) => storage.messages.list(chatId),
    'messages.send': ({ chatId, text }) => service.send(chatId, text),
    'messages.stop': ({ messageId }) => service.stop(messageId),
    'messages.regenerate': later,
    'messages.continue': later,
    'messages.select': later,
    'messages.resolve': later,
    'messages.measure': () => null,
  };
}
