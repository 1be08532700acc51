import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { english } from '../../contract/phrase.ts';
import type { EngineProcess } from '../engine-process.ts';
import { openStorage, type Storage } from '../storage/storage.ts';
import { chatApp } from './testing/chat-app.ts';
import { model, type Script } from './testing/spawn-scripted.ts';

let folder: string;
let storage: Storage;
let engine: EngineProcess;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'chat-'));
  storage = openStorage(folder);
});
afterEach(async () => {
  await engine.stop();
  storage.close();
  rmSync(folder, { recursive: true, force: true });
});

function app(script: Script = {}, begin = true) {
  const opened = chatApp(storage, script, begin);
  engine = opened.engine;
  return opened;
}

describe('a question', () => {
  it('is stored with an empty answer, answered, and both are kept', async () => {
    const { service, ended, deltas, told } = app();
    const chat = storage.chats.create();
    const { question, answer } = service.send({ chatId: chat.id, text: 'say Hello |world' });
    expect(storage.messages.list(chat.id)).toEqual([question, answer]);
    expect(answer).toMatchObject({ text: '', state: 'streaming' });
    const message = await ended(answer.id);
    expect(message).toMatchObject({ text: 'Hello world', state: 'complete', result: { finishReason: 'stop' } });
    expect(storage.messages.list(chat.id)).toEqual([question, message]);
    const pieces = deltas(answer.id);
    expect(pieces.map((event) => event.delta).join('')).toBe('Hello world');
    let offset = 0;
    for (const event of pieces) {
      expect(event.offset).toBe(offset);
      offset += event.delta.length;
    }
    expect(told.filter((event) => event.type === 'prefill')).toHaveLength(1);
  });

  it('gives the chat its title, once', async () => {
    const { service, ended } = app();
    const chat = storage.chats.create();
    await ended(service.send({ chatId: chat.id, text: 'say   one\nand more' }).answer.id);
    expect(storage.chats.get(chat.id).title).toBe('say one and more');
    await ended(service.send({ chatId: chat.id, text: 'say two' }).answer.id);
    expect(storage.chats.get(chat.id).title).toBe('say one and more');
  });

  it('goes with the chat so far, without answers that have no text', async () => {
    const { service, ended } = app();
    storage.settings.set({ systemPrompt: 'Be brief.' });
    const chat = storage.chats.create();
    await ended(service.send({ chatId: chat.id, text: 'say one' }).answer.id);
    await ended(service.send({ chatId: chat.id, text: 'die 1' }).answer.id);
    await ended(service.send({ chatId: chat.id, text: 'say cut\ndie 1' }).answer.id);
    const { text } = await ended(service.send({ chatId: chat.id, text: 'turns' }).answer.id);
    expect(JSON.parse(text)).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'say one' },
      { role: 'assistant', content: 'one' },
      { role: 'user', content: 'say cut\ndie 1' },
      { role: 'assistant', content: 'cut' },
      { role: 'user', content: 'turns' },
    ]);
  });

  it('to a chat that is gone is refused', () => {
    const { service } = app();
    expect(() => service.send({ chatId: 'nope', text: 'say x' })).toThrow(/does not exist/);
  });
});

