/** The one place where the window's state changes. Pure; commands.ts does the talking. */
import type { WindowCommand } from '../../../contract/app.ts';
import type { AppEvent } from '../../../contract/channels.ts';
import type { Chat, Folder, SearchHit } from '../../../contract/chats.ts';
import type { ComparisonEntry, KeptComparison } from '../../../contract/compare.ts';
import type { Attachment, Draft } from '../../../contract/drafts.ts';
import type { DeviceInfo, ModelInfo, Replay } from '../../../contract/engine.ts';
import type { ErrorInfo } from '../../../contract/errors.ts';
import type { LibraryDocument, OcrData } from '../../../contract/library-documents.ts';
import type { Message } from '../../../contract/messages.ts';
import type { EngineStatus } from '../../../contract/model-status.ts';
import type { OfferedModel } from '../../../contract/models.ts';
import type { ChatOptions, Preset } from '../../../contract/presets.ts';
import type { Sample } from '../../../contract/resources.ts';
import type { Settings } from '../../../contract/settings.ts';
import type { DocumentAnswer, Summary } from '../../../contract/summaries.ts';
import { applyCompareEvent, type CompareForm, putComparison } from './compare.ts';
import {
  applyDelta,
  emptyConversation,
  markStale,
  meetUnknown,
  putEnd,
  putMessage,
  takeLoaded,
} from './conversation.ts';
import { applyDocumentEvent } from './documents.ts';
import { putJob } from './models.ts';
import { addSample, mergeSamples, takeGlance } from './resources.ts';
import { type Activity, type AppState, type Conversation, NEW_CHAT, type Notice, type View } from './state.ts';

export type Action =
  | {
      type: 'started';
      chats: readonly Chat[];
      folders: readonly Folder[];
      drafts: readonly Draft[];
      presets: readonly Preset[];
      settings: Settings;
      engine: EngineStatus;
    }
  | { type: 'start-failed'; error: ErrorInfo }
  | { type: 'events'; events: readonly AppEvent[] }
  | { type: 'view'; view: View }
  | { type: 'overlay'; overlay: AppState['overlay'] }
  | { type: 'list-folded'; folded: boolean }
  | { type: 'drawer'; open: boolean }
  | { type: 'chat'; chat: Chat }
  /** Some chats as they are now. */
  | { type: 'chats'; chats: readonly Chat[] }
  | { type: 'chats-gone'; chatIds: readonly string[] }
  | { type: 'opened'; chatId: string | null }
  | { type: 'messages'; chatId: string; messages: readonly Message[] }
  | { type: 'reveal'; messageId: string | null }
  | { type: 'draft'; key: string; text: string }
  | { type: 'attachments'; key: string; attachments: readonly Attachment[] }
  | { type: 'new-chat-options'; options: ChatOptions }
  | { type: 'sending'; key: string; on: boolean }
  | { type: 'path-end'; chatId: string; messages: readonly Message[] }
  | { type: 'stopping'; messageId: string; on: boolean }
  | { type: 'search-query'; query: string }
  | { type: 'search-results'; query: string; hits: readonly SearchHit[]; more: boolean }
  | { type: 'settings'; settings: Settings }
  | { type: 'documents'; documents: readonly LibraryDocument[] }
  | { type: 'left-out-seen' }
  | { type: 'ocr'; languages: readonly OcrData[] }
  | { type: 'document-opened'; documentId: string }
  | {
      type: 'document-work';
      documentId: string;
      summaries: readonly Summary[];
      answers: readonly DocumentAnswer[];
    }
  | { type: 'comparisons'; comparisons: readonly ComparisonEntry[] }
  | { type: 'comparison-read'; comparison: KeptComparison }
  | { type: 'compare-form'; form: CompareForm }
  | { type: 'models'; models: readonly ModelInfo[]; catalog: readonly OfferedModel[] }
  | { type: 'devices'; devices: readonly DeviceInfo[] }
  | { type: 'samples'; samples: readonly Sample[] }
  | { type: 'replayed'; request: number; result: Replay }
  | { type: 'notice'; notice: Notice }
  | { type: 'notice-gone'; id: number };

