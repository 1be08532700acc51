/**
 * Messages of chats, a tree in each: a row knows its parent, and the chat the leaf whose path is shown. An answer is a row
 * from the moment of its question on, so that no crash loses its text.
 */
import { randomUUID } from 'node:crypto';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import * as v from 'valibot';
import type { Attachment } from '../../contract/drafts.ts';
import { AppError } from '../../contract/errors.ts';
import { Message } from '../../contract/messages.ts';
import type { AttachmentTable } from './attachments.ts';
import { stored } from './failure.ts';
import { fromJson, toJson } from './json.ts';
import { transaction } from './transaction.ts';
import { newestLeaf, pathTo, siblingsOf, type TreeNode } from './tree.ts';

interface MessageRow {
  id: string;
  chat_id: string;
  parent_id: string | null;
  role: string;
  text: string;
  state: string;
  created_at: number;
  result: string | null;
  error: string | null;
  omitted: number | null;
  note: string | null;
  context_limit: string | null;
}

/** How an answer ended. */
export interface Ending {
  text: string;
  state: Exclude<Message['state'], 'streaming'>;
  result?: Message['result'];
  error?: Message['error'];
  limit?: Message['limit'];
  omitted?: Message['omitted'];
}

export interface NewQuestion {
  chatId: string;
  text: string;
  /** Null: at the beginning. */
  parentId: string | null;
  attachments?: readonly string[];
}

export class MessageTable {
  readonly #db: DatabaseSyncInstance;
  readonly #attachments: AttachmentTable;
  #revision = 0;

  constructor(db: DatabaseSyncInstance, attachments: AttachmentTable) {
    this.#db = db;
    this.#attachments = attachments;
  }

  /** Another number whenever messages may be other ones than before; text that still grows does not count. */
  get revision(): number {
    return this.#revision;
  }

  /** The shown path, first message first. */
  list(chatId: string): Message[] {
    return stored('read the chat', () => {
      const tree = this.#tree(chatId);
      return this.#read(chatId, pathTo(tree, this.#leaf(chatId) ?? tree.at(-1)?.id), siblingsOf(tree));
    });
  }

  /** The path that ends in this message. Empty where there is no such message. */
  pathTo(messageId: string): Message[] {
    const chatId = this.find(messageId)?.chatId;
    if (chatId === undefined) return [];
    return stored('read the chat', () => {
      const tree = this.#tree(chatId);
      return this.#read(chatId, pathTo(tree, messageId), siblingsOf(tree));
    });
  }

  find(messageId: string): Message | undefined {
    return stored('read the message', () => {
      const row = this.#db.prepare('SELECT * FROM messages WHERE id = ?').get(messageId) as MessageRow | undefined;
      return row && this.#read(row.chat_id, [row.id], (parentId) => this.#children(row.chat_id, parentId))[0];
    });
  }

  /** Throws AppError 'bad-input' where there is no such message. */
  get(messageId: string): Message {
    const message = this.find(messageId);
    if (message) return message;
    throw new AppError('bad-input', 'This message does not exist any more.', { action: 'Open the chat again.' });
  }

