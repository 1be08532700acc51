import type { MessageChannel } from '../../contract/messages.ts';
import type { ChatService } from '../chat/chat-service.ts';
import type { ContextMeter } from '../chat/context-meter.ts';
import type { Storage } from '../storage/storage.ts';
import type { Handlers } from './router.ts';

/** Questions and answers. */
export function messageHandlers(service: ChatService, meter: ContextMeter, storage: Storage): Handlers<MessageChannel> {
  return {
    'messages.list': ({ chatId }) => storage.messages.list(chatId),
    'messages.send': (question) => service.send(question),
    'messages.regenerate': ({ messageId }) => service.regenerate(messageId),
    'messages.continue': ({ messageId }) => service.continue(messageId),
    'messages.select': ({ messageId }) => service.select(messageId),
    'messages.stop': ({ messageId }) => service.stop(messageId),
    'messages.resolve': ({ messageId, choice }) => service.resolve(messageId, choice),
    'messages.measure': (question) => meter.measure(question),
  };
}
