/** Chats: the list, what changes in it, and what was deleted and can still be brought back. */
import { randomUUID } from 'node:crypto';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import * as v from 'valibot';
import type { Chat } from '../../contract/chats.ts';
import { AppError } from '../../contract/errors.ts';
import { ChatOptions } from '../../contract/presets.ts';
import { isConstraint, storageFailure, stored } from './failure.ts';
import { fromJson } from './json.ts';
import { transaction } from './transaction.ts';

interface ChatRow {
  id: string;
  title: string;
  created_at: number;
  updated_at: number;
  pinned: number;
  folder_id: string | null;
  removed_at: number | null;
  titled_by: TitledBy;
  options: string | null;
}

/** Who wrote a chat's title; the first question and then the model may replace it, unless a person has renamed the chat. */
export type TitledBy = 'nobody' | 'question' | 'model' | 'user';

/** What of a chat may be changed; `folderId` null takes it out of its folder. A title is a person's unless `titledBy` says otherwise. */
export interface ChatChanges {
  title?: string | undefined;
  titledBy?: TitledBy | undefined;
  pinned?: boolean | undefined;
  folderId?: string | null | undefined;
  options?: ChatOptions | undefined;
}

/** More than any window shows at once, and few enough to be there at once. */
const NEWEST = 300;
/** Few enough that neither main nor a window is held up. */
const PAGE = 1000;

/** The title of a chat without a question; the first question replaces it. */
export const NEW_CHAT_TITLE = 'New chat';

export class ChatTable {
  readonly #db: DatabaseSyncInstance;

  constructor(db: DatabaseSyncInstance) {
    this.#db = db;
  }

  /** Those that are not deleted, newest change first. */
  list(): Chat[] {
    return this.#read('WHERE removed_at IS NULL ORDER BY updated_at DESC, seq DESC');
  }

  /** What the list shows first: pinned ones, the newest, and `withId`, where that is not deleted. */
  newest(withId: string | null): Chat[] {
    const first = this.#read(
      `WHERE removed_at IS NULL ORDER BY pinned DESC, updated_at DESC, seq DESC LIMIT ${NEWEST}`,
    );
    const more = withId === null || first.some(({ id }) => id === withId) ? undefined : this.find(withId);
    return more === undefined || more.removedAt !== undefined ? first : [...first, more];
  }

  /** Those that are not deleted, by id, from the one after `after` on: one page, empty at the end. */
  page(after: string | null): Chat[] {
    return this.#read(`WHERE removed_at IS NULL AND id > ? ORDER BY id LIMIT ${PAGE}`, after ?? '');
  }

  /** Those that are deleted, the last one first. */
  removed(): Chat[] {
    return this.#read('WHERE removed_at IS NOT NULL ORDER BY removed_at DESC, seq DESC');
  }

  /** Deleted ones too. */
  find(chatId: string): Chat | undefined {
    return this.#read('WHERE id = ?', chatId)[0];
  }

  /** Throws AppError('bad-input') where there is no such chat. */
  get(chatId: string): Chat {
    const chat = this.find(chatId);
    if (chat) return chat;
    throw new AppError('bad-input', 'This chat does not exist any more.', { action: 'Choose or start another chat.' });
  }

  create(more: Partial<Omit<Chat, 'id'>> = {}, now: number = Date.now()): Chat {
    const chat = { title: NEW_CHAT_TITLE, createdAt: now, updatedAt: now, pinned: false, ...more, id: randomUUID() };
    stored('save the new chat', () => {
      this.#db
        .prepare(
          'INSERT INTO chats (id, title, created_at, updated_at, pinned, folder_id, removed_at, titled_by, options) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
        )
        .run(
          chat.id,
          chat.title,
          chat.createdAt,
          chat.updatedAt,
          chat.pinned ? 1 : 0,
          chat.folderId ?? null,
          chat.removedAt ?? null,
          more.title === undefined ? 'nobody' : 'user',
          optionsText(more.options),
        );
    });
    return chat;
  }

  /** Throws AppError('bad-input') where there is no such chat or folder. */
  change(chatId: string, { title, titledBy = 'user', pinned, folderId, options }: ChatChanges): Chat {
    const columns: [string, string | number | null][] = [];
    if (title !== undefined) columns.push(['title', title], ['titled_by', titledBy]);
    if (pinned !== undefined) columns.push(['pinned', pinned ? 1 : 0]);
    if (folderId !== undefined) columns.push(['folder_id', folderId]);
    if (options !== undefined) columns.push(['options', optionsText(options)]);
    if (columns.length > 0) {
      const set = columns.map(([column]) => `${column} = ?`).join(', ');
      try {
        this.#db.prepare(`UPDATE chats SET ${set} WHERE id = ?`).run(...columns.map(([, value]) => value), chatId);
      } catch (error) {
        if (isConstraint(error)) {
          throw new AppError('bad-input', 'This folder does not exist any more.', { action: 'Choose another folder.' });
        }
        throw storageFailure(error, 'change the chat');
      }
    }
    return this.get(chatId);
  }

  /** Undefined where there is no such chat. */
  titledBy(chatId: string): TitledBy | undefined {
    return stored('read your chats', () => {
      const row = this.#db.prepare('SELECT titled_by FROM chats WHERE id = ?').get(chatId);
      return (row as { titled_by: TitledBy } | undefined)?.titled_by;
    });
  }

  /** Moves the chat to the top of the list. */
  touch(chatId: string, now: number = Date.now()): Chat {
    stored('save the chat', () => this.#db.prepare('UPDATE chats SET updated_at = ? WHERE id = ?').run(now, chatId));
    return this.get(chatId);
  }

  /** Deletes the chats so that `restore` brings them back. Those that are gone are passed over. */
  remove(chatIds: readonly string[], now: number = Date.now()): void {
    this.#each('delete the chat', 'UPDATE chats SET removed_at = ? WHERE id = ?', chatIds, now);
  }

  restore(chatIds: readonly string[]): void {
    this.#each('bring the chat back', 'UPDATE chats SET removed_at = ? WHERE id = ?', chatIds, null);
  }

  /** Deletes for good; the messages go with their chats. */
  erase(chatIds: readonly string[]): void {
    this.#each('delete the chat', 'DELETE FROM chats WHERE id = ?', chatIds);
  }

  #read(condition: string, ...values: string[]): Chat[] {
    return stored('read your chats', () => {
      const rows = this.#db.prepare(`SELECT * FROM chats ${condition}`).all(...values);
      return (rows as ChatRow[]).map(toChat);
    });
  }

  #each(doing: string, sql: string, chatIds: readonly string[], ...values: (number | null)[]): void {
    stored(doing, () =>
      transaction(this.#db, () => {
        const statement = this.#db.prepare(sql);
        for (const chatId of chatIds) statement.run(...values, chatId);
      }),
    );
  }
}

function toChat(row: ChatRow): Chat {
  const options = row.options === null ? undefined : v.safeParse(ChatOptions, fromJson(row.options));
  return {
    id: row.id,
    title: row.title,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    pinned: row.pinned === 1,
    ...(row.folder_id === null ? {} : { folderId: row.folder_id }),
    ...(row.removed_at === null ? {} : { removedAt: row.removed_at }),
    ...(row.titled_by === 'model' ? { autoTitled: true } : {}),
    ...(options?.success ? { options: options.output } : {}),
  };
}

function optionsText(options: ChatOptions | undefined): string | null {
  const isEmpty = options === undefined || Object.values(options).every((value) => value === undefined);
  return isEmpty ? null : JSON.stringify(options);
}