  /** The message that the shown path ends in; null in a chat without any. */
  leafOf(chatId: string): string | null {
    return stored('read the chat', () => this.#leaf(chatId) ?? this.#tree(chatId).at(-1)?.id ?? null);
  }

  /** Whether anything follows it, shown or not. */
  hasChildren({ chatId, id }: Message): boolean {
    return stored('read the chat', () => this.#children(chatId, id).length > 0);
  }

  /** Stores a question together with its answer, which is empty and streaming, and shows them. */
  addExchange(
    { chatId, text, parentId, attachments = [] }: NewQuestion,
    now: number = Date.now(),
  ): { question: Message; answer: Message } {
    const ids = stored('save your message', () =>
      transaction(this.#db, () => {
        const question = this.#insert({ chatId, parentId, role: 'user', text, state: 'complete' }, now);
        this.#attachments.give(attachments, chatId, question);
        return { question, answer: this.#insertAnswer(chatId, question, now) };
      }),
    );
    return { question: this.get(ids.question), answer: this.get(ids.answer) };
  }

  /** Another answer to a question, empty and streaming; it is shown. */
  addAnswer(question: Message, now: number = Date.now()): Message {
    const { chatId, id } = question;
    return this.get(stored('save the answer', () => transaction(this.#db, () => this.#insertAnswer(chatId, id, now))));
  }

  /** The first message of a chat that goes on from another one: empty and streaming, it becomes the note. */
  addOpening(chatId: string, now: number = Date.now()): Message {
    const insert = () => this.#insertAnswer(chatId, null, now);
    return this.get(stored('save the answer', () => transaction(this.#db, insert)));
  }

  setNote(messageId: string, note: string): Message {
    this.#revision += 1;
    stored('save the note', () => this.#db.prepare('UPDATE messages SET note = ? WHERE id = ?').run(note, messageId));
    return this.get(messageId);
  }

  /** An answer that has ended streams again, with the text that it has. */
  reopen(messageId: string): Message {
    this.#revision += 1;
    stored('save the answer', () =>
      this.#db
        .prepare("UPDATE messages SET state = 'streaming', error = NULL, context_limit = NULL WHERE id = ?")
        .run(messageId),
    );
    return this.get(messageId);
  }

  /** Shows the branch of this message at its newest end, and returns its path. */
  select(messageId: string): Message[] {
    const { chatId } = this.get(messageId);
    stored('save the chat', () => this.#show(chatId, newestLeaf(this.#tree(chatId), messageId)));
    return this.list(chatId);
  }

  /** The text so far of an answer that still streams. */
  setText(messageId: string, text: string): void {
    stored('save the answer', () =>
      this.#db.prepare("UPDATE messages SET text = ? WHERE id = ? AND state = 'streaming'").run(text, messageId),
    );
  }

  /** Returns the stored message, or undefined where its chat has been deleted. */
  finish(messageId: string, ending: Ending): Message | undefined {
    this.#revision += 1;
    stored('save the answer', () =>
      this.#db
        .prepare(
          `UPDATE messages SET text = ?, state = ?, result = ?, error = ?, context_limit = ?, omitted = ? WHERE id = ?`,
        )
        .run(
          ending.text,
          ending.state,
          toJson(ending.result),
          toJson(ending.error),
          toJson(ending.limit),
          ending.omitted ?? null,
          messageId,
        ),
    );
    return this.find(messageId);
  }

  /** Figures of the last answer by this model; undefined where it is none of the last 200 answers. */
  lastResult(model: string): Message['result'] {
    return stored('read your chats', () => {
      const row = this.#db
        .prepare(
          `SELECT result FROM (SELECT seq, result FROM messages WHERE result IS NOT NULL ORDER BY seq DESC LIMIT 200)
           WHERE json_extract(result, '$.model') = ? ORDER BY seq DESC LIMIT 1`,
        )
        .get(model) as { result: string } | undefined;
      if (row === undefined) return undefined;
      const result = v.safeParse(Message.entries.result, fromJson(row.result));
      return result.success ? result.output : undefined;
    });
  }

  /** Answers that a crash of the app cut off keep their text and count as stopped. Returns how many there were. */
  stopUnfinished(): number {
    return stored('read your chats', () =>
      Number(this.#db.prepare("UPDATE messages SET state = 'stopped' WHERE state = 'streaming'").run().changes),
    );
  }

  #insertAnswer(chatId: string, parentId: string | null, now: number): string {
    const id = this.#insert({ chatId, parentId, role: 'assistant', text: '', state: 'streaming' }, now);
    this.#show(chatId, id);
    return id;
  }

  #insert(message: Pick<Message, 'chatId' | 'parentId' | 'role' | 'text' | 'state'>, now: number): string {
    const id = randomUUID();
    this.#db
      .prepare(
        'INSERT INTO messages (id, chat_id, parent_id, role, text, state, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
      )
      .run(id, message.chatId, message.parentId, message.role, message.text, message.state, now);
    return id;
  }

  #show(chatId: string, leafId: string): void {
    this.#revision += 1;
    this.#db.prepare('UPDATE chats SET leaf_id = ? WHERE id = ?').run(leafId, chatId);
  }

  #leaf(chatId: string): string | undefined {
    // A leaf that is not there, as after damage, counts as none.
    const row = this.#db
      .prepare('SELECT m.id FROM chats c JOIN messages m ON m.id = c.leaf_id AND m.chat_id = c.id WHERE c.id = ?')
      .get(chatId);
    return (row as { id: string } | undefined)?.id;
  }

  #tree(chatId: string): TreeNode[] {
    const rows = this.#db.prepare('SELECT id, parent_id FROM messages WHERE chat_id = ? ORDER BY seq').all(chatId);
    return (rows as { id: string; parent_id: string | null }[]).map(({ id, parent_id }) => ({
      id,
      parentId: parent_id,
    }));
  }

  #children(chatId: string, parentId: string | null): string[] {
    const rows = this.#db
      .prepare('SELECT id FROM messages WHERE chat_id = ? AND parent_id IS ? ORDER BY seq')
      .all(chatId, parentId);
    return (rows as { id: string }[]).map(({ id }) => id);
  }

  #read(chatId: string, ids: readonly string[], siblings: (parentId: string | null) => string[]): Message[] {
    const rows = this.#db
      .prepare('SELECT m.* FROM json_each(?) j JOIN messages m ON m.id = j.value ORDER BY j.key')
      .all(JSON.stringify(ids)) as MessageRow[];
    const attachments = this.#attachments.ofMessages(chatId);
    return rows.map((row) => toMessage(row, siblings(row.parent_id), attachments.get(row.id)));
  }
}

/** Messages whose parent is lost follow the one that was written before them. For a database that was damaged. */
export function mendTree(db: DatabaseSyncInstance): void {
  db.exec(`
    UPDATE messages SET parent_id = (
      SELECT before.id FROM messages before WHERE before.chat_id = messages.chat_id AND before.seq < messages.seq
      ORDER BY before.seq DESC LIMIT 1
    ) WHERE parent_id IS NOT NULL AND parent_id NOT IN (SELECT id FROM messages)
  `);
}

function toMessage(row: MessageRow, siblings: string[], attachments: Attachment[] | undefined): Message {
  const base = {
    id: row.id,
    chatId: row.chat_id,
    parentId: row.parent_id,
    role: row.role,
    text: row.text,
    state: row.state,
    createdAt: row.created_at,
    ...(siblings.length > 1 ? { siblings } : {}),
    ...(attachments === undefined ? {} : { attachments }),
    ...(row.note === null ? {} : { note: row.note }),
  };
  const extra = {
    ...(row.result === null ? {} : { result: fromJson(row.result) }),
    ...(row.error === null ? {} : { error: fromJson(row.error) }),
    ...(row.context_limit === null ? {} : { limit: fromJson(row.context_limit) }),
    ...(row.omitted === null ? {} : { omitted: row.omitted }),
  };
  const whole = v.safeParse(Message, { ...base, ...extra });
  // Figures written by another version may not fit; the text is what matters.
  return whole.success ? whole.output : v.parse(Message, base);
}
