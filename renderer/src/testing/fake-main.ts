/** Main's side of the bridge for tests: chats in memory, answers that the test itself feeds as events. */
import type { Bridge } from '../../../contract/bridge.ts';
import type { AppEvent, Channel, ChannelRequest, ChannelResponse } from '../../../contract/channels.ts';
import type { Chat } from '../../../contract/chats.ts';
import { AppError } from '../../../contract/errors.ts';
import type { Message } from '../../../contract/messages.ts';
import type { CalibrationStatus, EngineStatus } from '../../../contract/model-status.ts';
import type { Settings } from '../../../contract/settings.ts';

type Handlers = { [C in Channel]: (request: ChannelRequest<C>) => ChannelResponse<C> | Promise<ChannelResponse<C>> };

export const readyEngine: EngineStatus = {
  state: 'ready',
  model: {
    id: 'm',
    name: 'TestModel',
    weights: 'fast',
    contextSize: 8192,
    device: 'CPU',
    threads: 2,
    calibrated: false,
  },
};

export function makeChat(id: string, title: string, updatedAt: number): Chat {
  return { id, title, createdAt: updatedAt, updatedAt };
}

export function makeMessage(
  id: string,
  chatId: string,
  role: Message['role'],
  text: string,
  more: Partial<Message> = {},
): Message {
  return { id, chatId, role, text, state: 'complete', createdAt: 0, ...more };
}

export class FakeMain {
  chats: Chat[] = [];
  messages: Record<string, Message[]> = {};
  settings: Settings = {
    theme: 'system',
    attention: { mode: 'shadow', ratio: 0.2 },
    weights: 'fast',
    systemPrompt: '',
    temperature: 0.7,
    placement: { linear: 'auto', pilot: 'auto', decode: 'auto', avoidGpu: false, saveBattery: false },
  };
  engine: EngineStatus = readyEngine;
  calibration: CalibrationStatus = { state: 'possible', offered: false };
  clipboard = '';
  /** Every request, in order. */
  readonly asked: { channel: Channel; request: unknown }[] = [];
  readonly #listeners = new Set<(event: AppEvent) => void>();
  #ids = 0;

  /** What answers each channel; a test may put another function in. */
  readonly handlers: Handlers = {
    'chats.list': () => this.chats,
    'chats.create': () => {
      const chat = makeChat(this.#id('chat'), 'New chat', Date.now());
      this.chats.push(chat);
      return chat;
    },
    'chats.rename': ({ chatId, title }) => this.#changeChat(chatId, { title }),
    'chats.remove': ({ chatId }) => {
      this.chats = this.chats.filter((chat) => chat.id !== chatId);
      return undefined;
    },
    'chats.search': ({ query }) => this.chats.filter((chat) => chat.title.includes(query)),
    'messages.list': ({ chatId }) => this.messages[chatId] ?? [],
    'messages.send': ({ chatId, text }) => {
      const question = makeMessage(this.#id('question'), chatId, 'user', text);
      const answer = makeMessage(this.#id('answer'), chatId, 'assistant', '', { state: 'streaming' });
      this.messages[chatId] = [...(this.messages[chatId] ?? []), question, answer];
      return { question, answer };
    },
    'messages.stop': () => undefined,
    'engine.status': () => this.engine,
    'engine.models': () => [],
    'engine.devices': () => [],
    'devices.test': () => [],
    'devices.stop': () => undefined,
    'devices.choose-folder': () => [],
    'devices.forget-folder': () => [],
    'engine.load': () => undefined,
    'calibration.status': () => this.calibration,
    'calibration.start': () => undefined,
    'calibration.stop': () => undefined,
    'settings.get': () => this.settings,
    'settings.set': (change) => {
      this.settings = { ...this.settings, ...(change as Partial<Settings>) };
      return this.settings;
    },
    'clipboard.write': ({ text }) => {
      this.clipboard = text;
      return undefined;
    },
  };

  readonly bridge: Bridge = {
    invoke: async <C extends Channel>(channel: C, request: ChannelRequest<C>) => {
      this.asked.push({ channel, request });
      try {
        return { ok: true as const, value: structuredClone(await this.handlers[channel](request)) };
      } catch (error) {
        return { ok: false as const, error: AppError.from(error).toInfo() };
      }
    },
    onEvent: (listener) => {
      this.#listeners.add(listener);
      return () => this.#listeners.delete(listener);
    },
    platform: { os: 'linux', arch: 'x64', versions: { app: '0', electron: '0', chrome: '0', node: '0' } },
  };

  emit(event: AppEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  /** The last answer that was begun in a chat. */
  answer(chatId: string): Message {
    const answer = this.messages[chatId]?.at(-1);
    if (answer === undefined) throw new Error(`Chat ${chatId} has no messages.`);
    return answer;
  }

  /** Adds to the answer and tells the window. */
  stream(answer: Message, delta: string, more: { lost?: boolean } = {}): void {
    const offset = answer.text.length;
    answer.text += delta;
    if (more.lost !== true) this.emit(deltaEvent(answer, offset, delta));
  }

  /** Ends the answer and tells the window. */
  end(answer: Message, change: Partial<Message>): void {
    Object.assign(answer, change);
    this.emit({ type: 'message', message: structuredClone(answer) });
  }

  #changeChat(chatId: string, change: Partial<Chat>): Chat {
    const chat = this.chats.find(({ id }) => id === chatId);
    if (chat === undefined) throw new AppError('bad-input', 'There is no such chat.');
    return Object.assign(chat, change);
  }

  #id(kind: string): string {
    this.#ids += 1;
    return `${kind}-${this.#ids}`;
  }
}

export function deltaEvent(
  answer: Pick<Message, 'id' | 'chatId'>,
  offset: number,
  delta: string,
): Extract<AppEvent, { type: 'delta' }> {
  return { type: 'delta', chatId: answer.chatId, messageId: answer.id, offset, delta, tokensPerSecond: 40 };
}