export function reduce(state: AppState, action: Action): AppState {
  switch (action.type) {
    case 'started':
      return {
        ...state,
        phase: 'ready',
        chats: sorted(action.chats),
        folders: action.folders,
        drafts: Object.fromEntries(action.drafts.map(({ chatId, text }) => [chatId ?? NEW_CHAT, text])),
        attachments: Object.fromEntries(
          action.drafts.map(({ chatId, attachments }) => [chatId ?? NEW_CHAT, attachments]),
        ),
        presets: action.presets,
        settings: action.settings,
        engine: action.engine,
      };
    case 'start-failed':
      return { ...state, phase: { error: action.error } };
    case 'events':
      return action.events.reduce(applyEvent, state);
    case 'view':
      return { ...state, view: action.view, drawerOpen: false };
    case 'overlay':
      return { ...state, overlay: action.overlay };
    case 'list-folded':
      return { ...state, listFolded: action.folded };
    case 'drawer':
      return { ...state, drawerOpen: action.open };
    case 'chat':
      return putChat(state, action.chat);
    case 'chats':
      return { ...state, chats: merged(state.chats, action.chats), chatsStale: false };
    case 'chats-gone':
      return removeChats(state, action.chatIds);
    case 'opened':
      return { ...state, activeChatId: action.chatId, view: 'chat', drawerOpen: false };
    case 'messages':
      return inConversation(state, action.chatId, (conversation) => takeLoaded(conversation, action.messages));
    case 'reveal':
      return { ...state, reveal: action.messageId };
    case 'draft':
      return { ...state, drafts: { ...state.drafts, [action.key]: action.text } };
    case 'attachments':
      return { ...state, attachments: { ...state.attachments, [action.key]: action.attachments } };
    case 'new-chat-options':
      return { ...state, newChatOptions: action.options };
    case 'sending':
      return { ...state, sending: toggled(state.sending, action.key, action.on) };
    case 'path-end':
      return inConversation(state, action.chatId, (conversation) => putEnd(conversation, action.messages));
    case 'stopping':
      return withActivity(state, action.messageId, { stopping: action.on });
    case 'search-query':
      return {
        ...state,
        search:
          action.query.trim() === ''
            ? { query: action.query, hits: null, more: false }
            : { ...state.search, query: action.query },
      };
    case 'search-results':
      // An answer to an older query must not replace that of the newer one.
      if (action.query !== state.search.query) return state;
      return { ...state, search: { query: action.query, hits: action.hits, more: action.more } };
    case 'settings':
      return { ...state, settings: action.settings };
    case 'left-out-seen':
      return { ...state, folderAdded: null };
    case 'documents':
      return { ...state, documents: action.documents };
    case 'ocr':
      return { ...state, ocr: action.languages };
    case 'document-opened':
      return { ...state, openDocumentId: action.documentId };
    case 'document-work':
      return {
        ...state,
        summaries: { ...state.summaries, [action.documentId]: action.summaries },
        answers: { ...state.answers, [action.documentId]: action.answers },
      };
    case 'comparisons':
      return { ...state, comparisons: action.comparisons };
    case 'comparison-read':
      return putComparison(state, action.comparison);
    case 'compare-form':
      return { ...state, compareForm: action.form };
    case 'models':
      return { ...state, models: action.models, catalog: action.catalog, modelsStale: false };
    case 'devices':
      return { ...state, devices: action.devices };
    case 'samples':
      return { ...state, samples: mergeSamples(action.samples, state.samples) };
    case 'replayed':
      return { ...state, replay: { request: action.request, result: action.result } };
    case 'notice':
      return { ...state, notices: [...state.notices.slice(-2), action.notice] };
    case 'notice-gone':
      return { ...state, notices: state.notices.filter((notice) => notice.id !== action.id) };
  }
}

