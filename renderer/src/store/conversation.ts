/** How one chat's messages change: pure functions, each returning the same object where nothing changed. */
import type { AppEvent } from '../../../contract/channels.ts';
import type { Message } from '../../../contract/messages.ts';
import type { Conversation } from './state.ts';

type Delta = Extract<AppEvent, { type: 'delta' }>;

export const emptyConversation: Conversation = { messages: [], loaded: false, stale: false };

function replaceAt(messages: readonly Message[], index: number, message: Message): readonly Message[] {
  const copy = messages.slice();
  copy[index] = message;
  return copy;
}

/**
 * Appends streamed text. A delta that was seen already is dropped; one that leaves a gap or contradicts the local text
 * marks the conversation stale, and so does one for a message that is not known yet.
 */
export function applyDelta(conversation: Conversation, event: Delta): Conversation {
  if (!conversation.loaded) return conversation;
  const index = conversation.messages.findIndex((message) => message.id === event.messageId);
  const message = conversation.messages[index];
  if (message === undefined) return markStale(conversation);
  if (message.state !== 'streaming') return conversation;
  const { text } = message;
  const known = text.slice(event.offset);
  if (event.offset > text.length || !(event.delta.startsWith(known) || known.startsWith(event.delta))) {
    return markStale(conversation);
  }
  const fresh = event.delta.slice(known.length);
  if (fresh === '') return conversation;
  return { ...conversation, messages: replaceAt(conversation.messages, index, { ...message, text: text + fresh }) };
}

export function markStale(conversation: Conversation): Conversation {
  return conversation.stale ? conversation : { ...conversation, stale: true };
}

/** Puts a message in its place, or adds it at the end. Its word is final, also against local text. */
export function putMessage(conversation: Conversation, message: Message): Conversation {
  const index = conversation.messages.findIndex((other) => other.id === message.id);
  const messages = index < 0 ? [...conversation.messages, message] : replaceAt(conversation.messages, index, message);
  return { ...conversation, messages };
}

/** Adds what `messages.send` returned, unless events have told more about it by then. */
export function addSent(conversation: Conversation, question: Message, answer: Message): Conversation {
  const known = new Set(conversation.messages.map((message) => message.id));
  const fresh = [question, answer].filter((message) => !known.has(message.id));
  if (fresh.length === 0) return conversation;
  const messages = [...conversation.messages];
  // An event may have brought the answer first; the question belongs before it.
  const answerAt = messages.findIndex((message) => message.id === answer.id);
  messages.splice(answerAt < 0 ? messages.length : answerAt, 0, ...fresh);
  return { messages, loaded: conversation.loaded, stale: conversation.stale || !conversation.loaded };
}

/** Takes the stored messages, but keeps local text that has already grown beyond what main had when it answered. */
export function takeLoaded(conversation: Conversation, loaded: readonly Message[]): Conversation {
  const local = new Map(conversation.messages.map((message) => [message.id, message]));
  const messages = loaded.map((message) => {
    const mine = local.get(message.id);
    if (mine === undefined || message.state !== 'streaming') return message;
    if (mine.state !== 'streaming') return mine;
    return mine.text.length > message.text.length && mine.text.startsWith(message.text) ? mine : message;
  });
  return { messages, loaded: true, stale: false };
}
