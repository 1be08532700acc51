import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EngineProcess } from '../engine-process.ts';
import { openStorage, type Storage } from '../storage/storage.ts';
import { condenseCount } from './condense.ts';
import { chatApp } from './testing/chat-app.ts';
import type { Script } from './testing/spawn-scripted.ts';

let folder: string;
let storage: Storage;
let engine: EngineProcess;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'limit-'));
  storage = openStorage(folder);
});
afterEach(async () => {
  await engine.stop();
  storage.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A character is a token; a quarter of the context is kept for the answer. */
function app(script: Script = {}) {
  const opened = chatApp(storage, { limit: 2400, ...script });
  engine = opened.engine;
  return opened;
}
const x = (count: number) => 'x'.repeat(count);

/** A chat with four exchanges of 400 tokens each, and a question that is too much; 1,888 tokens fit. */
async function full(script: Script = {}) {
  const opened = app(script);
  const chat = storage.chats.create();
  storage.settings.set({ systemPrompt: 'System.' });
  const past = [];
  for (const letter of ['a', 'b', 'c', 'd']) {
    past.push(await opened.ask(chat.id, `say ${letter}${x(196)}${letter}`));
  }
  const failed = await opened.ask(chat.id, `turns\n${x(400)}`);
  return { ...opened, chat, past, failed };
}
const first = (text: string) =>
  (JSON.parse(text) as { content: string }[]).map(({ content }) => content.replace('say ', '').slice(0, 1)).join('');

describe('a conversation that is too long', () => {
  it('is not cut silently: the answer says by how much, and what can be done', async () => {
    const { failed, chat } = await full();
    expect(failed.answer).toMatchObject({
      state: 'failed',
      text: '',
      error: { kind: 'context-overflow' },
      limit: { needed: 7 + 4 * 400 + 406, available: 1888, choices: ['drop-oldest', 'condense', 'new-chat'] },
    });
    expect(failed.answer.error?.message).toContain('2013');
    expect(storage.messages.list(chat.id).at(-1)?.limit).toEqual(failed.answer.limit);
  });

  it('goes on without its oldest exchanges, from then on', async () => {
    const { service, ended, failed, chat, told, ask } = await full();
    service.resolve(failed.answer.id, 'drop-oldest');
    const answer = await ended(failed.answer.id);
    expect(answer).toMatchObject({ state: 'complete', omitted: 2 });
    expect(answer).not.toHaveProperty('limit');
    expect(first(answer.text)).toBe('Sbbccddt');
    expect(storage.chats.get(chat.id).options).toEqual({ atLimit: 'drop-oldest' });
    expect(told.some((event) => event.type === 'chat' && event.chat.options?.atLimit === 'drop-oldest')).toBe(true);
    expect((await ask(chat.id, 'say more')).answer).toMatchObject({ state: 'complete' });
  });

  it('is condensed: a note by the model stands for its beginning, and stays', async () => {
    const { service, ended, failed, past, told, ask, chat } = await full({ note: 'say So far: letters.' });
    const { chatId } = service.resolve(failed.answer.id, 'condense');
    expect(chatId).toBe(chat.id);
    const answer = await ended(failed.answer.id);
    expect(answer).toMatchObject({ state: 'complete' });
    expect(answer).not.toHaveProperty('omitted');
    const turns = JSON.parse(answer.text) as { role: string; content: string }[];
    // 60 % of 1,888 less the note, the system prompt and the question leave room for one exchange.
    expect(turns.map(({ role, content }) => [role, content.slice(0, 24)])).toEqual([
      ['system', 'System.'],
      ['user', 'Summarise our conversati'],
      ['assistant', 'So far: letters.'],
      ['user', turns.at(-1)?.content.slice(0, 24)],
    ]);
    const noted = storage.messages.list(chat.id).filter(({ note }) => note !== undefined);
    expect(noted.map(({ id, note }) => [id, note])).toEqual([[past[3]?.answer.id, 'So far: letters.']]);
    expect(told.some((event) => event.type === 'message' && event.message.note !== undefined)).toBe(true);
    expect(told.some((event) => event.type === 'prefill' && event.purpose === 'note')).toBe(true);
    const next = JSON.parse((await ask(chat.id, 'turns')).answer.text) as { content: string }[];
    expect(next[2]?.content).toBe('So far: letters.');
    expect(storage.messages.list(chat.id)).toHaveLength(12);
  });

  it('goes on in a new chat that begins with the note', async () => {
    const { service, ended, failed, chat, deltas } = await full({ note: 'say So far|: letters.' });
    storage.chats.change(chat.id, { options: { sampling: { topK: 3 } } });
    const { chatId, answer } = service.resolve(failed.answer.id, 'new-chat');
    expect(chatId).not.toBe(chat.id);
    const [opening] = storage.messages.list(chatId);
    expect(opening).toMatchObject({ role: 'assistant', parentId: null, state: 'streaming' });
    expect(first((await ended(answer.id)).text)).toBe('SSSt');
    expect(storage.messages.list(chatId).map(({ text }) => text.slice(0, 16))).toEqual([
      'So far: letters.',
      `turns\n${x(10)}`,
      answer.text === '' ? storage.messages.find(answer.id)?.text.slice(0, 16) : '',
    ]);
    expect(
      deltas(opening?.id ?? '')
        .map(({ delta }) => delta)
        .join(''),
    ).toBe('So far: letters.');
    expect(storage.chats.get(chatId).options).toEqual({ sampling: { topK: 3 } });
    // The old chat is as it was.
    expect(storage.messages.find(failed.answer.id)).toEqual(failed.answer);
  });

  it('is condensed in parts where it does not fit as a whole', async () => {
    const { service, ended, failed, current, renew } = await full({ note: 'say Part.' });
    // The context is smaller now, as with another model.
    current.limit = 1200;
    await renew();
    service.resolve(failed.answer.id, 'condense');
    const answer = await ended(failed.answer.id);
    expect(answer).toMatchObject({ state: 'complete' });
    expect(JSON.parse(answer.text)[2].content).toBe('Part.');
  });

  it('can be stopped while it is condensed, and says so where the model writes nothing', async () => {
    const { service, ended, failed, told, until, chat } = await full({ note: 'wait 60000' });
    service.resolve(failed.answer.id, 'condense');
    await until(() => told.some((event) => event.type === 'prefill' && event.purpose === 'note'));
    service.stop(failed.answer.id);
    expect(await ended(failed.answer.id)).toMatchObject({ state: 'stopped', text: '' });
    expect(storage.messages.list(chat.id).some(({ note }) => note !== undefined)).toBe(false);
    const again = await ended(service.regenerate(failed.answer.id).answer.id);
    expect(again.limit?.choices).toContain('condense');
  });

  it('and a model that writes nothing: says so', async () => {
    const { service, ended, failed } = await full();
    service.resolve(failed.answer.id, 'new-chat');
    const { answer } = service.resolve(failed.answer.id, 'new-chat');
    expect(await ended(answer.id)).toMatchObject({ state: 'failed', error: { kind: 'bad-input' } });
    const [opening] = storage.messages.list(answer.chatId);
    expect(opening).toMatchObject({ state: 'failed' });
  });
});

describe('a question that alone is too long', () => {
  it('says so with numbers and offers nothing that would not help', async () => {
    const { ask, service } = app();
    const chat = storage.chats.create();
    await ask(chat.id, 'say a');
    const { answer } = await ask(chat.id, x(2000));
    expect(answer.limit).toEqual({ needed: 2006, available: 1888, choices: [] });
    expect(answer.error?.message).toMatch(/alone .* 2006 tokens, and 1888 fit/);
    expect(() => service.resolve(answer.id, 'condense')).toThrow(/does not help/);
    expect(() => service.resolve(answer.id, 'drop-oldest')).toThrow(/does not help/);
  });
});

describe('how much is condensed', () => {
  it.each([
    // 60 % of 1,000 less what stays.
    [[100, 100, 100, 100], 320, 2],
    [[100, 100, 100, 100], 500, 3],
    [[100], 320, 1],
    [[50, 50], 320, 1],
    [[900, 10], 320, 1],
    [[10, 900], 320, 2],
    [[], 320, 0],
  ])('of %j beside %d tokens: %d', (sizes, others, count) => {
    expect(condenseCount(sizes, others, 1000)).toBe(count);
  });
});

describe('the measure of a question', () => {
  it('is null without a model, and counts every part with one', async () => {
    const { meter, keeper, ask } = app();
    storage.settings.set({ systemPrompt: 'System.' });
    expect(await meter.measure({ chatId: null, text: 'x' })).toBeNull();
    await keeper.ensure();
    const chat = storage.chats.create();
    const empty = await meter.measure({ chatId: chat.id, text: 'four' });
    // The stand-in for the question is one token.
    const none = { attachments: 0, reserve: 512, contextSize: 2400, fits: true };
    expect(empty).toEqual({ system: 8, history: 0, draft: 4, ...none });
    await ask(chat.id, 'say abc');
    expect(await meter.measure({ chatId: chat.id, text: '' })).toEqual({ system: 8, history: 10, draft: 0, ...none });
    const file = storage.attachments.add(chat.id, 'f', 3);
    storage.attachments.finish(file.id, { state: 'ready', text: x(100), bytes: 3, sha256: '' });
    const measured = await meter.measure({ chatId: chat.id, text: '', attachments: [file.id, 'unknown'] });
    // The file's text in its fence, under its name.
    expect(measured?.attachments).toBe(`File "f":\n\`\`\`\n${x(100)}\n\`\`\``.length);
  });

  it('says what will happen at the limit', async () => {
    const { meter, chat } = await full();
    const text = x(400);
    const asked = await meter.measure({ chatId: chat.id, text });
    expect(asked).toMatchObject({ system: 8, history: 1600, draft: 400, fits: false });
    storage.chats.change(chat.id, { options: { atLimit: 'drop-oldest' } });
    expect(await meter.measure({ chatId: chat.id, text })).toMatchObject({ history: 1200, fits: true, omitted: 2 });
    expect(await meter.measure({ chatId: chat.id, text: x(2000) })).toMatchObject({ fits: false });
  });

  it('does not count again what has not changed', async () => {
    const { meter, chat, keeper, ask, past } = await full();
    await keeper.ensure();
    const counted: number[] = [];
    const count = engine.countTokens.bind(engine);
    engine.countTokens = (items) => {
      counted.push(items.length);
      return count(items);
    };
    await meter.measure({ chatId: chat.id, text: 'a' });
    const before = counted.length;
    await meter.measure({ chatId: chat.id, text: 'ab' });
    expect(counted.length - before).toBe(1);
    // Messages have changed: they are counted anew.
    const edited = await ask(chat.id, 'say e', { after: past[0]?.answer.id });
    expect(edited.answer.text).toBe('e');
    expect(await meter.measure({ chatId: chat.id, text: 'ab' })).toMatchObject({ history: 406, fits: true });
    const { id: after } = past[1]?.answer ?? { id: '' };
    expect(await meter.measure({ chatId: chat.id, text: 'ab', after })).toMatchObject({ history: 800 });
    expect(await meter.measure({ chatId: chat.id, text: 'ab', after: null })).toMatchObject({ history: 0 });
  });
});