function applyEvent(state: AppState, event: AppEvent): AppState {
  switch (event.type) {
    case 'command':
      return applyCommand(state, event.command);
    case 'opened':
      return { ...state, view: event.view, overlay: null, drawerOpen: false };
    case 'engine-status':
      return { ...state, engine: event.status };
    case 'document':
    case 'document-removed':
    case 'folder-added':
    case 'ocr-data':
    case 'summary':
    case 'summary-removed':
    case 'summary-progress':
    case 'document-answer':
    case 'document-answer-delta':
      return applyDocumentEvent(state, event);
    case 'comparison':
    case 'comparison-removed':
    case 'comparison-progress':
      return applyCompareEvent(state, event);
    case 'models':
      return { ...state, modelsStale: true };
    case 'model-job':
      return putJob(state, event.job);
    case 'calibration':
      return { ...state, calibration: event.status };
    case 'device-test':
      return { ...state, deviceTest: event.status };
    case 'sample':
      return { ...state, samples: addSample(state.samples, event.sample) };
    case 'glance': {
      const glance = takeGlance(state.glance, event.glance);
      return glance === state.glance ? state : { ...state, glance };
    }
    case 'replay':
      return { ...state, replaying: event.progress };
    case 'settings':
      return { ...state, settings: event.settings };
    case 'chat':
      return putChat(state, event.chat);
    case 'chats-removed':
      return removeChats(state, event.chatIds);
    case 'chats-changed':
      return { ...state, chatsStale: true };
    case 'folders':
      return { ...state, folders: event.folders };
    case 'prefill': {
      const { purpose, done, total, tokensPerSecond } = event;
      return withActivity(state, event.messageId, { prefill: { purpose, done, total, tokensPerSecond } });
    }
    case 'branch':
      // What this window asked for itself comes with the answer to its request.
      if (state.sending.includes(event.chatId)) return state;
      return inConversation(state, event.chatId, (conversation) => {
        const isSame = (conversation.messages.at(-1)?.id ?? null) === event.leafId;
        return isSame || !conversation.loaded ? conversation : markStale(conversation);
      });
    case 'draft':
      return { ...state, drafts: { ...state.drafts, [event.chatId ?? NEW_CHAT]: event.text } };
    case 'attachments':
      return { ...state, attachments: { ...state.attachments, [event.chatId ?? NEW_CHAT]: event.attachments } };
    case 'presets':
      return { ...state, presets: event.presets };
    case 'delta': {
      const next = inConversation(state, event.chatId, (conversation) => applyDelta(conversation, event));
      return withActivity(next, event.messageId, { tokensPerSecond: event.tokensPerSecond });
    }
    case 'message': {
      const { message } = event;
      const next = inConversation(state, message.chatId, (conversation) => {
        if (!conversation.loaded) return conversation;
        const known = conversation.messages.some((other) => other.id === message.id);
        return known ? putMessage(conversation, message) : meetUnknown(conversation, message.id);
      });
      if (message.state === 'streaming') return next;
      const { [message.id]: _ended, ...activities } = next.activities;
      return { ...next, activities };
    }
  }
}

/** What the menu or the tray asks of the window. */
function applyCommand(state: AppState, command: WindowCommand): AppState {
  switch (command) {
    case 'new-chat':
      return { ...state, view: 'chat', activeChatId: null, overlay: null, drawerOpen: false };
    case 'settings':
    case 'about':
      return { ...state, view: 'settings', overlay: null, drawerOpen: false };
    case 'shortcuts':
      return { ...state, overlay: 'shortcuts' };
  }
}

function inConversation(
  state: AppState,
  chatId: string,
  change: (conversation: Conversation) => Conversation,
): AppState {
  const before = state.conversations[chatId] ?? emptyConversation;
  const after = change(before);
  return after === before ? state : { ...state, conversations: { ...state.conversations, [chatId]: after } };
}

function withActivity(state: AppState, messageId: string, change: Activity): AppState {
  return { ...state, activities: { ...state.activities, [messageId]: { ...state.activities[messageId], ...change } } };
}

function sorted(chats: readonly Chat[]): readonly Chat[] {
  return [...chats].sort((a, b) => b.updatedAt - a.updatedAt);
}

/** `fresh` ones take the place of what was known of them. */
function merged(chats: readonly Chat[], fresh: readonly Chat[]): readonly Chat[] {
  const ids = new Set(fresh.map(({ id }) => id));
  return sorted([...chats.filter(({ id }) => !ids.has(id)), ...fresh]);
}

function putChat(state: AppState, chat: Chat): AppState {
  return { ...state, chats: merged(state.chats, [chat]) };
}

function removeChats(state: AppState, chatIds: readonly string[]): AppState {
  const gone = new Set(chatIds);
  const kept = <T>(record: Readonly<Record<string, T>>) =>
    Object.fromEntries(Object.entries(record).filter(([chatId]) => !gone.has(chatId)));
  return {
    ...state,
    conversations: kept(state.conversations),
    drafts: kept(state.drafts),
    attachments: kept(state.attachments),
    chats: state.chats.filter((chat) => !gone.has(chat.id)),
    search: { ...state.search, hits: state.search.hits?.filter(({ chatId }) => !gone.has(chatId)) ?? null },
    activeChatId: state.activeChatId !== null && gone.has(state.activeChatId) ? null : state.activeChatId,
  };
}

function without(keys: readonly string[], key: string): readonly string[] {
  return keys.includes(key) ? keys.filter((other) => other !== key) : keys;
}

function toggled(keys: readonly string[], key: string, on: boolean): readonly string[] {
  return on ? [...without(keys, key), key] : without(keys, key);
}
