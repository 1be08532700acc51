import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EngineProcess } from '../engine-process.ts';
import { openStorage, type Storage } from '../storage/storage.ts';
import { chatApp } from './testing/chat-app.ts';
import type { Script } from './testing/spawn-scripted.ts';

let folder: string;
let storage: Storage;
let engine: EngineProcess;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'branches-'));
  storage = openStorage(folder);
});
afterEach(async () => {
  await engine.stop();
  storage.close();
  rmSync(folder, { recursive: true, force: true });
});

function app(script: Script = {}) {
  const opened = chatApp(storage, script);
  engine = opened.engine;
  return opened;
}
const texts = (chatId: string) => storage.messages.list(chatId).map(({ text }) => text);
const leaves = (told: ReturnType<typeof app>['told']) =>
  told.flatMap((event) => (event.type === 'branch' ? [event.leafId] : []));

describe('a question that is edited', () => {
  it('begins a branch: the model sees that one only, and both can be shown', async () => {
    const { service, ask, told } = app();
    const chat = storage.chats.create();
    const one = await ask(chat.id, 'say one');
    const two = await ask(chat.id, 'say two');
    const edited = await ask(chat.id, 'turns', { after: one.answer.id });
    expect(JSON.parse(edited.answer.text).map(({ content }: { content: string }) => content)).toEqual([
      'say one',
      'one',
      'turns',
    ]);
    expect(storage.messages.list(chat.id)[2]?.siblings).toEqual([two.question.id, edited.question.id]);
    const shown = service.select(two.question.id);
    expect(shown.map(({ text }) => text)).toEqual(['say one', 'one', 'say two', 'two']);
    expect(leaves(told)).toEqual([one.answer.id, two.answer.id, edited.answer.id, two.answer.id]);
  });

  it('hangs only after an answer of its own chat, or at the beginning', async () => {
    const { service, ask } = app();
    const [a, b] = [storage.chats.create(), storage.chats.create()];
    const { question, answer } = await ask(a.id, 'say a');
    expect(() => service.send({ chatId: b.id, text: 'say x', after: answer.id })).toThrow(/another chat/);
    expect(() => service.send({ chatId: a.id, text: 'say x', after: question.id })).toThrow(/no answer/);
    await ask(a.id, 'say again', { after: null });
    expect(texts(a.id)).toEqual(['say again', 'again']);
  });

  it('while the shown branch is another one by then, is answered on its own branch', async () => {
    const { service, ask, ended } = app();
    const chat = storage.chats.create();
    const one = await ask(chat.id, 'say one');
    const slow = service.send({ chatId: chat.id, text: 'wait 100\nturns' });
    service.send({ chatId: chat.id, text: 'say other', after: null });
    service.select(one.question.id);
    service.select(slow.question.id);
    const turns = JSON.parse((await ended(slow.answer.id)).text);
    expect(turns).toHaveLength(3);
  });
});

describe('another answer', () => {
  it('is a sibling; one that still streams is stopped first', async () => {
    const { service, ended, began } = app();
    const chat = storage.chats.create();
    const { answer } = service.send({ chatId: chat.id, text: 'say half\nwait 60000' });
    await began(answer.id);
    const again = service.regenerate(answer.id).answer;
    expect(await ended(answer.id)).toMatchObject({ state: 'stopped', text: 'half' });
    await began(again.id);
    service.stop(again.id);
    await ended(again.id);
    const shown = storage.messages.list(chat.id);
    expect(shown.at(-1)?.id).toBe(again.id);
    expect(shown.at(-1)?.siblings).toEqual([answer.id, again.id]);
  });

  it('needs a question', async () => {
    const { service, ask } = app();
    const chat = storage.chats.create();
    const { question } = await ask(chat.id, 'say x');
    expect(() => service.regenerate(question.id)).toThrow(/no answer/);
    expect(() => service.regenerate('nope')).toThrow(/does not exist/);
  });
});

describe('an answer that goes on', () => {
  it('keeps its text, adds to it, and sums its figures', async () => {
    const { service, ask, ended, deltas, messages } = app();
    const chat = storage.chats.create();
    const { answer } = await ask(chat.id, 'say one|two\nfull');
    expect(answer.result).toMatchObject({ finishReason: 'length', completionTokens: 2 });
    expect(service.continue(answer.id).answer).toMatchObject({ id: answer.id, text: 'onetwo', state: 'streaming' });
    const whole = await ended(answer.id);
    expect(whole).toMatchObject({ state: 'complete', text: 'onetwo [after onetwo]' });
    // Two tokens in a second, then one in a second.
    expect(whole.result).toMatchObject({
      finishReason: 'stop',
      completionTokens: 3,
      promptTokens: 'say one|two\nfull'.length,
      decode: { seconds: 2, tokensPerSecond: 1.5 },
    });
    expect(messages(answer.id).map(({ state }) => state)).toEqual(['complete', 'streaming', 'complete']);
    expect(deltas(answer.id).at(-1)).toMatchObject({ offset: 6, delta: ' [after onetwo]' });
    expect(texts(chat.id)).toHaveLength(2);
  });

  it('was stopped or has failed with text', async () => {
    const { service, ask, ended, began } = app();
    const chat = storage.chats.create();
    const { answer } = service.send({ chatId: chat.id, text: 'say half\nwait 60000' });
    await began(answer.id);
    service.stop(answer.id);
    await ended(answer.id);
    service.continue(answer.id);
    expect(await ended(answer.id)).toMatchObject({ state: 'complete', text: 'half [after half]' });
    const crashed = (await ask(chat.id, 'say so far\nwait 50\ndie 1')).answer;
    expect(crashed).toMatchObject({ state: 'failed', text: 'so far' });
    service.continue(crashed.id);
    const whole = await ended(crashed.id);
    expect(whole).toMatchObject({ state: 'complete', text: 'so far [after so far]' });
    expect(whole).not.toHaveProperty('error');
  });

  it('is refused where it is whole, empty, or has been followed by a question', async () => {
    const { service, ask } = app();
    const chat = storage.chats.create();
    const whole = (await ask(chat.id, 'say x')).answer;
    expect(() => service.continue(whole.id)).toThrow(/cannot go on/);
    const empty = (await ask(chat.id, 'die 1')).answer;
    expect(() => service.continue(empty.id)).toThrow(/cannot go on/);
    const cut = (await ask(chat.id, 'say y\nfull')).answer;
    await ask(chat.id, 'say z');
    expect(() => service.continue(cut.id)).toThrow(/followed by a question/);
  });

  it('and is killed again has kept everything so far', async () => {
    const { service, ask, ended } = app();
    const chat = storage.chats.create();
    const { answer } = await ask(chat.id, 'say one\nfull');
    service.continue(answer.id);
    service.stop(answer.id);
    const text = (await ended(answer.id)).text;
    expect(text.startsWith('one')).toBe(true);
    expect(storage.messages.find(answer.id)?.text).toBe(text);
  });
});

