/** Messages of chats. An answer is a row from the moment of its question on, so that no crash loses its text. */
import { randomUUID } from 'node:crypto';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import * as v from 'valibot';
import { Message } from '../../contract/messages.ts';
import { stored } from './failure.ts';
import { transaction } from './transaction.ts';

interface MessageRow {
  id: string;
  chat_id: string;
  role: string;
  text: string;
  state: string;
  created_at: number;
  result: string | null;
  error: string | null;
  omitted: number | null;
}

/** How an answer ended. */
export interface Ending {
  text: string;
  state: Exclude<Message['state'], 'streaming'>;
  result?: Message['result'];
  error?: Message['error'];
  omitted?: Message['omitted'];
}

export class MessageTable {
  readonly #db: DatabaseSyncInstance;

  constructor(db: DatabaseSyncInstance) {
    this.#db = db;
  }

  /** In the order in which they were written. */
  list(chatId: string): Message[] {
    return stored('read the chat', () => {
      const rows = this.#db.prepare('SELECT * FROM messages WHERE chat_id = ? ORDER BY seq').all(chatId);
      return (rows as MessageRow[]).map(toMessage);
    });
  }

  find(messageId: string): Message | undefined {
    return stored('read the message', () => {
      const row = this.#db.prepare('SELECT * FROM messages WHERE id = ?').get(messageId) as MessageRow | undefined;
      return row && toMessage(row);
    });
  }

  /** Stores a question together with its answer, which is empty and streaming. */
  addExchange(chatId: string, text: string, now: number = Date.now()): { question: Message; answer: Message } {
    const common = { chatId, parentId: null, createdAt: now };
    const question: Message = { ...common, id: randomUUID(), role: 'user', text, state: 'complete' };
    const answer: Message = { ...common, id: randomUUID(), role: 'assistant', text: '', state: 'streaming' };
    stored('save your message', () =>
      transaction(this.#db, () => {
        const insert = this.#db.prepare(
          'INSERT INTO messages (id, chat_id, role, text, state, created_at) VALUES (?, ?, ?, ?, ?, ?)',
        );
        for (const m of [question, answer]) insert.run(m.id, m.chatId, m.role, m.text, m.state, m.createdAt);
      }),
    );
    return { question, answer };
  }

  /** The text so far of an answer that still streams. */
  setText(messageId: string, text: string): void {
    stored('save the answer', () =>
      this.#db.prepare("UPDATE messages SET text = ? WHERE id = ? AND state = 'streaming'").run(text, messageId),
    );
  }

  /** Returns the stored message, or undefined where its chat has been deleted. */
  finish(messageId: string, ending: Ending): Message | undefined {
    stored('save the answer', () =>
      this.#db
        .prepare('UPDATE messages SET text = ?, state = ?, result = ?, error = ?, omitted = ? WHERE id = ?')
        .run(
          ending.text,
          ending.state,
          ending.result === undefined ? null : JSON.stringify(ending.result),
          ending.error === undefined ? null : JSON.stringify(ending.error),
          ending.omitted ?? null,
          messageId,
        ),
    );
    return this.find(messageId);
  }

  /** Answers that a crash of the app cut off keep their text and count as stopped. Returns how many there were. */
  stopUnfinished(): number {
    return stored('read your chats', () =>
      Number(this.#db.prepare("UPDATE messages SET state = 'stopped' WHERE state = 'streaming'").run().changes),
    );
  }
}

function toMessage(row: MessageRow): Message {
  const base = {
    id: row.id,
    chatId: row.chat_id,
    parentId: null,
    role: row.role,
    text: row.text,
    state: row.state,
    createdAt: row.created_at,
  };
  const extra = {
    ...(row.result === null ? {} : { result: JSON.parse(row.result) }),
    ...(row.error === null ? {} : { error: JSON.parse(row.error) }),
    ...(row.omitted === null ? {} : { omitted: row.omitted }),
  };
  const whole = v.safeParse(Message, { ...base, ...extra });
  // Figures written by another version may not fit; the text is what matters.
  return whole.success ? whole.output : v.parse(Message, base);
}