describe('stop', () => {
  it('keeps the text so far, and the next question is answered', async () => {
    const { service, ended, began } = app();
    const chat = storage.chats.create();
    const { answer } = service.send({ chatId: chat.id, text: 'say half |an answer\nwait 60000\nsay never' });
    await began(answer.id);
    service.stop(answer.id);
    expect(await ended(answer.id)).toMatchObject({ state: 'stopped', text: 'half an answer' });
    expect(await ended(service.send({ chatId: chat.id, text: 'say next' }).answer.id)).toMatchObject({
      state: 'complete',
      text: 'next',
    });
  });

  it('before the first token', async () => {
    const { service, ended, told, until } = app();
    const chat = storage.chats.create();
    const { answer } = service.send({ chatId: chat.id, text: 'wait 60000' });
    await until(() => told.some((event) => event.type === 'prefill'));
    service.stop(answer.id);
    expect(await ended(answer.id)).toMatchObject({ state: 'stopped', text: '' });
  });

  it('while it waits for the engine', async () => {
    const { service, ended } = app({}, false);
    const chat = storage.chats.create();
    const { answer } = service.send({ chatId: chat.id, text: 'say x' });
    service.stop(answer.id);
    expect(await ended(answer.id)).toMatchObject({ state: 'stopped', text: '' });
    engine.start();
    expect((await ended(service.send({ chatId: chat.id, text: 'say y' }).answer.id)).text).toBe('y');
  });

  it('while another answer is being computed', async () => {
    const { service, ended, began, messages } = app();
    const chat = storage.chats.create();
    const first = service.send({ chatId: chat.id, text: 'say one\nwait 60000' }).answer.id;
    const second = service.send({ chatId: chat.id, text: 'say two' }).answer.id;
    await began(first);
    service.stop(second);
    expect(await ended(second)).toMatchObject({ state: 'stopped', text: '' });
    expect(messages(first)).toEqual([]);
    service.stop(first);
    expect(await ended(first)).toMatchObject({ state: 'stopped', text: 'one' });
    expect(messages(second)).toHaveLength(1);
  });

  it('of an engine that hangs ends the engine, and the next question works', async () => {
    const { service, ended, began, processes } = app();
    const chat = storage.chats.create();
    const { answer } = service.send({ chatId: chat.id, text: 'say stuck\nhang' });
    await began(answer.id);
    service.stop(answer.id);
    expect(await ended(answer.id)).toMatchObject({ state: 'stopped', text: 'stuck' });
    expect((await ended(service.send({ chatId: chat.id, text: 'say free' }).answer.id)).text).toBe('free');
    expect(processes.pids).toHaveLength(2);
  });

  it('of what has ended, or never was, does nothing', async () => {
    const { service, ended, messages } = app();
    const chat = storage.chats.create();
    const { answer } = service.send({ chatId: chat.id, text: 'say x' });
    await ended(answer.id);
    service.stop(answer.id);
    service.stop('unknown');
    expect(messages(answer.id)).toHaveLength(1);
    expect(storage.messages.find(answer.id)?.state).toBe('complete');
  });
});

describe('several chats', () => {
  it('neither cancel nor mix: questions wait for each other', async () => {
    const { service, ended, deltas } = app();
    const [a, b] = [storage.chats.create(), storage.chats.create()];
    const first = service.send({ chatId: a.id, text: 'say a1\nwait 100\nsay a2' }).answer;
    const second = service.send({ chatId: b.id, text: 'say b1' }).answer;
    const third = service.send({ chatId: a.id, text: 'turns' }).answer;
    expect(await ended(second.id)).toMatchObject({ text: 'b1', chatId: b.id });
    expect(await ended(first.id)).toMatchObject({ text: 'a1a2', chatId: a.id });
    expect((await ended(third.id)).text).toContain('a1a2');
    for (const event of deltas(first.id)) expect(event.chatId).toBe(a.id);
  });

  it('a chat that is deleted stops its answer and leaves nothing', async () => {
    const { service, ended, began, messages } = app();
    const [a, b] = [storage.chats.create(), storage.chats.create()];
    const { answer } = service.send({ chatId: a.id, text: 'say x\nwait 60000' });
    await began(answer.id);
    storage.chats.erase([a.id]);
    service.stopIn([a.id]);
    expect((await ended(service.send({ chatId: b.id, text: 'say y' }).answer.id)).text).toBe('y');
    expect(messages(answer.id)).toEqual([]);
    expect(storage.messages.find(answer.id)).toBeUndefined();
  });
});

describe('an engine that dies', () => {
  it('mid-answer: the text so far is kept, the reason is said, the next question works', async () => {
    const { service, ended, statuses } = app();
    const chat = storage.chats.create();
    const { answer } = service.send({ chatId: chat.id, text: 'say so far\nwait 50\nsignal SIGSEGV' });
    const message = await ended(answer.id);
    expect(message).toMatchObject({ state: 'failed', text: 'so far', error: { kind: 'engine-crashed' } });
    expect(message.error).not.toHaveProperty('detail');
    expect(statuses().some((status) => status.state === 'failed' && !status.final)).toBe(true);
    expect(await ended(service.send({ chatId: chat.id, text: 'say back' }).answer.id)).toMatchObject({
      state: 'complete',
      text: 'back',
    });
    expect(statuses().at(-1)).toMatchObject({ state: 'ready' });
  });

  it('on every load: says so finally; a question starts it again', async () => {
    const { service, ended, statuses, until, current, processes } = app({ dieOnLoad: 3 });
    const chat = storage.chats.create();
    await until(() => statuses().some((status) => status.state === 'failed' && status.final));
    expect(processes.pids).toHaveLength(4);
    delete current.dieOnLoad;
    expect((await ended(service.send({ chatId: chat.id, text: 'say alive' }).answer.id)).text).toBe('alive');
  });
});

