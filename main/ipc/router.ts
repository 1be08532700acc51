/**
 * The gate for everything that a window asks: sender check -> parse -> call -> envelope. Knows nothing of Electron.
 * Windows are not trusted: what they show comes from a model, so whatever they send may be hostile.
 */
import * as v from 'valibot';
import {
  type Channel,
  type ChannelRequest,
  type ChannelResponse,
  channels,
  type Envelope,
} from '../../contract/channels.ts';
import { AppError } from '../../contract/errors.ts';

// biome-ignore lint/suspicious/noConfusingVoidType: a handler without an answer simply returns
type Reply<K extends Channel> = ChannelResponse<K> extends undefined ? void : ChannelResponse<K>;

export type Handlers<C extends Channel = Channel> = {
  readonly [K in C]: (request: ChannelRequest<K>) => Reply<K> | Promise<Reply<K>>;
};

export type Router = (channel: Channel, trusted: boolean, request: unknown) => Promise<Envelope<unknown>>;

/** `log` gets channel and error, never the request: that is the user's text. */
export function createRouter(handlers: Handlers, log: (line: string) => void): Router {
  return async (channel, trusted, request) => {
    try {
      if (!trusted) throw new AppError('usage', 'This page may not use the app.');
      return { ok: true, value: await call(handlers, channel, request) };
    } catch (thrown) {
      const { detail, ...error } = AppError.from(thrown).toInfo();
      log(`${channel}: ${error.kind}: ${error.message}${detail === undefined ? '' : `\n${detail}`}`);
      return { ok: false, error };
    }
  };
}

function call<C extends Channel>(handlers: Handlers<C>, channel: C, request: unknown): unknown {
  const parsed = v.safeParse(channels[channel].request, request);
  if (!parsed.success) {
    throw new AppError('usage', 'The window sent a request that the app does not understand.', {
      action: 'Restart the app; report it if it happens again.',
      detail: v.summarize(parsed.issues).slice(0, 1000),
    });
  }
  return handlers[channel](parsed.output as ChannelRequest<C>);
}
