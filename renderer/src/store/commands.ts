/** What a user can make the window do. Each command talks to main and reports failures as a notice; none rejects. */
import type { Chat } from '../../../contract/chats.ts';
import type { DeviceInfo } from '../../../contract/engine.ts';
import { AppError } from '../../../contract/errors.ts';
import type { Settings } from '../../../contract/settings.ts';
import type { Api } from '../bridge.ts';
import { draftKey, NEW_CHAT, readiness, type View } from './state.ts';
import type { Store } from './store.ts';

/** How long a deleted chat can be brought back, and how long an error stays, in milliseconds. */
const UNDO_MS = 8_000;
const ERROR_MS = 12_000;
const SEARCH_DELAY_MS = 120;

export type Commands = ReturnType<typeof createCommands>;

export function createCommands(store: Store, api: Api) {
  let lastNotice = 0;
  let searchTimer: ReturnType<typeof setTimeout> | undefined;
  const reading = new Set<string>();
  const removals = new Map<string, { timer: ReturnType<typeof setTimeout>; noticeId: number }>();

  function report(error: unknown): void {
    lastNotice += 1;
    const id = lastNotice;
    store.dispatch({ type: 'notice', notice: { id, error: AppError.from(error).toInfo() } });
    setTimeout(() => store.dispatch({ type: 'notice-gone', id }), ERROR_MS);
  }

  /** Runs `work`; a failure becomes a notice and `undefined`. */
  async function guarded<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      report(error);
      return undefined;
    }
  }

  function showDevices(devices: readonly DeviceInfo[]): void {
    store.dispatch({ type: 'devices', devices });
  }

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

  async function start(activeChatId: string | null): Promise<void> {
    try {
      const [chats, settings, engine, calibration] = await Promise.all([
        api.ask('chats.list', undefined),
        api.ask('settings.get', undefined),
        api.ask('engine.status', undefined),
        api.ask('calibration.status', undefined),
      ]);
      store.dispatch({ type: 'started', chats, settings, engine });
      store.dispatch({ type: 'events', events: [{ type: 'calibration', status: calibration }] });
    } catch (error) {
      store.dispatch({ type: 'start-failed', error: AppError.from(error).toInfo() });
      return;
    }
    if (activeChatId !== null && store.get().chats.some((chat) => chat.id === activeChatId)) {
      await openChat(activeChatId);
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
    const chat = await api.ask('chats.create', undefined);
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

  function endRemoval(chatId: string): boolean {
    const removal = removals.get(chatId);
    if (removal === undefined) return false;
    clearTimeout(removal.timer);
    removals.delete(chatId);
    store.dispatch({ type: 'notice-gone', id: removal.noticeId });
    return true;
  }

  async function finishRemoval(chatId: string): Promise<void> {
    if (!endRemoval(chatId)) return;
    try {
      await api.ask('chats.remove', { chatId });
      store.dispatch({ type: 'chat-gone', chatId });
    } catch (error) {
      store.dispatch({ type: 'chat-removing', chatId, on: false });
      report(error);
    }
  }

  /** Shows the change at once and takes it back if main refuses it. */
  async function changeSettings(change: Partial<Settings>): Promise<void> {
    const before = store.get().settings;
    if (before === null) return;
    store.dispatch({ type: 'settings', settings: { ...before, ...change } });
    try {
      store.dispatch({ type: 'settings', settings: await api.ask('settings.set', change) });
    } catch (error) {
      store.dispatch({ type: 'settings', settings: before });
      report(error);
    }
  }

  /** Loads the model now and, as main remembers it, at every start. */
  async function loadModel(modelId: string): Promise<void> {
    await guarded(() => api.ask('engine.load', { modelId }));
  }

  /** After a final failure: loads the wanted model once more, which starts the engine too. */
  async function retryEngine(): Promise<void> {
    await guarded(async () => {
      const wanted = store.get().settings?.modelId;
      const modelId = wanted ?? (await api.ask('engine.models', undefined)).find(({ problem }) => !problem)?.id;
      if (modelId !== undefined) await api.ask('engine.load', { modelId });
    });
  }

  return {
    start,
    openChat,
    readMessages,
    report,

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

    async renameChat(chatId: string, title: string): Promise<void> {
      const trimmed = title.trim().slice(0, 200);
      if (trimmed === '') return;
      await guarded(async () => {
        const chat = await api.ask('chats.rename', { chatId, title: trimmed });
        store.dispatch({ type: 'chat', chat });
      });
    },

    /** Hides the chat at once and removes it once it can no longer be undone. */
    removeChat(chat: Chat): void {
      if (removals.has(chat.id)) return;
      lastNotice += 1;
      store.dispatch({ type: 'chat-removing', chatId: chat.id, on: true });
      store.dispatch({ type: 'notice', notice: { id: lastNotice, removedChat: chat } });
      const timer = setTimeout(() => void finishRemoval(chat.id), UNDO_MS);
      removals.set(chat.id, { timer, noticeId: lastNotice });
    },

    undoRemoval(chatId: string): void {
      if (endRemoval(chatId)) store.dispatch({ type: 'chat-removing', chatId, on: false });
    },

    /** Removes now what was deleted: the undo notice was closed, or the window closes. */
    finishRemovals(): void {
      for (const chatId of [...removals.keys()]) void finishRemoval(chatId);
    },

    dismiss(id: number): void {
      const removal = [...removals].find(([, { noticeId }]) => noticeId === id);
      if (removal === undefined) store.dispatch({ type: 'notice-gone', id });
      else void finishRemoval(removal[0]);
    },

    setSearch(query: string): void {
      clearTimeout(searchTimer);
      store.dispatch({ type: 'search-query', query });
      if (query.trim() === '') return;
      searchTimer = setTimeout(() => {
        void guarded(async () => {
          const results = await api.ask('chats.search', { query });
          store.dispatch({ type: 'search-results', query, results });
        });
      }, SEARCH_DELAY_MS);
    },

    async startCalibration(): Promise<void> {
      await guarded(() => api.ask('calibration.start', undefined));
    },

    async stopCalibration(): Promise<void> {
      await guarded(() => api.ask('calibration.stop', undefined));
    },

    changeSettings,
    loadModel,
    retryEngine,

    async readMachine(): Promise<void> {
      await guarded(async () => {
        store.dispatch({ type: 'models', models: await api.ask('engine.models', undefined) });
      });
      await guarded(async () => {
        showDevices(await api.ask('engine.devices', undefined));
      });
    },

    /** Tests one device, or all. Stopping is no failure. */
    async testDevices(device: string | null): Promise<void> {
      await guarded(async () => {
        try {
          showDevices(await api.ask('devices.test', { device }));
        } catch (error) {
          if (AppError.from(error).kind !== 'cancelled') throw error;
        }
      });
    },

    async stopDeviceTest(): Promise<void> {
      await guarded(() => api.ask('devices.stop', undefined));
    },

    async chooseLibraryFolder(): Promise<void> {
      await guarded(async () => showDevices(await api.ask('devices.choose-folder', undefined)));
    },

    async forgetLibraryFolder(): Promise<void> {
      await guarded(async () => showDevices(await api.ask('devices.forget-folder', undefined)));
    },

    /** Whether the text is on the clipboard now. */
    async copy(text: string): Promise<boolean> {
      return (
        (await guarded(async () => {
          await api.ask('clipboard.write', { text });
          return true;
        })) === true
      );
    },

    setView(view: View): void {
      store.dispatch({ type: 'view', view });
    },

    foldList(folded: boolean): void {
      store.dispatch({ type: 'list-folded', folded });
    },

    setDrawer(open: boolean): void {
      store.dispatch({ type: 'drawer', open });
    },
  };
}
