/** What the window may ask of main and what it is told: one map of channels to schemas. Types are inferred from it. */
import * as v from 'valibot';
import { appChannels, appEvents } from './app.ts';
import { chatChannels, chatEvents } from './chats.ts';
import { compareChannels, compareEvents } from './compare.ts';
import { deviceChannels, deviceEvents } from './devices.ts';
import { draftChannels, draftEvents } from './drafts.ts';
import type { ErrorInfo } from './errors.ts';
import { libraryDocumentChannels, libraryDocumentEvents } from './library-documents.ts';
import { messageChannels, messageEvents } from './messages.ts';
import { modelStatusChannels, modelStatusEvents } from './model-status.ts';
import { catalogChannels, modelChannels, modelEvents } from './models.ts';
import { pipelineChannels, pipelineEvents } from './pipeline.ts';
import { presetChannels, presetEvents } from './presets.ts';
import { resourceChannels, resourceEvents } from './resources.ts';
import { settingsChannels, settingsEvents } from './settings.ts';
import { summaryChannels, summaryEvents } from './summaries.ts';

/** Request channels: `request` is parsed in main after the sender check, `response` in the preload's typed bridge. */
export const channels = {
  ...chatChannels,
  ...messageChannels,
  ...draftChannels,
  ...presetChannels,
  ...modelStatusChannels,
  ...modelChannels,
  ...catalogChannels,
  ...deviceChannels,
  ...libraryDocumentChannels,
  ...summaryChannels,
  ...settingsChannels,
  ...appChannels,
  ...resourceChannels,
  ...pipelineChannels,
  ...compareChannels,
} as const;
export type Channel = keyof typeof channels;
export type ChannelRequest<C extends Channel> = v.InferOutput<(typeof channels)[C]['request']>;
export type ChannelResponse<C extends Channel> = v.InferOutput<(typeof channels)[C]['response']>;

/** What main tells every window, on the one event channel `EVENT_CHANNEL`. */
export const AppEvent = v.variant('type', [
  ...chatEvents,
  ...messageEvents,
  ...draftEvents,
  ...presetEvents,
  ...modelStatusEvents,
  ...modelEvents,
  ...deviceEvents,
  ...libraryDocumentEvents,
  ...summaryEvents,
  ...settingsEvents,
  ...appEvents,
  ...resourceEvents,
  ...pipelineEvents,
  ...compareEvents,
]);
export type AppEvent = v.InferOutput<typeof AppEvent>;

export const EVENT_CHANNEL = 'app-event';

/** Every response travels in this envelope, since Electron turns a thrown error into a bare string. */
export type Envelope<T> = { ok: true; value: T } | { ok: false; error: ErrorInfo };