describe('an engine that ends while a device is at work', () => {
  it('is asked again without the device: one answer, nothing of the first try, and the reason', async () => {
    const { service, messages, until, deltas, processes, statuses } = app();
    const chat = storage.chats.create();
    const { answer } = service.send({ chatId: chat.id, text: 'say half\ncrash-on EP:NPU:0\nsay  whole' });
    const done = () => messages(answer.id).some(({ state }) => state !== 'streaming');
    await until(done);
    const message = storage.messages.find(answer.id);
    expect(message).toMatchObject({ state: 'complete', text: 'half whole' });
    const [problem, ...others] = message?.result?.deviceProblems ?? [];
    expect(problem).toMatchObject({ device: 'EP:NPU:0', part: 'linear' });
    expect(english(problem?.reason ?? '')).toMatch(/EP:NPU:0 was at work/);
    expect(others).toEqual([]);
    expect(message?.error).toBeUndefined();
    // The window starts over, too.
    expect(messages(answer.id)[0]).toMatchObject({ state: 'streaming', text: '' });
    const again = deltas(answer.id).filter(({ offset }) => offset === 0);
    expect(again.length).toBe(2);
    expect(processes.pids).toHaveLength(2);
    expect(statuses().at(-1)).toMatchObject({ state: 'ready' });
  });

  it('and ends again on another: the answer fails like after any crash', async () => {
    const { service, messages, until, processes } = app();
    const { answer } = service.send({
      chatId: storage.chats.create().id,
      text: 'crash-on EP:NPU:0\ncrash-on EP:GPU:0\nsay x',
    });
    await until(() => messages(answer.id).some(({ state }) => state !== 'streaming'));
    expect(storage.messages.find(answer.id)).toMatchObject({ state: 'failed', error: { kind: 'engine-crashed' } });
    expect(processes.pids).toHaveLength(2);
  });

  it('is started anew after an answer in which a device hung', async () => {
    const { service, ended, until, processes, statuses } = app();
    const chat = storage.chats.create();
    await ended(service.send({ chatId: chat.id, text: 'hung EP:NPU:0\nsay x' }).answer.id);
    await until(() => processes.pids.length === 2 && statuses().at(-1)?.state === 'ready');
    expect(statuses().some(({ state }) => state === 'failed')).toBe(false);
    expect((await ended(service.send({ chatId: chat.id, text: 'say y' }).answer.id)).text).toBe('y');
  });
});

describe('a chat that is longer than the context', () => {
  it('loses its oldest exchanges for the model, not on disk, and says how many', async () => {
    const { service, ended } = app({ limit: 160 });
    storage.settings.set({ systemPrompt: 'System.', atLimit: 'drop-oldest' });
    const chat = storage.chats.create();
    for (let i = 1; i <= 4; i += 1)
      await ended(service.send({ chatId: chat.id, text: `say ${'x'.repeat(9)}${i}` }).answer.id);
    const message = await ended(service.send({ chatId: chat.id, text: `turns\n${'z'.repeat(40)}` }).answer.id);
    const turns = JSON.parse(message.text) as { role: string; content: string }[];
    expect(message.omitted).toBe(4);
    expect(turns[0]).toEqual({ role: 'system', content: 'System.' });
    expect(turns.map((turn) => turn.content.slice(-1)).join('')).toBe('.3344z');
    expect(storage.messages.list(chat.id)).toHaveLength(10);
  });

  it('with one question that is too long is refused in words', async () => {
    const { service, ended } = app({ limit: 20 });
    const chat = storage.chats.create();
    const message = await ended(service.send({ chatId: chat.id, text: `say ${'x'.repeat(50)}` }).answer.id);
    expect(message).toMatchObject({ state: 'failed', text: '', error: { kind: 'context-overflow' } });
  });
});

