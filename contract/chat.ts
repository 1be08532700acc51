/** What the window may ask of main and what it is told: one map of channels to schemas. Types are inferred from it. */
import * as v from 'valibot';
import {
  AttentionOptions,
  ChatRole,
  DeviceInfo,
  GenerateResult,
  LoadedModel,
  ModelInfo,
  Placement,
  Progress,
  WeightFlavour,
} from './engine.ts';
import { ErrorInfo } from './errors.ts';

const id = v.pipe(v.string(), v.minLength(1), v.maxLength(64));
const time = v.number(); // milliseconds since 1970, UTC

export const Chat = v.object({ id, title: v.string(), createdAt: time, updatedAt: time });
export type Chat = v.InferOutput<typeof Chat>;

export const MessageState = v.picklist(['streaming', 'complete', 'stopped', 'failed']);
export type MessageState = v.InferOutput<typeof MessageState>;

export const Message = v.object({
  id,
  chatId: id,
  role: ChatRole,
  text: v.string(),
  state: MessageState,
  createdAt: time,
  /** Figures of the answer, once it has ended. */
  result: v.optional(v.omit(GenerateResult, ['text', 'tokenIds'])),
  error: v.optional(ErrorInfo),
  /** How many earlier messages of the chat did not fit the model's context and were not sent along. */
  omitted: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
});
export type Message = v.InferOutput<typeof Message>;

export const EngineStatus = v.variant('state', [
  v.object({ state: v.literal('starting') }),
  /** No model on this machine yet. */
  v.object({ state: v.literal('no-model'), action: v.string() }),
  v.object({ state: v.literal('loading'), modelName: v.string(), progress: v.optional(Progress) }),
  v.object({ state: v.literal('ready'), model: LoadedModel }),
  /** The process ended; it is being started again unless `final`. */
  v.object({ state: v.literal('failed'), error: ErrorInfo, final: v.boolean() }),
]);
export type EngineStatus = v.InferOutput<typeof EngineStatus>;

/** Where the full calibration of the loaded model stands. */
export const CalibrationStatus = v.variant('state', [
  /** No model is loaded, or it has been calibrated. */
  v.object({ state: v.literal('unavailable') }),
  /** It can be started; `offered`: now is a good moment. `error`: why the last one ended. */
  v.object({ state: v.literal('possible'), offered: v.boolean(), error: v.optional(ErrorInfo) }),
  v.object({ state: v.literal('running'), progress: v.optional(Progress) }),
]);
export type CalibrationStatus = v.InferOutput<typeof CalibrationStatus>;

/** Where the self-test of devices stands. */
export const DeviceTestStatus = v.variant('state', [
  v.object({ state: v.literal('idle') }),
  v.object({ state: v.literal('running'), progress: v.optional(Progress) }),
]);
export type DeviceTestStatus = v.InferOutput<typeof DeviceTestStatus>;

export const ThemeChoice = v.picklist(['system', 'light', 'dark']);
export type ThemeChoice = v.InferOutput<typeof ThemeChoice>;

export const Settings = v.object({
  theme: ThemeChoice,
  attention: AttentionOptions,
  weights: WeightFlavour,
  systemPrompt: v.string(),
  temperature: v.pipe(v.number(), v.minValue(0), v.maxValue(2)),
  /** The model that is loaded at start; absent: the first that is found. */
  modelId: v.optional(v.string()),
  /** Which device runs what; counts from the next load on. */
  placement: Placement,
  /** A folder with execution provider libraries of the user's own. */
  libraryFolder: v.optional(v.string()),
});
export type Settings = v.InferOutput<typeof Settings>;

const nothing = v.undefined();