describe("a chat's options", () => {
  it('go before the preset, which goes before the settings', async () => {
    const { ask, presets } = app();
    const chat = storage.chats.create();
    storage.settings.set({ systemPrompt: 'Settings.', temperature: 0.3 });
    const seen = async () => JSON.parse((await ask(chat.id, 'sampling')).answer.text);
    const system = async () => JSON.parse((await ask(chat.id, 'turns')).answer.text)[0];
    expect(await seen()).toMatchObject({ temperature: 0.3, topK: 40, maxTokens: 2048, stop: [] });
    expect(await system()).toEqual({ role: 'system', content: 'Settings.' });
    const sampling = { temperature: 1, topK: 5 };
    const { id: presetId } = presets.save(null, { name: 'p', systemPrompt: 'Preset.', sampling });
    storage.chats.change(chat.id, { options: { presetId, sampling: { topK: 7, stop: ['END'] } } });
    expect(await seen()).toMatchObject({ temperature: 1, topK: 7, topP: 0.9, stop: ['END'] });
    expect(await system()).toEqual({ role: 'system', content: 'Preset.' });
    storage.chats.change(chat.id, { options: { presetId, systemPrompt: '' } });
    expect((await system()).role).toBe('user');
    presets.remove(presetId);
    expect(await seen()).toMatchObject({ temperature: 0.3 });
  });
});

describe('presets', () => {
  it('of the app come first and stay as they are', () => {
    const { presets, told } = app();
    const own = presets.save(null, { name: 'Mine' });
    expect(presets.list().at(-1)).toEqual(own);
    const [first] = presets.list();
    expect(first?.builtIn).toBe(true);
    expect(() => presets.save(first?.id ?? '', { name: 'x' })).toThrow(/comes with the app/);
    presets.remove(first?.id ?? '');
    presets.remove(own.id);
    expect(presets.list()[0]).toEqual(first);
    expect(told.filter(({ type }) => type === 'presets')).toHaveLength(3);
  });
});

describe('titles by the model', () => {
  const titles = (told: ReturnType<typeof app>['told']) =>
    told.flatMap((event) => (event.type === 'chat' && event.chat.autoTitled ? [event.chat.title] : []));

  it('come after the first answer, without quotation marks', async () => {
    const { ask, told, until } = app({ title: 'say Title: "Rome in spring."' });
    const chat = storage.chats.create();
    await ask(chat.id, 'say one');
    expect(storage.chats.get(chat.id)).toMatchObject({ title: 'say one' });
    await until(() => titles(told).length > 0);
    expect(storage.chats.get(chat.id)).toMatchObject({ title: 'Rome in spring', autoTitled: true });
    await ask(chat.id, 'say two');
    expect(titles(told).at(-1)).toBe('Rome in spring');
  });

  it('give way to the next question, and come later', async () => {
    const { ask, told, until, current, renew } = app({ title: 'wait 60000' });
    const chat = storage.chats.create();
    await ask(chat.id, 'say one');
    expect((await ask(chat.id, 'say two')).answer.text).toBe('two');
    expect(titles(told)).toEqual([]);
    current.title = 'say Later';
    await renew();
    await ask(chat.id, 'say three');
    await until(() => titles(told).length > 0);
    expect(storage.chats.get(chat.id).title).toBe('Later');
  });

  it('do not touch a title by a person, nor one that is no title, nor come when they are off', async () => {
    const { ask, told, current } = app({ title: 'say First sentence. Second sentence.' });
    const chat = storage.chats.create();
    await ask(chat.id, 'say one');
    const renamed = storage.chats.create();
    const { answer } = await ask(renamed.id, 'say x');
    expect(answer.text).toBe('x');
    storage.chats.change(renamed.id, { title: 'Mine' });
    storage.settings.set({ autoTitle: false });
    current.title = 'say Fine';
    await ask(storage.chats.create().id, 'say y');
    await ask(storage.chats.create().id, 'say z');
    expect(titles(told)).toEqual([]);
    expect(storage.chats.get(chat.id).title).toBe('say one');
    expect(storage.chats.get(renamed.id).title).toBe('Mine');
  });
});
