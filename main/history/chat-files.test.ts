import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AppEvent } from '../../contract/channels.ts';
import { AppError } from '../../contract/errors.ts';
import { said } from '../../contract/phrase.ts';
import { openStorage, type Storage } from '../storage/storage.ts';
import { ChatFiles } from './chat-files.ts';

let folder: string;
let storage: Storage;
let events: AppEvent[];

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'chat files 对话 '));
  storage = openStorage(path.join(folder, 'a'));
  events = [];
});
afterEach(() => {
  storage.close();
  rmSync(folder, { recursive: true, force: true });
});

const at = (name: string) => path.join(folder, name);

function files(to: Storage, more: { target?: string; sources?: string[] } = {}): ChatFiles {
  return new ChatFiles({
    storage: to,
    emit: (event) => events.push(event),
    chooseTarget: async () => more.target,
    chooseSources: async () => more.sources ?? [],
  });
}

async function failure(work: Promise<unknown>): Promise<AppError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof AppError) return error;
  throw new Error('no AppError was thrown');
}

/** A chat with two versions of its question, an attachment, a folder and an answer that failed. */
function seeded(): string {
  const { id: folderId } = storage.folders.create('Travel 旅行');
  const chat = storage.chats.create({ folderId }, 1000);
  const first = storage.messages.addExchange({ chatId: chat.id, text: 'Rome\u2028or "Paris"?', parentId: null }, 1001);
  storage.messages.finish(first.answer.id, { text: '**Rome**\n\n```\na\n```', state: 'complete' });
  const second = storage.messages.addExchange({ chatId: chat.id, text: '去罗马吗？😀', parentId: null }, 1002);
  const error = { kind: 'engine-crashed', message: 'It ended.' } as const;
  storage.messages.finish(second.answer.id, { text: 'half', state: 'failed', error });
  storage.chats.change(chat.id, { title: 'Trip: a/b', pinned: true });
  return chat.id;
}

