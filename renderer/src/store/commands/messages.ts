/** Reading and writing a chat: questions, answers, drafts. */
import { draftKey, NEW_CHAT, readiness } from '../state.ts';
import type { Talk } from './talk.ts';

export function createMessageCommands({ store, api, report, guarded }: Talk) {
  const reading = new Set<string>();

  async function readMessages(chatId: string): Promise<void> {
    if (reading.has(chatId)) return;
    reading.add(chatId);
    try {
      await guarded(async () => {
        const messages = await api.ask('messages.list', { chatId });
        store.dispatch({ type: 'messages', chatId, messages });
      });
    } finally {
      reading.delete(chatId);
    }
  }

  async function openChat(chatId: string): Promise<void> {
    store.dispatch({ type: 'opened', chatId });
    if (store.get().conversations[chatId]?.loaded !== true) await readMessages(chatId);
  }

  /** Sends the text of `key`'s draft. It leaves the field at once and comes back if main refuses. */
  async function sendDraft(key: string): Promise<void> {
    const text = store.get().drafts[key] ?? '';
    if (text.trim() === '' || store.get().sending.includes(key)) return;
    store.dispatch({ type: 'sending', key, on: true });
    store.dispatch({ type: 'draft', key, text: '' });
    let chatId = key;
    try {
      if (key === NEW_CHAT) chatId = await beginChat();
      await send(chatId, text);
    } catch (error) {
      const written = store.get().drafts[chatId] ?? '';
      store.dispatch({ type: 'draft', key: chatId, text: written === '' ? text : `${text}\n${written}` });
      report(error);
    } finally {
      store.dispatch({ type: 'sending', key, on: false });
    }
  }

  async function beginChat(): Promise<string> {
    const chat = await api.ask('chats.create', { folderId: null });
    store.dispatch({ type: 'chat', chat });
    store.dispatch({ type: 'messages', chatId: chat.id, messages: [] });
    // What was typed since the question left belongs to the chat that it began.
    const written = store.get().drafts[NEW_CHAT] ?? '';
    if (written !== '') {
      store.dispatch({ type: 'draft', key: chat.id, text: written });
      store.dispatch({ type: 'draft', key: NEW_CHAT, text: '' });
    }
    // Someone who has moved on to another chat stays there.
    if (store.get().activeChatId === null) store.dispatch({ type: 'opened', chatId: chat.id });
    return chat.id;
  }

  async function send(chatId: string, text: string): Promise<void> {
    const { question, answer } = await api.ask('messages.send', { chatId, text });
    store.dispatch({ type: 'sent', chatId, question, answer });
  }

  return {
    readMessages,
    openChat,

    /** Opens the chat at a message, on the branch that has it. */
    async openHit(chatId: string, messageId: string): Promise<void> {
      await openChat(chatId);
      await guarded(async () => {
        if (!store.get().conversations[chatId]?.messages.some(({ id }) => id === messageId)) {
          store.dispatch({ type: 'messages', chatId, messages: await api.ask('messages.select', { messageId }) });
        }
        store.dispatch({ type: 'reveal', messageId });
      });
    },

    /** Begins a chat in a folder. */
    async newChatIn(folderId: string): Promise<void> {
      await guarded(async () => {
        const chat = await api.ask('chats.create', { folderId });
        store.dispatch({ type: 'chat', chat });
        await openChat(chat.id);
      });
    },

    newChat(): void {
      store.dispatch({ type: 'opened', chatId: null });
    },

    setDraft(text: string): void {
      store.dispatch({ type: 'draft', key: draftKey(store.get()), text });
    },

    /** Sends the open chat's draft. Where the engine is still starting, main lets it wait. */
    async submit(): Promise<void> {
      const state = store.get();
      if (readiness(state.engine) !== 'never') await sendDraft(draftKey(state));
    },

    /** Asks the same question again, as a new turn. */
    async askAgain(chatId: string, text: string): Promise<void> {
      if (store.get().sending.includes(chatId)) return;
      store.dispatch({ type: 'sending', key: chatId, on: true });
      await guarded(() => send(chatId, text));
      store.dispatch({ type: 'sending', key: chatId, on: false });
    },

    async stop(messageId: string): Promise<void> {
      store.dispatch({ type: 'stopping', messageId, on: true });
      try {
        await api.ask('messages.stop', { messageId });
      } catch (error) {
        store.dispatch({ type: 'stopping', messageId, on: false });
        report(error);
      }
    },
  };
}
