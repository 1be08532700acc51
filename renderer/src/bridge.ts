/** The only user of the preload's `window.shadownpu`: requests that throw AppError, and the stream of events. */
import type { Bridge, PlatformInfo, WindowChannel } from '../../contract/bridge.ts';
import type { AppEvent, ChannelRequest, ChannelResponse, Envelope } from '../../contract/channels.ts';
import type { Attachment } from '../../contract/drafts.ts';
import type { ModelInfo } from '../../contract/engine.ts';
import { AppError } from '../../contract/errors.ts';
import type { LibraryDocument } from '../../contract/library-documents.ts';

/** What the rest of the renderer knows of main. */
export interface Api {
  /** Asks main; throws an AppError that says what went wrong. */
  ask<C extends WindowChannel>(channel: C, request: ChannelRequest<C>): Promise<ChannelResponse<C>>;
  /** Attaches dropped or pasted files to a draft and returns the draft's attachments; throws an AppError. */
  attach(chatId: string | null, files: readonly File[]): Promise<Attachment[]>;
  /** Imports a dropped model file or folder; throws an AppError. */
  importDropped(file: File): Promise<ModelInfo>;
  /** Adds dropped files and folders to the documents; throws an AppError. */
  addDocuments(files: readonly File[]): Promise<LibraryDocument[]>;
  /** Calls `listener` for every event from now on; the returned function ends that. */
  onEvent(listener: (event: AppEvent) => void): () => void;
}

export function createApi(bridge: Bridge): Api {
  return {
    ask: async (channel, request) => opened(await bridge.invoke(channel, request)),
    attach: async (chatId, files) => opened(await bridge.attach(chatId, files)),
    importDropped: async (file) => opened(await bridge.importDropped(file)),
    addDocuments: async (files) => opened(await bridge.addDocuments(files)),
    onEvent: (listener) => bridge.onEvent(listener),
  };
}

function opened<T>(envelope: Envelope<T>): T {
  if (!envelope.ok) throw AppError.fromInfo(envelope.error);
  return envelope.value;
}

/** The preload's bridge; throws where the page runs outside the app. */
export function windowBridge(): Bridge {
  // Read through a partial view: in a plain browser the property is not there, whatever the contract promises.
  const { shadownpu } = window as Partial<Pick<Window, 'shadownpu'>>;
  if (shadownpu === undefined) {
    throw new AppError('internal', 'This page runs only inside the ShadowNPU app.', {
      action: 'Start the app with "npm start".',
    });
  }
  return shadownpu;
}

export type { PlatformInfo };