describe('export and import', () => {
  it('bring a chat over whole: branches, folder, figures, every character', async () => {
    const id = seeded();
    expect(await files(storage, { target: at('all.json') }).export(null, 'json')).toBe('all.json');
    expect(readdirSync(folder).sort()).toEqual(['a', 'all.json']);
    expect(JSON.parse(readFileSync(at('all.json'), 'utf8'))).toMatchObject({ format: 'shadownpu-chats', version: 1 });

    const other = openStorage(at('b'));
    const summary = await files(other, { sources: [at('all.json')] }).import();
    expect(summary).toEqual({ chats: 1, messages: 4, known: 0, skipped: [] });
    expect(events.map(({ type }) => type)).toEqual(['folders', 'chats-changed']);
    const [chat] = other.chats.list();
    expect(chat).toMatchObject({ title: 'Trip: a/b', pinned: true, createdAt: 1000 });
    expect(chat?.id).not.toBe(id);
    expect(other.folders.list()).toEqual([{ id: chat?.folderId, name: 'Travel 旅行' }]);
    const path_ = other.messages.list(chat?.id ?? '');
    expect(path_.map(({ text, state }) => [text, state])).toEqual([
      ['去罗马吗？😀', 'complete'],
      ['half', 'failed'],
    ]);
    expect(path_[1]?.error).toEqual({ kind: 'engine-crashed', message: 'It ended.' });
    const [firstId] = path_[0]?.siblings ?? [];
    expect(other.messages.select(firstId ?? '').map(({ text }) => text)).toEqual([
      'Rome\u2028or "Paris"?',
      '**Rome**\n\n```\na\n```',
    ]);
    expect(other.search.search('罗马').hits).toHaveLength(1);
    other.close();
  });

  it('know what is here already', async () => {
    seeded();
    await files(storage, { target: at('all.json') }).export(null, 'json');
    const summary = await files(storage, { sources: [at('all.json'), at('all.json')] }).import();
    expect(summary).toEqual({ chats: 0, messages: 0, known: 2, skipped: [] });
    expect(storage.chats.list()).toHaveLength(1);
    expect(events).toEqual([]);
  });

  it('name what is damaged and keep the rest', async () => {
    for (const text of ['one', 'two', 'three']) {
      const chat = storage.chats.create({ title: `About ${text}` });
      const { answer } = storage.messages.addExchange({ chatId: chat.id, text, parentId: null });
      storage.messages.finish(answer.id, { text, state: 'complete' });
    }
    await files(storage, { target: at('all.json') }).export(null, 'json');
    const lines = readFileSync(at('all.json'), 'utf8').split('\n');
    const wrong = (lines[2] ?? '').replace('"role":"user"', '"role":"king"');
    writeFileSync(at('bad.json'), [lines[0], wrong, lines[1], (lines[3] ?? '').slice(0, 200)].join('\n'));
    const other = openStorage(at('b'));
    const summary = await files(other, { sources: [at('bad.json')] }).import();
    expect(summary?.chats).toBe(1);
    expect(summary?.skipped).toHaveLength(2);
    expect(summary?.skipped[0]?.title).toBe('About two');
    expect(summary?.skipped[0]?.reason.text).toContain('role');
    expect(summary?.skipped[1]).toEqual({
      title: 'About one',
      reason: said('its line in the file is damaged or cut off'),
    });
    other.close();
  });

  it.each([
    ['an empty file', ''],
    ['other JSON', '{"chats": []}\n'],
    ['a text', 'Hello\nworld'],
    ['bytes', '\u0000\u0001\u0002'],
  ])('refuse %s by its name', async (_, content) => {
    writeFileSync(at('other.json'), content);
    const error = await failure(files(storage, { sources: [at('other.json')] }).import());
    expect(error.kind).toBe('bad-input');
    expect(error.message).toContain('other.json');
  });

  it('refuse a file of a later version, and one that is not there', async () => {
    writeFileSync(at('new.json'), '{"format":"shadownpu-chats","version":2,"chats":[\n]}\n');
    expect((await failure(files(storage, { sources: [at('new.json')] }).import())).message).toContain('newer version');
    expect((await failure(files(storage, { sources: [at('none.json')] }).import())).message).toContain('none.json');
  });

  it('refuse messages that follow none, as in a file made by hand', async () => {
    const message = { id: 'm', parentId: 'n', role: 'user', text: 'x', state: 'complete', createdAt: 1 };
    const chat = {
      title: 'Loop',
      createdAt: 1,
      updatedAt: 1,
      leafId: 'm',
      messages: [message, { ...message, id: 'n', parentId: 'm' }],
    };
    writeFileSync(at('loop.json'), `{"format":"shadownpu-chats","version":1,"chats":[\n${JSON.stringify(chat)}\n]}\n`);
    const summary = await files(storage, { sources: [at('loop.json')] }).import();
    expect(summary?.skipped).toEqual([
      { title: 'Loop', reason: said('a message comes before the one that it follows') },
    ]);
  });

  it('leave no half file where there is no room or no place', async () => {
    seeded();
    const error = await failure(files(storage, { target: at('nowhere/x.json') }).export(null, 'json'));
    expect(error.message).toContain('could not be written');
    expect(readdirSync(folder)).toEqual(['a']);
  });

  it('do nothing where the user thought better of it', async () => {
    expect(await files(storage).export(null, 'json')).toBeNull();
    expect(await files(storage).import()).toBeNull();
  });
});

describe('Markdown', () => {
  it('is what is shown, to be read', async () => {
    const id = seeded();
    await files(storage, { target: at('trip.md') }).export([id], 'markdown');
    expect(readFileSync(at('trip.md'), 'utf8')).toBe(
      '# Trip: a/b\n\n1970-01-01\n\n## Question\n\n去罗马吗？😀\n\n## Answer\n\nhalf\n',
    );
  });

  it('suggests a name that every system takes', async () => {
    const id = seeded();
    let suggested = '';
    const chats = new ChatFiles({
      storage,
      emit: () => {},
      chooseTarget: async (name) => {
        suggested = name;
        return undefined;
      },
      chooseSources: async () => [],
    });
    await chats.export([id], 'markdown');
    expect(suggested).toBe('Trip a b.md');
  });
});
