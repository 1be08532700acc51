/**
 * Runs sandboxed in every window, before its page: exposes the typed bridge and nothing else of Electron.
 * What main answers is parsed here, so that the page can rely on the types.
 */
import { contextBridge, ipcRenderer, webUtils } from 'electron';
import * as v from 'valibot';
import type { Bridge } from '../../contract/bridge.ts';
import {
  AppEvent,
  type Channel,
  type ChannelRequest,
  type ChannelResponse,
  channels,
  type Envelope,
  EVENT_CHANNEL,
} from '../../contract/channels.ts';
import { AppError, ErrorInfo } from '../../contract/errors.ts';
import { languageOf } from '../../contract/language.ts';

const Answer = v.variant('ok', [
  v.object({ ok: v.literal(true), value: v.unknown() }),
  v.object({ ok: v.literal(false), error: ErrorInfo }),
]);

/** What main says with an argument of the window's process. */
function argument(name: 'version' | 'locale' | 'language'): string {
  const start = `--shadownpu-${name}=`;
  return process.argv.find((known) => known.startsWith(start))?.slice(start.length) ?? '';
}

/** Channels that take paths: asked by this script only, with those of files that the page was given. */
const OURS: readonly Channel[] = ['attachments.drop', 'models.drop', 'documents.drop'];

const bridge: Bridge = {
  async invoke(channel, request) {
    // Pages are not type-checked at run time: anything may be asked for.
    const known = Object.hasOwn(channels, channel) && !OURS.includes(channel);
    return known ? ask(channel, request) : failed(`there is no channel ${String(channel).slice(0, 64)}`);
  },
  async attach(chatId, files) {
    try {
      return await ask('attachments.drop', { chatId, paths: Array.from(files, pathOf).filter((path) => path !== '') });
    } catch (error) {
      return failed(String(error)); // not files
    }
  },
  async importDropped(file) {
    try {
      return await ask('models.drop', { path: pathOf(file) });
    } catch (error) {
      return failed(String(error)); // not a file
    }
  },
  async addDocuments(files) {
    try {
      return await ask('documents.drop', { paths: Array.from(files, pathOf).filter((path) => path !== '') });
    } catch (error) {
      return failed(String(error)); // not files
    }
  },
  onEvent(listener) {
    const told = (_: unknown, message: unknown) => {
      const event = v.safeParse(AppEvent, message);
      if (event.success) listener(event.output);
      else console.error(`event from main: ${v.summarize(event.issues)}`);
    };
    ipcRenderer.on(EVENT_CHANNEL, told);
    return () => {
      ipcRenderer.removeListener(EVENT_CHANNEL, told);
    };
  },
  platform: {
    os: process.platform,
    arch: process.arch,
    locale: argument('locale'),
    language: languageOf('system', argument('language')),
    versions: {
      app: argument('version'),
      electron: process.versions.electron ?? '',
      chrome: process.versions.chrome ?? '',
      node: process.versions.node,
    },
  },
};

async function ask<C extends Channel>(channel: C, request: ChannelRequest<C>): Promise<Envelope<ChannelResponse<C>>> {
  try {
    const answer = v.parse(Answer, await ipcRenderer.invoke(channel, request));
    if (!answer.ok) return answer;
    const value: unknown = v.parse(channels[channel].response, answer.value);
    return { ok: true, value } as Envelope<never>;
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
}

/** Where the file lies; empty for one that a page has made itself, and for what only looks like a file. */
function pathOf(file: unknown): string {
  if (!(file instanceof File)) return '';
  // Electron 22 has no webUtils.
  const { getPathForFile } = (webUtils as typeof webUtils | undefined) ?? {};
  return getPathForFile ? getPathForFile(file) : (file as File & { path: string }).path;
}

function failed(detail: string): { ok: false; error: ErrorInfo } {
  const error = new AppError('internal', 'The app did not answer as expected.', {
    action: 'Try again; restart the app if it happens again.',
    detail,
  });
  return { ok: false, error: error.toInfo() };
}

contextBridge.exposeInMainWorld('shadownpu', bridge);