describe('the model', () => {
  it('is loaded at the start, with its progress told', async () => {
    const { until, statuses } = app();
    await until(() => statuses().some((status) => status.state === 'ready'));
    expect(statuses().map((status) => status.state)).toEqual(['loading', 'loading', 'loading', 'ready']);
    expect(statuses().at(-1)).toMatchObject({ model: { id: 'm', weights: 'fast' } });
  });

  it('is imported from its file where the wanted weights are not there yet', async () => {
    const { until, statuses } = app({ models: [model('m', { weights: ['exact'], sourcePath: '/models/m.gguf' })] });
    await until(() => statuses().some((status) => status.state === 'ready'));
    expect(statuses().at(-1)).toMatchObject({ model: { id: '/models/m.gguf' } });
  });

  it('that is broken is passed over; without any the user is told what to do, and it is looked for again', async () => {
    const problem = { kind: 'model-invalid' as const, message: 'It is cut off.' };
    const { keeper, until, statuses, service, ended } = app({ models: [model('bad', { problem })] });
    await until(() => statuses().length > 0);
    expect(statuses()[0]).toMatchObject({ state: 'no-model' });
    expect(JSON.stringify(statuses()[0])).toMatch(/"bad.*cut off.*\/models/);
    const failed = await ended(service.send({ chatId: storage.chats.create().id, text: 'say x' }).answer.id);
    expect(failed).toMatchObject({ state: 'failed', error: { kind: 'model-missing' } });
    expect(keeper.status.state).toBe('no-model');
  });

  it('chosen by the user is kept, and loaded after the answer that is under way', async () => {
    const { settings, service, ended, began, statuses, until } = app({ models: [model('m'), model('n')] });
    const chat = storage.chats.create();
    const { answer } = service.send({ chatId: chat.id, text: 'say x\nwait 100\nsay y' });
    await began(answer.id);
    await settings.load('n');
    expect(storage.settings.get().modelId).toBe('n');
    expect((await ended(answer.id)).text).toBe('xy');
    await until(() => statuses().some((status) => status.state === 'ready' && status.model.id === 'n'));
    await expect(settings.load('nope')).rejects.toMatchObject({ kind: 'model-missing' });
  });

  it('is loaded anew once devices have been measured and one of them does better', async () => {
    const { until, statuses, processes } = app({ unmeasured: true });
    const isReadyOn = (device: string) =>
      statuses().some((status) => status.state === 'ready' && status.model.device === device);
    await until(() => isReadyOn('NPU'));
    expect(isReadyOn('CPU')).toBe(true);
    expect(processes.pids).toHaveLength(1);
  });

  it('gives its memory back when it is told to, and is loaded again for the next question', async () => {
    const { keeper, service, ended, statuses } = app();
    await keeper.ensure();
    await keeper.unload();
    expect(keeper.status).toEqual({ state: 'unloaded', modelName: 'm' });
    await keeper.unload();
    expect(statuses().filter(({ state }) => state === 'unloaded')).toHaveLength(1);
    const message = await ended(service.send({ chatId: storage.chats.create().id, text: 'say x' }).answer.id);
    expect(message).toMatchObject({ state: 'complete', text: 'x' });
    expect(keeper.status.state).toBe('ready');
  });

  it('that is removed gives way to another, the last one to none', async () => {
    const { keeper, statuses, until } = app({ models: [model('m'), model('n')] });
    await until(() => statuses().some((status) => status.state === 'ready' && status.model.id === 'm'));
    await keeper.remove('m');
    await until(() => statuses().some((status) => status.state === 'ready' && status.model.id === 'n'));
    await keeper.remove('n');
    await until(() => statuses().at(-1)?.state === 'no-model');
  });

  it('of another program is not imported unasked', async () => {
    const found = model('found', { weights: [], origin: 'ollama', sourcePath: '/blobs/sha256-1' });
    const { settings, statuses, until } = app({ models: [found] });
    await until(() => statuses().at(-1)?.state === 'no-model');
    await settings.load('found');
    await until(() => statuses().at(-1)?.state === 'ready');
  });

  it('that cannot be loaded fails the question with its reason', async () => {
    const loadError = { kind: 'model-unsupported' as const, message: 'Not this one.', detail: 'inner' };
    const { service, ended, keeper } = app({ loadError });
    const message = await ended(service.send({ chatId: storage.chats.create().id, text: 'say x' }).answer.id);
    expect(message.error).toEqual({ kind: 'model-unsupported', message: 'Not this one.' });
    expect(keeper.status).toEqual({
      state: 'failed',
      error: { kind: 'model-unsupported', message: 'Not this one.' },
      final: true,
    });
  });
});

describe('the app', () => {
  it('that ends mid-answer keeps the text as stopped', async () => {
    const { service, began, deltas } = app();
    const chat = storage.chats.create();
    const { answer } = service.send({ chatId: chat.id, text: 'say one|two\nwait 60000' });
    await began(answer.id);
    service.shutDown();
    const text = deltas(answer.id)
      .map((event) => event.delta)
      .join('');
    expect(storage.messages.find(answer.id)).toMatchObject({ state: 'stopped', text });
  });

  it('that is killed mid-answer has saved the text so far', async () => {
    const { service, began } = app();
    const { answer } = service.send({ chatId: storage.chats.create().id, text: 'say kept\nwait 60000' });
    await began(answer.id);
    await new Promise((resolve) => setTimeout(resolve, 300));
    const other = openStorage(folder);
    expect(other.messages.find(answer.id)).toMatchObject({ state: 'stopped', text: 'kept' });
    other.close();
  });

  it('tells of settings, and what each was before', () => {
    const { settings, told, themes } = app({}, false);
    settings.set({ theme: 'dark' });
    settings.set({ theme: 'dark', temperature: 1 });
    expect(themes).toEqual([
      ['system', 'dark'],
      ['dark', 'dark'],
    ]);
    expect(told.filter((event) => event.type === 'settings')).toHaveLength(2);
  });
});
