/** The only user of the preload's `window.shadownpu`: requests that throw AppError, and the stream of events. */
import type { Bridge, PlatformInfo } from '../../contract/bridge.ts';
import type { AppEvent, Channel, ChannelRequest, ChannelResponse } from '../../contract/channels.ts';
import { AppError } from '../../contract/errors.ts';

/** What the rest of the renderer knows of main. */
export interface Api {
  /** Asks main; throws an AppError that says what went wrong. */
  ask<C extends Channel>(channel: C, request: ChannelRequest<C>): Promise<ChannelResponse<C>>;
  /** Calls `listener` for every event from now on; the returned function ends that. */
  onEvent(listener: (event: AppEvent) => void): () => void;
}

export function createApi(bridge: Bridge): Api {
  return {
    async ask(channel, request) {
      const envelope = await bridge.invoke(channel, request);
      if (!envelope.ok) throw AppError.fromInfo(envelope.error);
      return envelope.value;
    },
    onEvent: (listener) => bridge.onEvent(listener),
  };
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
