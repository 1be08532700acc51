import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from './database.ts';
import { MIGRATIONS } from './migrations.ts';
import { openStorage, type Storage } from './storage.ts';
import { newestLeaf, pathTo } from './tree.ts';

let folder: string;
let storage: Storage;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'messages-'));
  storage = openStorage(folder);
});
afterEach(() => {
  storage.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Asks, after the path's end or after `after`, and has it answered. */
function exchange(chatId: string, text: string, after?: string | null) {
  const parentId = after === undefined ? storage.messages.leafOf(chatId) : after;
  const { question, answer } = storage.messages.addExchange({ chatId, text, parentId });
  storage.messages.finish(answer.id, { text: `re: ${text}`, state: 'complete' });
  return { question, answer };
}
const texts = (chatId: string) => storage.messages.list(chatId).map(({ text }) => text);

describe('the tree of a chat', () => {
  it('shows the newest branch, and what else there is', () => {
    const chat = storage.chats.create();
    const one = exchange(chat.id, 'one');
    const two = exchange(chat.id, 'two');
    exchange(chat.id, 'three');
    const edited = exchange(chat.id, 'two, edited', one.answer.id);
    expect(texts(chat.id)).toEqual(['one', 're: one', 'two, edited', 're: two, edited']);
    const [, , question] = storage.messages.list(chat.id);
    expect(question).toMatchObject({
      parentId: one.answer.id,
      siblings: [two.question.id, edited.question.id],
    });
    expect(storage.messages.list(chat.id)[0]).not.toHaveProperty('siblings');
  });

  it('goes back to a branch at its newest end, also after a restart', () => {
    const chat = storage.chats.create();
    const one = exchange(chat.id, 'one');
    const three = exchange(chat.id, 'three');
    exchange(chat.id, 'other beginning', null);
    expect(texts(chat.id)).toEqual(['other beginning', 're: other beginning']);
    const shown = storage.messages.select(one.question.id);
    expect(shown.at(-1)?.id).toBe(three.answer.id);
    storage.close();
    storage = openStorage(folder);
    expect(texts(chat.id)).toEqual(['one', 're: one', 'three', 're: three']);
  });

  it('has several answers to a question', () => {
    const chat = storage.chats.create();
    const { question, answer } = exchange(chat.id, 'q');
    const again = storage.messages.addAnswer(question);
    expect(again).toMatchObject({ parentId: question.id, text: '', state: 'streaming' });
    expect(again.siblings).toEqual([answer.id, again.id]);
    expect(texts(chat.id)).toEqual(['q', '']);
    expect(storage.messages.pathTo(answer.id).map(({ text }) => text)).toEqual(['q', 're: q']);
    expect(storage.messages.hasChildren(answer)).toBe(false);
    expect(storage.messages.hasChildren(question)).toBe(true);
  });

  it('of 3,000 messages one below the other can be read and deleted', () => {
    const chat = storage.chats.create();
    let parentId: string | null = null;
    for (let i = 0; i < 1500; i += 1) {
      parentId = storage.messages.addExchange({ chatId: chat.id, text: `${i}`, parentId }).answer.id;
    }
    expect(storage.messages.list(chat.id)).toHaveLength(3000);
    storage.chats.erase([chat.id]);
    expect(storage.messages.list(chat.id)).toEqual([]);
  });

  it('is read once around where damage has made a circle', () => {
    const circle = [
      { id: 'a', parentId: 'b' },
      { id: 'b', parentId: 'a' },
    ];
    expect(pathTo(circle, 'b')).toEqual(['a', 'b']);
    expect(pathTo(circle, 'gone')).toEqual([]);
    expect(newestLeaf(circle, 'a')).toBe('b');
  });
});

describe('an answer that goes on', () => {
  it('streams again without its error and limit, with its text and note', () => {
    const chat = storage.chats.create();
    const { answer } = storage.messages.addExchange({ chatId: chat.id, text: 'q', parentId: null });
    const error = { kind: 'context-overflow', message: 'Too long.' } as const;
    const limit = { needed: 9, available: 8, choices: ['condense' as const] };
    const failed = storage.messages.finish(answer.id, { text: 'half', state: 'failed', error, limit });
    expect(failed).toMatchObject({ error, limit });
    storage.messages.setNote(answer.id, 'So far.');
    const open = storage.messages.reopen(answer.id);
    expect(open).toEqual({ ...answer, text: 'half', state: 'streaming', note: 'So far.' });
  });
});

describe('attachments', () => {
  const ready = { state: 'ready', text: 'words', bytes: 5, sha256: 'a'.repeat(64) } as const;

  it('go from the draft to the question, and are copied to an edited one', () => {
    const chat = storage.chats.create();
    const attachment = storage.attachments.add(null, 'notes.txt', 4);
    storage.attachments.finish(attachment.id, ready);
    expect(storage.drafts.list()).toEqual([
      { chatId: null, text: '', attachments: [{ ...attachment, bytes: 5, state: 'ready' }] },
    ]);
    const attachments = [attachment.id, 'unknown'];
    const first = storage.messages.addExchange({ chatId: chat.id, text: 'q', parentId: null, attachments });
    expect(first.question.attachments).toEqual([{ ...attachment, bytes: 5, state: 'ready' }]);
    expect(storage.drafts.list()).toEqual([]);
    storage.attachments.remove(attachment.id);
    const edited = storage.messages.addExchange({ chatId: chat.id, text: 'e', parentId: null, attachments });
    const [copy] = edited.question.attachments ?? [];
    expect(copy).toMatchObject({ name: 'notes.txt', state: 'ready' });
    expect(copy?.id).not.toBe(attachment.id);
    expect(storage.attachments.text(copy?.id ?? '')).toBe('words');
    expect(storage.messages.find(first.question.id)?.attachments).toHaveLength(1);
  });

  it('go with their chat, and unfinished ones fail at the next start', () => {
    const chat = storage.chats.create();
    const attachment = storage.attachments.add(chat.id, 'a.txt', 1);
    storage.attachments.failUnfinished({ kind: 'cancelled', message: 'The app ended.' });
    expect(storage.attachments.find(attachment.id)).toEqual({
      attachment: { ...attachment, state: 'failed', error: { kind: 'cancelled', message: 'The app ended.' } },
      chatId: chat.id,
      messageId: null,
    });
    storage.chats.erase([chat.id]);
    expect(storage.attachments.find(attachment.id)).toBeUndefined();
  });
});

describe('drafts', () => {
  it('are kept for each chat and for the one that is not there yet', () => {
    const chat = storage.chats.create();
    storage.drafts.setText(null, 'new');
    storage.drafts.setText(chat.id, 'one');
    storage.drafts.setText(chat.id, 'two');
    storage.drafts.setText('gone', 'lost');
    storage.close();
    storage = openStorage(folder);
    expect(storage.drafts.list()).toEqual([
      { chatId: null, text: 'new', attachments: [] },
      { chatId: chat.id, text: 'two', attachments: [] },
    ]);
    storage.drafts.setText(null, '');
    storage.chats.erase([chat.id]);
    expect(storage.drafts.list()).toEqual([]);
  });
});

describe('presets', () => {
  it('are made, changed and removed', () => {
    const b = storage.presets.save(null, { name: 'b', systemPrompt: 'Be brief.', sampling: { temperature: 0 } });
    const a = storage.presets.save(null, { name: 'a' });
    expect(storage.presets.list()).toEqual([
      { id: a.id, name: 'a', builtIn: false },
      { id: b.id, name: 'b', builtIn: false, systemPrompt: 'Be brief.', sampling: { temperature: 0 } },
    ]);
    storage.presets.save(b.id, { name: 'b2' });
    expect(storage.presets.list()[1]).toEqual({ id: b.id, name: 'b2', builtIn: false });
    storage.presets.remove(a.id);
    expect(storage.presets.list()).toHaveLength(1);
    expect(() => storage.presets.save(a.id, { name: 'x' })).toThrow(/does not exist/);
  });
});

describe("a chat's options and title", () => {
  it('are kept; broken options cost only themselves', () => {
    const chat = storage.chats.create();
    const options = { systemPrompt: '', sampling: { topK: 1 }, atLimit: 'drop-oldest' as const };
    expect(storage.chats.change(chat.id, { options }).options).toEqual(options);
    expect(storage.chats.change(chat.id, { options: {} })).toEqual(chat);
    expect(storage.chats.titledBy(chat.id)).toBe('nobody');
    expect(storage.chats.change(chat.id, { title: 'T', titledBy: 'model' })).toMatchObject({
      title: 'T',
      autoTitled: true,
    });
    expect(storage.chats.change(chat.id, { title: 'U' })).toEqual({ ...chat, title: 'U' });
    expect(storage.chats.titledBy(chat.id)).toBe('user');
    storage.close();
    const db = new DatabaseSync(path.join(folder, 'chats.db'));
    db.exec(`UPDATE chats SET options = '{"sampling":{"temperature":9}}'`);
    db.close();
    storage = openStorage(folder);
    expect(storage.chats.get(chat.id)).toEqual({ ...chat, title: 'U' });
  });
});

describe('a database from before messages were a tree', () => {
  it('becomes one path for each chat', () => {
    storage.close();
    rmSync(path.join(folder, 'chats.db'));
    const file = path.join(folder, 'old.db');
    const { db } = openDatabase(file, MIGRATIONS.slice(0, 1));
    db.exec(`
      INSERT INTO chats (id, title, created_at, updated_at) VALUES ('c', 'Mine', 1, 2), ('n', 'New chat', 3, 4);
      INSERT INTO messages (id, chat_id, role, text, state, created_at) VALUES
        ('q1', 'c', 'user', 'one', 'complete', 1), ('a1', 'c', 'assistant', 're one', 'complete', 1),
        ('q2', 'c', 'user', 'two', 'complete', 2), ('a2', 'c', 'assistant', 're two', 'stopped', 2);
    `);
    db.close();
    renameSync(file, path.join(folder, 'chats.db'));
    storage = openStorage(folder);
    expect(storage.notice).toBeUndefined();
    expect(storage.messages.list('c').map(({ id, parentId }) => [id, parentId])).toEqual([
      ['q1', null],
      ['a1', 'q1'],
      ['q2', 'a1'],
      ['a2', 'q2'],
    ]);
    expect(storage.messages.list('n')).toEqual([]);
    expect(storage.chats.titledBy('c')).toBe('user');
    expect(storage.chats.titledBy('n')).toBe('nobody');
    expect(storage.search.search('re two').hits.map(({ chatId }) => chatId)).toEqual(['c']);
  });
});
