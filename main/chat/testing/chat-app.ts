/** The app without Electron and windows, for tests: everything is real but for the words of the engine. */
import type { AppEvent } from '../../../contract/channels.ts';
import type { Message } from '../../../contract/messages.ts';
import type { Settings } from '../../../contract/settings.ts';
import { EngineProcess } from '../../engine-process.ts';
import type { Storage } from '../../storage/storage.ts';
import { Answerer } from '../answerer.ts';
import { AppSettings } from '../app-settings.ts';
import { ChatService, type Question } from '../chat-service.ts';
import { ContextMeter } from '../context-meter.ts';
import { DeviceMeasurer } from '../device-measurer.ts';
import { ModelKeeper } from '../model-keeper.ts';
import { Presets } from '../presets.ts';
import { SerialQueue } from '../serial-queue.ts';
import { model, type Script, scripted } from './spawn-scripted.ts';

export function chatApp(storage: Storage, script: Script = {}, begin = true) {
  const told: AppEvent[] = [];
  const themes: Settings['theme'][][] = [];
  const waiting: { done: () => boolean; resolve: () => void }[] = [];
  const emit = (event: AppEvent) => {
    told.push(event);
    for (const { done, resolve } of waiting) if (done()) resolve();
  };
  const log = () => undefined;
  const current: Script = { models: [model('m')], ...script };
  const processes = scripted(() => current);
  const engine = new EngineProcess({
    spawn: processes.spawn,
    backOffMs: [1, 1, 1],
    log,
    changed: (state) => keeper.engineChanged(state),
  });
  const keeper: ModelKeeper = new ModelKeeper({
    engine,
    modelsDir: '/models',
    settings: () => storage.settings.get(),
    changed: (status) => {
      emit({ type: 'engine-status', status });
      measurer.engineChanged(status);
    },
    log,
  });
  const queue = new SerialQueue();
  const measurer: DeviceMeasurer = new DeviceMeasurer({ engine, keeper, queue, log, firstMs: 1 });
  const presets = new Presets(storage.presets, emit);
  const cancelPatienceMs = 300;
  const answerer = new Answerer({ engine, keeper, storage, presets, emit, log, cancelPatienceMs });
  const service = new ChatService({ engine, answerer, storage, queue, emit, log, cancelPatienceMs });
  const meter = new ContextMeter({ engine, keeper, storage, answerer });
  const table = storage.settings;
  const settings = new AppSettings({
    table,
    keeper,
    queue,
    emit,
    changed: (after, before) => themes.push([before.theme, after.theme]),
  });
  if (begin) engine.start();
  const until = (done: () => boolean) =>
    done() ? Promise.resolve() : new Promise<void>((resolve) => waiting.push({ done, resolve }));
  const messages = (id: string) =>
    told.flatMap((event) => (event.type === 'message' && event.message.id === id ? [event.message] : []));
  const ended = async (id: string): Promise<Message> => {
    const last = () => messages(id).at(-1);
    await until(() => (last()?.state ?? 'streaming') !== 'streaming');
    const message = last();
    if (!message) throw new Error('there is no such message');
    return message;
  };
  const deltas = (id: string) =>
    told.flatMap((event) => (event.type === 'delta' && event.messageId === id ? [event] : []));
  /** Asks and waits for the end. */
  const ask = async (chatId: string, text: string, more: Partial<Question> = {}) => {
    const { question, answer } = service.send({ chatId, text, ...more });
    return { question, answer: await ended(answer.id) };
  };
  const began = (id: string) => until(() => deltas(id).length > 0);
  const statuses = () => told.flatMap((event) => (event.type === 'engine-status' ? [event.status] : []));
  /** Starts the engine anew, with what the script says now, and waits until it is ready. */
  const renew = async () => {
    const count = processes.pids.length;
    engine.renew();
    await until(() => processes.pids.length > count && keeper.status.state === 'ready');
  };
  return {
    engine,
    renew,
    answerer,
    meter,
    presets,
    emit,
    service,
    keeper,
    settings,
    told,
    themes,
    until,
    ended,
    ask,
    began,
    deltas,
    messages,
    statuses,
    processes,
    current,
  };
}
