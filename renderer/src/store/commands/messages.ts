/** Reading and writing a chat: questions, answers, branches. */
import type { Attachment } from '../../../../contract/drafts.ts';
import type { ContextUse, LimitChoice, Message } from '../../../../contract/messages.ts';
import { chatOfDraft, draftKey, NEW_CHAT, readiness } from '../state.ts';
import type { DraftCommands } from './drafts.ts';
import type { Talk } from './talk.ts';

export function createMessageCommands({ store, api, report, guarded }: Talk, drafts: DraftCommands) {
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

  /** Asks main about a chat, one request at a time: events about what it changes are not answered by reading again. */
  async function alone<T>(key: string, work: () => Promise<T>): Promise<T | undefined> {
    if (store.get().sending.includes(key)) return undefined;
    store.dispatch({ type: 'sending', key, on: true });
    try {
      return await work();
    } catch (error) {
      report(error);
      return undefined;
    } finally {
      store.dispatch({ type: 'sending', key, on: false });
    }
  }

  function showEnd(...messages: readonly Message[]): void {
    const chatId = messages[0]?.chatId;
    if (chatId !== undefined) store.dispatch({ type: 'path-end', chatId, messages });
  }

  /** Sends a draft. It leaves the field at once and comes back if main refuses. */
  async function sendDraft(key: string): Promise<void> {
    const { drafts: texts, attachments: files } = store.get();
    if ((texts[key] ?? '').trim() === '' && (files[key] ?? []).length === 0) return;
    await alone(key, async () => {
      const { text, attachments } = drafts.takeDraft(key);
      let chatId = key;
      try {
        if (key === NEW_CHAT) chatId = await beginChat();
        await send(chatId, text, attachments);
      } catch (error) {
        const written = store.get().drafts[chatId] ?? '';
        drafts.setDraft(written === '' ? text : `${text}\n${written}`, chatId);
        store.dispatch({ type: 'attachments', key: chatId, attachments });
        throw error;
      }
    });
  }

  async function beginChat(): Promise<string> {
    const { newChatOptions } = store.get();
    let chat = await api.ask('chats.create', { folderId: null });
    if (Object.keys(newChatOptions).length > 0) {
      chat = await api.ask('chats.options', { chatId: chat.id, options: newChatOptions });
      store.dispatch({ type: 'new-chat-options', options: {} });
    }
    store.dispatch({ type: 'chat', chat });
    store.dispatch({ type: 'messages', chatId: chat.id, messages: [] });
    // What was typed since the question left belongs to the chat that it began.
    const written = store.get().drafts[NEW_CHAT] ?? '';
    drafts.setDraft('', NEW_CHAT);
    if (written !== '') drafts.setDraft(written, chat.id);
    // Someone who has moved on to another chat stays there.
    if (store.get().activeChatId === null) store.dispatch({ type: 'opened', chatId: chat.id });
    return chat.id;
  }

  async function send(chatId: string, text: string, attachments: readonly Attachment[]): Promise<void> {
    const ids = attachments.map(({ id }) => id);
    const files = ids.length === 0 ? {} : { attachments: ids };
    store.dispatch({ type: 'sending', key: chatId, on: true });
    try {
      const { question, answer } = await api.ask('messages.send', { chatId, text, ...files });
      showEnd(question, answer);
    } finally {
      store.dispatch({ type: 'sending', key: chatId, on: false });
    }
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

    /** Sends the open chat's draft. Where the engine is still starting, main lets it wait. */
    async submit(): Promise<void> {
      const state = store.get();
      if (readiness(state.engine) !== 'never') await sendDraft(draftKey(state));
    },

    /** Asks a question in other words, with the same files: a branch beside it. Whether main took it. */
    async editQuestion({ chatId, parentId, attachments = [] }: Message, text: string): Promise<boolean> {
      const files = attachments.length === 0 ? {} : { attachments: attachments.map(({ id }) => id) };
      const exchange = await alone(chatId, () => api.ask('messages.send', { chatId, text, after: parentId, ...files }));
      if (exchange !== undefined) showEnd(exchange.question, exchange.answer);
      return exchange !== undefined;
    },

    /** Has the question of an answer answered once more, beside it. */
    async regenerate({ id, chatId }: Message): Promise<void> {
      const made = await alone(chatId, () => api.ask('messages.regenerate', { messageId: id }));
      if (made !== undefined) showEnd(made.answer);
    },

    /** Lets an answer that was cut off go on. */
    async continueAnswer({ id, chatId }: Message): Promise<void> {
      const made = await alone(chatId, () => api.ask('messages.continue', { messageId: id }));
      if (made !== undefined) showEnd(made.answer);
    },

    /** Shows the branch of another version of a message. */
    async selectBranch(chatId: string, messageId: string): Promise<void> {
      const messages = await alone(chatId, () => api.ask('messages.select', { messageId }));
      if (messages !== undefined) store.dispatch({ type: 'messages', chatId, messages });
    },

    /** Goes on with a question that did not fit, in the chosen way. */
    async resolveLimit({ id, chatId }: Message, choice: LimitChoice): Promise<void> {
      const made = await alone(chatId, () => api.ask('messages.resolve', { messageId: id, choice }));
      if (made === undefined) return;
      if (made.chatId === chatId) showEnd(made.answer);
      else await openChat(made.chatId);
    },

    /** What the open chat's draft would take of the context; null where that is not known now. */
    async measureDraft(): Promise<ContextUse | null> {
      const state = store.get();
      const key = draftKey(state);
      const ready = (state.attachments[key] ?? []).filter((attachment) => attachment.state === 'ready');
      const request = {
        chatId: chatOfDraft(key),
        text: state.drafts[key] ?? '',
        attachments: ready.map(({ id }) => id),
      };
      try {
        return await api.ask('messages.measure', request);
      } catch {
        // A gauge that is missing for a moment is better than a notice at every pause in typing.
        return null;
      }
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
