/** Chats: the list, their titles, and search in titles and messages. */
import { randomUUID } from 'node:crypto';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { Chat } from '../../contract/chats.ts';
import { AppError } from '../../contract/errors.ts';
import { stored } from './failure.ts';

interface ChatRow {
  id: string;
  title: string;
  created_at: number;
  updated_at: number;
}

/** The title of a chat without a question; the first question replaces it. */
export const NEW_CHAT_TITLE = 'New chat';

/** Shorter search words have no trigram and are looked for by LIKE. */
const TRIGRAM = 3;

export class ChatTable {
  readonly #db: DatabaseSyncInstance;

  constructor(db: DatabaseSyncInstance) {
    this.#db = db;
  }

  /** Newest change first. */
  list(): Chat[] {
    return stored('read your chats', () => {
      const rows = this.#db.prepare('SELECT * FROM chats ORDER BY updated_at DESC, seq DESC').all();
      return (rows as ChatRow[]).map(toChat);
    });
  }

  find(chatId: string): Chat | undefined {
    return stored('read your chats', () => {
      const row = this.#db.prepare('SELECT * FROM chats WHERE id = ?').get(chatId) as ChatRow | undefined;
      return row && toChat(row);
    });
  }

  /** Throws AppError('bad-input') where there is no such chat. */
  get(chatId: string): Chat {
    const chat = this.find(chatId);
    if (chat) return chat;
    throw new AppError('bad-input', 'This chat does not exist any more.', { action: 'Choose or start another chat.' });
  }

  create(now: number = Date.now()): Chat {
    const chat: Chat = { id: randomUUID(), title: NEW_CHAT_TITLE, createdAt: now, updatedAt: now };
    stored('save the new chat', () => {
      this.#db
        .prepare('INSERT INTO chats (id, title, created_at, updated_at) VALUES (?, ?, ?, ?)')
        .run(chat.id, chat.title, now, now);
    });
    return chat;
  }

  rename(chatId: string, title: string): Chat {
    stored('rename the chat', () => this.#db.prepare('UPDATE chats SET title = ? WHERE id = ?').run(title, chatId));
    return this.get(chatId);
  }

  /** Moves the chat to the top of the list. */
  touch(chatId: string, now: number = Date.now()): Chat {
    stored('save the chat', () => this.#db.prepare('UPDATE chats SET updated_at = ? WHERE id = ?').run(now, chatId));
    return this.get(chatId);
  }

  /** Its messages go with it. Removing what is gone is no error. */
  remove(chatId: string): void {
    stored('delete the chat', () => this.#db.prepare('DELETE FROM chats WHERE id = ?').run(chatId));
  }

  /** Chats in which every word of the query occurs, in the title or in a message; newest change first. */
  search(query: string): Chat[] {
    const words = query.split(/\s+/u).filter((word) => word !== '');
    const all = this.list();
    if (words.length === 0) return all;
    return stored('search your chats', () => {
      const hits = words.map((word) => this.#chatsWith(word));
      return all.filter((chat) => hits.every((found) => found.has(chat.id)));
    });
  }

  #chatsWith(word: string): Set<string> {
    const pattern = `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`;
    const inTitles = this.#db.prepare("SELECT id FROM chats WHERE title LIKE ? ESCAPE '\\'").all(pattern);
    const inMessages =
      Array.from(word).length < TRIGRAM
        ? this.#db.prepare("SELECT DISTINCT chat_id AS id FROM messages WHERE text LIKE ? ESCAPE '\\'").all(pattern)
        : this.#db
            .prepare(
              `SELECT DISTINCT m.chat_id AS id FROM messages_index i JOIN messages m ON m.seq = i.rowid
               WHERE messages_index MATCH ?`,
            )
            // Quoted, so that no word is taken for an operator of the query language.
            .all(`"${word.replaceAll('"', '""')}"`);
    return new Set([...inTitles, ...inMessages].map((row: { id: string }) => row.id));
  }
}

function toChat(row: ChatRow): Chat {
  return { id: row.id, title: row.title, createdAt: row.created_at, updatedAt: row.updated_at };
}
