/** How one chat's messages change: pure functions, each returning the same object where nothing changed. */
import type { AppEvent } from '../../../contract/channels.ts';
import type { Message } from '../../../contract/messages.ts';
import type { Conversation } from './state.ts';

type Delta = Extract<AppEvent, { type: 'delta' }>;

export const emptyConversation: Conversation = { messages: [], loaded: false, stale: false, unknown: [] };

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
  if (message === undefined) return meetUnknown(conversation, event.messageId);
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

/** A message that the path does not have: the path is read again, once. What it lacks then is on another branch. */
export function meetUnknown(conversation: Conversation, messageId: string): Conversation {
  if (conversation.unknown.includes(messageId)) return conversation;
  return { ...markStale(conversation), unknown: [...conversation.unknown, messageId] };
}

/** Puts a message in its place. Its word is final, also against local text. */
export function putMessage(conversation: Conversation, message: Message): Conversation {
  const index = conversation.messages.findIndex((other) => other.id === message.id);
  return { ...conversation, messages: replaceAt(conversation.messages, index, message) };
}

/**
 * Takes what main answered to a question or to the wish for another answer: the path now ends in `end`, after the parent
 * of its first message. What events have told about them by then goes before it.
 */
export function putEnd(conversation: Conversation, end: readonly Message[]): Conversation {
  const parentId = end[0]?.parentId ?? null;
  const before = conversation.messages.findIndex((message) => message.id === parentId) + 1;
  const isKnownPlace = conversation.loaded && (before > 0 || parentId === null);
  if (!isKnownPlace) return markStale(conversation);
  const local = new Map(conversation.messages.map((message) => [message.id, message]));
  const messages = [...conversation.messages.slice(0, before), ...end.map((message) => newer(local, message))];
  return { ...conversation, messages };
}

/** The local form of a message where its text has already grown beyond what main had when it answered. */
function newer(local: ReadonlyMap<string, Message>, message: Message): Message {
  const mine = local.get(message.id);
  if (mine === undefined || mine.state !== 'streaming' || message.state !== 'streaming') return message;
  return mine.text.length > message.text.length && mine.text.startsWith(message.text) ? mine : message;
}

/** Takes the stored path, but keeps local text that has already grown beyond it. */
export function takeLoaded(conversation: Conversation, loaded: readonly Message[]): Conversation {
  const local = new Map(conversation.messages.map((message) => [message.id, message]));
  const messages = loaded.map((message) => {
    const mine = local.get(message.id);
    // An event told of its end while main was answering.
    if (mine !== undefined && mine.state !== 'streaming' && message.state === 'streaming') return mine;
    return newer(local, message);
  });
  const onPath = new Set(loaded.map((message) => message.id));
  const unknown = conversation.unknown.filter((messageId) => !onPath.has(messageId));
  return { messages, loaded: true, stale: false, unknown };
}