/** Request channels: `request` is parsed in main after the sender check, `response` in the preload's typed bridge. */
export const channels = {
  'chats.list': { request: nothing, response: v.array(Chat) },
  'chats.create': { request: nothing, response: Chat },
  'chats.rename': {
    request: v.object({ chatId: id, title: v.pipe(v.string(), v.minLength(1), v.maxLength(200)) }),
    response: Chat,
  },
  'chats.remove': { request: v.object({ chatId: id }), response: nothing },
  'chats.search': { request: v.object({ query: v.pipe(v.string(), v.maxLength(200)) }), response: v.array(Chat) },
  'messages.list': { request: v.object({ chatId: id }), response: v.array(Message) },
  /** Stores the question and an empty answer, starts generating, returns both at once. Text follows as events. */
  'messages.send': {
    request: v.object({ chatId: id, text: v.pipe(v.string(), v.minLength(1), v.maxLength(4_000_000)) }),
    response: v.object({ question: Message, answer: Message }),
  },
  'messages.stop': { request: v.object({ messageId: id }), response: nothing },
  'engine.status': { request: nothing, response: EngineStatus },
  'engine.models': { request: nothing, response: v.array(ModelInfo) },
  'engine.devices': { request: nothing, response: v.array(DeviceInfo) },
  /** Tests a device, or all (null); answers with the results once it is done. */
  'devices.test': { request: v.object({ device: v.nullable(v.string()) }), response: v.array(DeviceInfo) },
  'devices.stop': { request: nothing, response: nothing },
  /** Lets the user choose `libraryFolder`; answers with the devices that there are then. */
  'devices.choose-folder': { request: nothing, response: v.array(DeviceInfo) },
  'devices.forget-folder': { request: nothing, response: v.array(DeviceInfo) },
  'engine.load': { request: v.object({ modelId: v.string() }), response: nothing },
  'calibration.status': { request: nothing, response: CalibrationStatus },
  /** Starts it, or goes on where it was stopped. A question stops it. */
  'calibration.start': { request: nothing, response: nothing },
  'calibration.stop': { request: nothing, response: nothing },
  'settings.get': { request: nothing, response: Settings },
  /** Without the folder of libraries: code is loaded from there, so only the user chooses it, in a dialog of main's. */
  'settings.set': { request: v.partial(v.omit(Settings, ['libraryFolder'])), response: Settings },
  'clipboard.write': { request: v.object({ text: v.pipe(v.string(), v.maxLength(10_000_000)) }), response: nothing },
} as const;
export type Channel = keyof typeof channels;
export type ChannelRequest<C extends Channel> = v.InferOutput<(typeof channels)[C]['request']>;
export type ChannelResponse<C extends Channel> = v.InferOutput<(typeof channels)[C]['response']>;

/** What main tells every window, on the one event channel `EVENT_CHANNEL`. */
export const AppEvent = v.variant('type', [
  v.object({ type: v.literal('engine-status'), status: EngineStatus }),
  v.object({
    type: v.literal('prefill'),
    chatId: id,
    messageId: id,
    done: v.number(),
    total: v.number(),
    tokensPerSecond: v.number(),
  }),
  /** `offset` is the length of the text before `delta`: a window that joins late or misses one reloads the message. */
  v.object({
    type: v.literal('delta'),
    chatId: id,
    messageId: id,
    offset: v.number(),
    delta: v.string(),
    tokensPerSecond: v.number(),
  }),
  /** The stored message changed as a whole: it ended, was stopped or failed. */
  v.object({ type: v.literal('message'), message: Message }),
  v.object({ type: v.literal('chat'), chat: Chat }),
  v.object({ type: v.literal('settings'), settings: Settings }),
  v.object({ type: v.literal('calibration'), status: CalibrationStatus }),
  v.object({ type: v.literal('device-test'), status: DeviceTestStatus }),
]);
export type AppEvent = v.InferOutput<typeof AppEvent>;

export const EVENT_CHANNEL = 'app-event';

/** Every response travels in this envelope, since Electron turns a thrown error into a bare string. */
export type Envelope<T> = { ok: true; value: T } | { ok: false; error: v.InferOutput<typeof ErrorInfo> };
