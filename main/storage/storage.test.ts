import { closeSync, mkdirSync, mkdtempSync, openSync, readdirSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../contract/errors.ts';
import type { Message } from '../../contract/messages.ts';
import { checkWhole, openDatabase } from './database.ts';
import { stored } from './failure.ts';
import { MIGRATIONS, migrate } from './migrations.ts';
import { SALVAGED_TABLES } from './salvage.ts';
import { DEFAULT_SETTINGS } from './settings.ts';
import { openStorage, type Storage } from './storage.ts';

let folder: string;
let storage: Storage;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'shadownpu 资料 '));
  storage = openStorage(folder);
});
afterEach(() => {
  storage.close();
  rmSync(folder, { recursive: true, force: true });
});

/** As if the app had been started again. */
function reopen(): Storage {
  storage.close();
  storage = openStorage(folder);
  return storage;
}

/** A question at the end of the chat. */
function ask(chatId: string, text: string, now?: number): { question: Message; answer: Message } {
  return storage.messages.addExchange({ chatId, text, parentId: storage.messages.leafOf(chatId) }, now);
}

function failure(work: () => unknown): AppError {
  try {
    work();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('chats and messages', () => {
  it('are there after a restart, in order', () => {
    const chat = storage.chats.create({}, 1);
    const first = ask(chat.id, 'Hello 世界 😀', 2);
    storage.messages.finish(first.answer.id, { text: 'Hi', state: 'complete' });
    ask(chat.id, 'And now?', 2);
    reopen();
    expect(storage.chats.list()).toEqual([chat]);
    expect(storage.messages.list(chat.id).map((m) => [m.role, m.text, m.state])).toEqual([
      ['user', 'Hello 世界 😀', 'complete'],
      ['assistant', 'Hi', 'complete'],
      ['user', 'And now?', 'complete'],
      ['assistant', '', 'stopped'],
    ]);
  });

  it('keep figures and errors of an answer', () => {
    const chat = storage.chats.create();
    const { answer } = ask(chat.id, 'q');
    const result = {
      promptTokens: 10,
      cachedTokens: 4,
      completionTokens: 3,
      finishReason: 'stop' as const,
      prefill: { seconds: 1, tokensPerSecond: 6 },
      decode: { seconds: 1, tokensPerSecond: 3 },
      firstTokenMs: 12.5,
      attention: { mode: 'shadow' as const, ratio: 0.2, pilotDevice: null },
      device: 'CPU',
      model: 'm',
      weights: 'fast' as const,
    };
    const finished = storage.messages.finish(answer.id, { text: 'a', state: 'complete', result, omitted: 4 });
    expect(finished).toEqual({ ...answer, text: 'a', state: 'complete', result, omitted: 4 });
    const error = { kind: 'engine-crashed' as const, message: 'It ended.', action: 'Ask again.' };
    expect(storage.messages.finish(answer.id, { text: 'a', state: 'failed', error })).toEqual({
      ...answer,
      text: 'a',
      state: 'failed',
      error,
    });
  });

  it('go together when a chat is removed, from the index too', () => {
    const chat = storage.chats.create();
    const { answer } = ask(chat.id, 'a unique sentence');
    storage.chats.erase([chat.id]);
    expect(storage.messages.find(answer.id)).toBeUndefined();
    expect(storage.messages.finish(answer.id, { text: 'late', state: 'complete' })).toBeUndefined();
    expect(storage.search.search('unique').hits).toEqual([]);
    storage.chats.erase([chat.id]);
  });

  it('cut off by a crash are stopped, text kept', () => {
    const chat = storage.chats.create();
    const { answer } = ask(chat.id, 'q');
    storage.messages.setText(answer.id, 'half an ans');
    expect(reopen().cutOff).toBe(1);
    expect(storage.messages.find(answer.id)).toMatchObject({ state: 'stopped', text: 'half an ans' });
    expect(reopen().cutOff).toBe(0);
  });

  it('do not change any more by late text once they have ended', () => {
    const chat = storage.chats.create();
    const { answer } = ask(chat.id, 'q');
    storage.messages.finish(answer.id, { text: 'all', state: 'stopped' });
    storage.messages.setText(answer.id, 'older');
    expect(storage.messages.find(answer.id)?.text).toBe('all');
  });

  it('refuse a chat that is gone', () => {
    expect(failure(() => storage.chats.get('nope')).kind).toBe('bad-input');
    expect(failure(() => ask('nope', 'q')).kind).toBe('storage-failed');
  });

  it('list the latest change first', () => {
    const a = storage.chats.create({}, 1);
    const b = storage.chats.create({}, 2);
    expect(storage.chats.list().map((chat) => chat.id)).toEqual([b.id, a.id]);
    storage.chats.touch(a.id, 3);
    expect(storage.chats.list().map((chat) => chat.id)).toEqual([a.id, b.id]);
  });
});

describe('the list', () => {
  it('pins, renames and files a chat', () => {
    const folderOf = storage.folders.create('Travel 旅行');
    const chat = storage.chats.create();
    storage.chats.change(chat.id, { title: 'Rome', pinned: true, folderId: folderOf.id });
    expect(reopen().chats.get(chat.id)).toMatchObject({ title: 'Rome', pinned: true, folderId: folderOf.id });
    expect(storage.chats.change(chat.id, { folderId: null })).not.toHaveProperty('folderId');
    expect(failure(() => storage.chats.change(chat.id, { folderId: 'nope' })).kind).toBe('bad-input');
    expect(failure(() => storage.chats.change('nope', { title: 'x' })).kind).toBe('bad-input');
  });

  it('keeps the chats of a folder that is removed', () => {
    const { id: folderId } = storage.folders.create('Work');
    const chat = storage.chats.create({ folderId });
    storage.folders.rename(folderId, 'Office');
    expect(storage.folders.list()).toEqual([{ id: folderId, name: 'Office' }]);
    storage.folders.remove(folderId);
    expect(storage.chats.get(chat.id)).not.toHaveProperty('folderId');
    expect(failure(() => storage.folders.rename(folderId, 'x')).kind).toBe('bad-input');
  });

  it('brings back what was deleted, after a restart too', () => {
    const chat = storage.chats.create();
    ask(chat.id, 'still here');
    storage.chats.remove([chat.id], 7);
    expect(reopen().chats.list()).toEqual([]);
    expect(storage.chats.removed()).toEqual([{ ...chat, removedAt: 7 }]);
    storage.chats.restore([chat.id]);
    expect(storage.chats.list()).toEqual([chat]);
    expect(storage.messages.list(chat.id)).toHaveLength(2);
    storage.chats.erase([chat.id]);
    expect(storage.chats.removed()).toEqual([]);
    expect(storage.messages.list(chat.id)).toEqual([]);
  });
});

describe('settings', () => {
  it('keep changes and start from defaults', () => {
    expect(storage.settings.get()).toEqual(DEFAULT_SETTINGS);
    storage.settings.set({ theme: 'dark', modelId: 'm', attention: { mode: 'full', ratio: 1 } });
    expect(reopen().settings.get()).toEqual({
      ...DEFAULT_SETTINGS,
      theme: 'dark',
      modelId: 'm',
      attention: { mode: 'full', ratio: 1 },
    });
    expect(storage.settings.set({ modelId: undefined })).not.toHaveProperty('modelId');
    const attention = { mode: 'shadow', ratio: 0.2, scale: 'buckets', tail: false } as const;
    storage.settings.set({ attention });
    expect(reopen().settings.get().attention).toEqual(attention);
  });

  it('lose a broken value only', () => {
    storage.settings.set({ theme: 'dark', temperature: 0.5 });
    storage.close();
    const db = new DatabaseSync(path.join(folder, 'chats.db'));
    db.exec("UPDATE settings SET value = '\"purple\"' WHERE key = 'theme'");
    db.exec("INSERT INTO settings VALUES ('weights', 'not json'), ('unknown', '1')");
    db.close();
    storage = openStorage(folder);
    expect(storage.settings.get()).toEqual({ ...DEFAULT_SETTINGS, temperature: 0.5 });
  });
});

describe('migrations', () => {
  it('copy the database before each step and keep its rows', () => {
    const chat = storage.chats.create();
    storage.close();
    const file = path.join(folder, 'chats.db');
    const steps = [...MIGRATIONS, 'ALTER TABLE chats ADD COLUMN colour TEXT', 'DELETE FROM chats'];
    const { db } = openDatabase(file, steps);
    expect(db.prepare('SELECT count(*) AS n FROM chats').get()).toEqual({ n: 0 });
    db.close();
    const copies = MIGRATIONS.length;
    for (const version of [copies, copies + 1]) {
      const copy = new DatabaseSync(path.join(folder, `chats.backup-v${version}.db`), { readOnly: true });
      expect(copy.prepare('PRAGMA user_version').get()).toEqual({ user_version: version });
      expect(copy.prepare('SELECT id FROM chats').all()).toEqual([{ id: chat.id }]);
      copy.close();
    }
  });

  it('make no copies of a new file, which holds nothing', () => {
    expect(readdirSync(folder).filter((name) => name.includes('.backup-'))).toEqual([]);
  });

  it('keep all copies of an update, and three of those before', () => {
    storage.close();
    const extra = Array.from({ length: 10 }, (_, i) => `CREATE TABLE extra_${i} (x)`);
    const first = MIGRATIONS.length;
    for (const count of [5, 10]) {
      openDatabase(path.join(folder, 'chats.db'), [...MIGRATIONS, ...extra.slice(0, count)]).db.close();
    }
    const copies = readdirSync(folder).filter((name) => name.includes('.backup-'));
    const versions = copies.map((name) => Number(/v(\d+)/.exec(name)?.[1])).sort((a, b) => a - b);
    expect(versions).toEqual(Array.from({ length: 8 }, (_, i) => first + 2 + i));
  });

  it('leave everything as it was when a step fails', () => {
    storage.close();
    const file = path.join(folder, 'chats.db');
    const db = new DatabaseSync(file);
    const steps = [...MIGRATIONS, 'ALTER TABLE chats ADD COLUMN colour TEXT; INSERT INTO nowhere VALUES (1)'];
    expect(() => migrate(db, () => {}, steps)).toThrow(/nowhere/);
    expect(db.prepare('PRAGMA user_version').get()).toEqual({ user_version: MIGRATIONS.length });
    db.close();
    storage = openStorage(folder);
    expect(storage.notice).toBeUndefined();
  });

  it('refuse a database of a later version and leave it alone', () => {
    storage.chats.create();
    storage.close();
    const file = path.join(folder, 'chats.db');
    const db = new DatabaseSync(file);
    db.exec('PRAGMA user_version = 99');
    db.close();
    expect(failure(() => openDatabase(file)).message).toContain('newer version');
    storage = openStorage(folder);
    expect(storage.notice?.message).toContain('newer version');
    expect(storage.notice?.message).toContain('will not be kept');
    const chat = storage.chats.create();
    expect(storage.chats.list()).toEqual([chat]);
  });
});

describe('the list of chats', () => {
  it('comes in two ways: what is shown first, and all in pages', () => {
    const chats = Array.from({ length: 1501 }, (_, i) => storage.chats.create({ pinned: i === 7 }, i));
    storage.chats.remove([chats[1500]?.id ?? '', chats[3]?.id ?? '']);
    const newest = storage.chats.newest(chats[5]?.id ?? null);
    const times = newest.map(({ createdAt }) => createdAt);
    expect(times).toEqual([7, ...Array.from({ length: 299 }, (_, i) => 1499 - i), 5]);
    expect(storage.chats.newest(chats[3]?.id ?? null)).toHaveLength(300);
    expect(storage.chats.newest('nowhere')).toHaveLength(300);

    const pages: string[][] = [];
    for (let after: string | null = null; ; after = pages.at(-1)?.at(-1) ?? null) {
      const page = storage.chats.page(after).map(({ id }) => id);
      if (page.length === 0) break;
      pages.push(page);
      // One that is used meanwhile is in its page all the same.
      storage.chats.touch(chats[9]?.id ?? '');
    }
    expect(pages.map(({ length }) => length)).toEqual([1000, 499]);
    expect(pages.flat()).toEqual(
      storage.chats
        .list()
        .map(({ id }) => id)
        .sort(),
    );
  });
});

describe('a damaged file', () => {
  const aside = () => readdirSync(folder).filter((name) => /damaged-.*\.db$/.test(name));

  it('of nonsense is moved aside and named', () => {
    storage.close();
    writeFileSync(path.join(folder, 'chats.db'), 'This is no database. '.repeat(500));
    storage = openStorage(folder);
    expect(aside()).toHaveLength(1);
    expect(storage.notice?.action).toContain(aside()[0]);
    expect(storage.chats.list()).toEqual([]);
    reopen();
    expect(storage.notice).toBeUndefined();
  });

  it('gives back every table that there is', () => {
    const db = new DatabaseSync(path.join(folder, 'chats.db'));
    const tables = db
      .prepare(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'messages_*' AND name NOT GLOB 'sqlite_*'",
      )
      .all() as { name: string }[];
    db.close();
    expect(tables.map(({ name }) => name).sort()).toEqual([...SALVAGED_TABLES].sort());
  });

  it('keeps folders, pins and what was deleted', () => {
    const { id: folderId } = storage.folders.create('Work');
    const chat = storage.chats.create({ folderId, pinned: true });
    const other = storage.chats.create({}, 1);
    storage.chats.remove([other.id], 5);
    storage.close();
    const file = path.join(folder, 'chats.db');
    const db = new DatabaseSync(file);
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    const { pageno } = db.prepare("SELECT pageno FROM dbstat WHERE name = 'messages' LIMIT 1").get() as {
      pageno: number;
    };
    const { page_size } = db.prepare('PRAGMA page_size').get() as { page_size: number };
    db.close();
    overwrite(file, (pageno - 1) * page_size, page_size);
    expect(checkWhole(file)).toBe(false);
    storage = openStorage(folder);
    expect(storage.notice).toBeDefined();
    expect(storage.folders.list()).toEqual([{ id: folderId, name: 'Work' }]);
    expect(storage.chats.list()).toEqual([chat]);
    expect(storage.chats.removed()).toEqual([{ ...other, removedAt: 5 }]);
  });

  it('is found out at the start where the list of chats lies, and by the whole check in any other place', () => {
    const file = path.join(folder, 'chats.db');
    for (let i = 0; i < 200; i += 1)
      ask(storage.chats.create({ title: `Chat ${i} ${'x'.repeat(100)}` }).id, 'x'.repeat(500));
    storage.close();
    expect(checkWhole(file)).toBe(true);
    storage = openStorage(folder);
    expect(storage.notice).toBeUndefined();
    const page = (table: string) => {
      const db = new DatabaseSync(file);
      const { pageno } = db
        .prepare("SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' LIMIT 1 OFFSET 3")
        .get(table) as { pageno: number };
      db.close();
      return (pageno - 1) * 4096;
    };
    storage.close();
    for (const table of ['messages', 'messages_index_data']) {
      overwrite(file, page(table), 4096);
      storage = openStorage(folder);
      expect(storage.notice).toBeUndefined();
      storage.close();
      expect(checkWhole(file)).toBe(false);
      storage = openStorage(folder);
      expect(storage.notice?.message).toContain('200 chats');
      reopen();
      expect(storage.notice).toBeUndefined();
      storage.close();
    }
    overwrite(file, page('chats'), 4096);
    storage = openStorage(folder);
    expect(storage.notice?.message).toContain('200 chats');
  });

  it('with a bad page gives back what can be read', () => {
    const chats = Array.from({ length: 40 }, (_, i) => storage.chats.create({}, i));
    for (const chat of chats) ask(chat.id, `question ${'x'.repeat(3000)}`);
    storage.close();
    const file = path.join(folder, 'chats.db');
    const db = new DatabaseSync(file);
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    const page = db.prepare(
      "SELECT pageno FROM dbstat WHERE name = 'messages' AND pagetype = 'leaf' LIMIT 1 OFFSET 20",
    );
    const { pageno } = page.get() as { pageno: number };
    const { page_size } = db.prepare('PRAGMA page_size').get() as { page_size: number };
    db.close();
    overwrite(file, (pageno - 1) * page_size, page_size);
    expect(checkWhole(file)).toBe(false);
    storage = openStorage(folder);
    expect(aside()).toHaveLength(1);
    expect(storage.chats.list()).toHaveLength(40);
    const kept = chats.flatMap((chat) => storage.messages.list(chat.id)).length;
    expect(kept).toBeGreaterThanOrEqual(70);
    expect(kept).toBeLessThan(80);
    expect(storage.notice?.message).toContain(`40 chats with ${kept} messages`);
  });
});

describe('a disk that does not take more', () => {
  it('gives a storage error in words, and reading goes on', () => {
    const chat = storage.chats.create();
    storage.close();
    const { db } = openDatabase(path.join(folder, 'chats.db'));
    db.exec('PRAGMA max_page_count = 40');
    const write = () => stored('save it', () => db.prepare('UPDATE chats SET title = ?').run('x'.repeat(1e6)));
    expect(failure(write)).toMatchObject({ kind: 'storage-failed', message: 'Could not save it: the disk is full.' });
    expect(db.prepare('SELECT title FROM chats').get()).toEqual({ title: chat.title });
    db.exec('PRAGMA query_only = 1');
    const refused = failure(() => stored('save it', () => db.exec("UPDATE chats SET title = ''")));
    expect(refused).toMatchObject({ kind: 'storage-failed' });
    expect(refused.message).toContain('may not be written to');
    db.close();
    storage = openStorage(folder);
  });

  it('lets the app start in memory where the folder cannot be used', () => {
    const occupied = path.join(folder, 'occupied');
    mkdirSync(path.join(occupied, 'chats.db'), { recursive: true });
    const memory = openStorage(occupied);
    expect(memory.notice).toMatchObject({ kind: 'storage-failed' });
    expect(memory.search.search(memory.chats.create().title).hits).toHaveLength(1);
    memory.close();
  });
});

function overwrite(file: string, position: number, length: number): void {
  const handle = openSync(file, 'r+');
  writeSync(handle, Buffer.alloc(length, 0xa5), 0, length, position);
  closeSync(handle);
}
