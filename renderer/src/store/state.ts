/** Everything the window knows, as one immutable value. Changed only by the reducer. */
import type { AppEvent } from '../../../contract/channels.ts';
import type { Chat, Folder, SearchHit } from '../../../contract/chats.ts';
import type { DeviceTestStatus } from '../../../contract/devices.ts';
import type { Attachment } from '../../../contract/drafts.ts';
import type { DeviceInfo, Replay } from '../../../contract/engine.ts';
import type { ErrorInfo } from '../../../contract/errors.ts';
import type { Message } from '../../../contract/messages.ts';
import type { CalibrationStatus, EngineStatus } from '../../../contract/model-status.ts';
import type { ChatOptions, Preset } from '../../../contract/presets.ts';
import type { Glance, Sample } from '../../../contract/resources.ts';
import type { Settings } from '../../../contract/settings.ts';
import { type CompareState, initialCompare } from './compare.ts';
import { type DocumentsState, initialDocuments } from './documents.ts';
import { initialModels, type ModelsState } from './models.ts';

/** Dialogs of the frame. */
export type Overlay = 'palette' | 'shortcuts';

export type View = 'chat' | 'documents' | 'models' | 'devices' | 'resources' | 'pipeline' | 'compare' | 'settings';

/** The draft of a chat that does not exist yet is kept under this key. */
export const NEW_CHAT = 'new';

export interface Conversation {
  /** The path that is shown, first message first. */
  readonly messages: readonly Message[];
  /** False until messages.list has answered once. */
  readonly loaded: boolean;
  /** An event did not fit the local text: the messages must be read again. */
  readonly stale: boolean;
  /** Messages that events told of and the path did not have: not known yet, or on another branch. */
  readonly unknown: readonly string[];
}

/** How far an answer is, while it is being made. */
export interface Activity {
  /** Tokens of the prompt that were read, of how many, and how fast. */
  readonly prefill?: Pick<Extract<AppEvent, { type: 'prefill' }>, 'purpose' | 'done' | 'total' | 'tokensPerSecond'>;
  /** Speed of decoding, once text flows. */
  readonly tokensPerSecond?: number;
  /** Stop was asked for; the end has not been reported yet. */
  readonly stopping?: boolean;
}

export type Replaying = NonNullable<Extract<AppEvent, { type: 'replay' }>['progress']>;

export interface Notice {
  readonly id: number;
  readonly error?: ErrorInfo;
  /** Chats that were deleted and can be brought back. */
  readonly removed?: readonly Chat[];
  /** Something that went well and is worth a word. */
  readonly text?: string;
}

export interface AppState extends ModelsState, DocumentsState, CompareState {
  /** `starting` until chats, settings and engine status were read. */
  readonly phase: 'starting' | 'ready' | { readonly error: ErrorInfo };
  readonly view: View;
  /** What lies over the screen. */
  readonly overlay: Overlay | null;
  readonly listFolded: boolean;
  readonly drawerOpen: boolean;
  /** Newest first. */
  readonly chats: readonly Chat[];
  readonly folders: readonly Folder[];
  /** So much changed that the chats must be read again. */
  readonly chatsStale: boolean;
  readonly activeChatId: string | null;
  readonly conversations: Readonly<Record<string, Conversation>>;
  /** A message that is to be brought into sight. */
  readonly reveal: string | null;
  readonly activities: Readonly<Record<string, Activity>>;
  /** Texts of questions that are not sent yet, by draft key, and their files. */
  readonly drafts: Readonly<Record<string, string>>;
  readonly attachments: Readonly<Record<string, readonly Attachment[]>>;
  readonly presets: readonly Preset[];
  /** What the chat that does not exist yet will begin with. */
  readonly newChatOptions: ChatOptions;
  /** Draft keys whose question, or chats whose answer, main is being asked about. */
  readonly sending: readonly string[];
  readonly search: { readonly query: string; readonly hits: readonly SearchHit[] | null; readonly more: boolean };
  readonly engine: EngineStatus;
  readonly calibration: CalibrationStatus;
  readonly settings: Settings | null;
  readonly devices: readonly DeviceInfo[] | null;
  readonly deviceTest: DeviceTestStatus;
  /** What the machine did in the last ten minutes, oldest first; read and kept up while the resources screen is open. */
  readonly samples: readonly Sample[];
  /** What the machine does now, in a few figures. */
  readonly glance: Glance | null;
  /** How far a prompt is that is run again; null while none is. */
  readonly replaying: Replaying | null;
  /** The last prompt that was run again, by the request whose prompt it was. */
  readonly replay: { readonly request: number; readonly result: Replay } | null;
  readonly notices: readonly Notice[];
}

export const initialState: AppState = {
  ...initialModels,
  ...initialDocuments,
  ...initialCompare,
  phase: 'starting',
  view: 'chat',
  overlay: null,
  listFolded: false,
  drawerOpen: false,
  chats: [],
  folders: [],
  chatsStale: false,
  activeChatId: null,
  conversations: {},
  reveal: null,
  activities: {},
  drafts: {},
  attachments: {},
  presets: [],
  newChatOptions: {},
  sending: [],
  search: { query: '', hits: null, more: false },
  engine: { state: 'starting' },
  calibration: { state: 'unavailable' },
  settings: null,
  devices: null,
  deviceTest: { state: 'idle' },
  samples: [],
  glance: null,
  replaying: null,
  replay: null,
  notices: [],
};

/** One object, so that asking for it is no change. */
const NO_OPTIONS: ChatOptions = {};

/** The key under which the open chat's draft is kept. */
export function draftKey(state: Pick<AppState, 'activeChatId'>): string {
  return state.activeChatId ?? NEW_CHAT;
}

/** The chat that a draft belongs to; null where it does not exist yet. */
export function chatOfDraft(key: string): string | null {
  return key === NEW_CHAT ? null : key;
}

/** The open chat's own options. */
export function chatOptions(state: AppState): ChatOptions {
  if (state.activeChatId === null) return state.newChatOptions;
  return state.chats.find((chat) => chat.id === state.activeChatId)?.options ?? NO_OPTIONS;
}

/** The answer that is being made in a chat, where there is one. */
export function streamingMessage(state: AppState, chatId: string | null): Message | undefined {
  if (chatId === null) return undefined;
  return state.conversations[chatId]?.messages.find((message) => message.state === 'streaming');
}

/**
 * What becomes of a question that is sent now: it is answered at once, waits in main until the engine is there, or
 * could not be answered at all. After a final failure a question makes main try again.
 */
export function readiness(engine: EngineStatus): 'now' | 'later' | 'never' {
  switch (engine.state) {
    case 'ready':
      return 'now';
    case 'starting':
    case 'loading':
    case 'unloaded':
    case 'failed':
      return 'later';
    case 'no-model':
      return 'never';
  }
}
