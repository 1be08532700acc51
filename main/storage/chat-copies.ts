/** Whole chats, every branch of them, read and written at once: for files that chats are exported to and imported from. */
import { randomUUID } from 'node:crypto';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { Chat } from '../../contract/chats.ts';
import type { Message } from '../../contract/messages.ts';
import { stored } from './failure.ts';
import { fromJson, toJson } from './json.ts';
import { transaction } from './transaction.ts';

type CopiedMessage = Omit<Message, 'chatId' | 'siblings' | 'attachments' | 'limit' | 'state' | 'result' | 'error'> & {
  state: Exclude<Message['state'], 'streaming'>;
  /** As they were written; who reads them checks them. */
  result?: unknown;
  error?: unknown;
  attachments?: { name: string; bytes: number; text: string }[] | undefined;
};

export interface ChatCopy {
  chat: Omit<Chat, 'id' | 'folderId' | 'removedAt'>;
  folder?: string;
  leafId: string | null;
  /** In the order in which they were written. */
  messages: CopiedMessage[];
}

interface MessageRow {
  seq: number;
  id: string;
  parent_id: string | null;
  role: Message['role'];
  text: string;
  state: Message['state'];
  created_at: number;
  result: string | null;
  error: string | null;
  omitted: number | null;
  note: string | null;
}

export class ChatCopies {
  readonly #db: DatabaseSyncInstance;

  constructor(db: DatabaseSyncInstance) {
    this.#db = db;
  }

  /** An answer that still streams is copied as stopped, with its text so far. */
  read(chat: Chat): ChatCopy {
    return stored('read the chat', () => {
      const { id, folderId, removedAt: _, ...rest } = chat;
      const place = this.#db
        .prepare('SELECT c.leaf_id, f.name FROM chats c LEFT JOIN folders f ON f.id = c.folder_id WHERE c.id = ?')
        .get(id) as { leaf_id: string | null; name: string | null } | undefined;
      const rows = this.#db.prepare('SELECT * FROM messages WHERE chat_id = ? ORDER BY seq').all(id) as MessageRow[];
      return {
        chat: rest,
        ...(place?.name == null ? {} : { folder: place.name }),
        leafId: place?.leaf_id ?? rows.at(-1)?.id ?? null,
        messages: rows.map((row) => this.#copyOf(row)),
      };
    });
  }

  /**
   * Adds the chat under new ids; those of messages become new ones too. The folder is made where there is none of this
   * name. Throws AppError, and then nothing of the chat is there.
   */
  write({ chat, folder, leafId, messages }: ChatCopy): string {
    return stored('save the chat', () =>
      transaction(this.#db, () => {
        const chatId = randomUUID();
        const ids = new Map(messages.map(({ id }) => [id, randomUUID()]));
        this.#db
          .prepare(
            `INSERT INTO chats (id, title, created_at, updated_at, pinned, folder_id, leaf_id, options, titled_by)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
          )
          .run(
            chatId,
            chat.title,
            chat.createdAt,
            chat.updatedAt,
            chat.pinned ? 1 : 0,
            folder === undefined ? null : this.#folder(folder),
            ids.get(leafId ?? '') ?? null,
            toJson(chat.options),
            chat.autoTitled ? 'model' : 'user',
          );
        for (const message of messages) this.#add(chatId, message, ids);
        return chatId;
      }),
    );
  }

  /** Whether a chat with the same messages, word for word, is here. */
  has({ chat, messages }: ChatCopy): boolean {
    return stored('read your chats', () => {
      const same = this.#db
        .prepare('SELECT id FROM chats WHERE created_at = ? AND removed_at IS NULL')
        .all(chat.createdAt) as { id: string }[];
      return same.some(({ id }) => {
        const texts = this.#db.prepare('SELECT role, text FROM messages WHERE chat_id = ? ORDER BY seq').all(id) as {
          role: string;
          text: string;
        }[];
        return (
          texts.length === messages.length &&
          texts.every(({ role, text }, index) => role === messages[index]?.role && text === messages[index]?.text)
        );
      });
    });
  }

  #copyOf(row: MessageRow): CopiedMessage {
    const attachments = this.#db
      .prepare("SELECT name, bytes, ifnull(text, '') AS text FROM attachments WHERE message_id = ? ORDER BY seq")
      .all(row.id) as NonNullable<CopiedMessage['attachments']>;
    return {
      id: row.id,
      parentId: row.parent_id,
      role: row.role,
      text: row.text,
      state: row.state === 'streaming' ? 'stopped' : row.state,
      createdAt: row.created_at,
      ...(attachments.length === 0 ? {} : { attachments }),
      ...(row.note === null ? {} : { note: row.note }),
      ...(row.omitted === null ? {} : { omitted: row.omitted }),
      ...(row.result === null ? {} : { result: fromJson(row.result) }),
      ...(row.error === null ? {} : { error: fromJson(row.error) }),
    };
  }

  #add(chatId: string, message: CopiedMessage, ids: ReadonlyMap<string, string>): void {
    const id = ids.get(message.id) ?? randomUUID();
    this.#db
      .prepare(
        `INSERT INTO messages (id, chat_id, parent_id, role, text, state, created_at, result, error, omitted, note)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        id,
        chatId,
        ids.get(message.parentId ?? '') ?? null,
        message.role,
        message.text,
        message.state,
        message.createdAt,
        toJson(message.result),
        toJson(message.error),
        message.omitted ?? null,
        message.note ?? null,
      );
    for (const { name, bytes, text } of message.attachments ?? []) {
      this.#db
        .prepare(
          `INSERT INTO attachments (id, chat_id, message_id, name, bytes, state, text, created_at)
           VALUES (?, ?, ?, ?, ?, 'ready', ?, ?)`,
        )
        .run(randomUUID(), chatId, id, name, bytes, text, message.createdAt);
    }
  }

  #folder(name: string): string {
    const found = this.#db.prepare('SELECT id FROM folders WHERE name = ?').get(name) as { id: string } | undefined;
    if (found) return found.id;
    const id = randomUUID();
    this.#db.prepare('INSERT INTO folders (id, name) VALUES (?, ?)').run(id, name);
    return id;
  }
}
