/** Files attached to questions: what was read of them, in the database. The file itself stays where it is. */
import { randomUUID } from 'node:crypto';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import * as v from 'valibot';
import { Attachment } from '../../contract/drafts.ts';
import { stored } from './failure.ts';
import { fromJson, toJson } from './json.ts';

interface AttachmentRow {
  id: string;
  chat_id: string | null;
  message_id: string | null;
  name: string;
  bytes: number;
  state: string;
  error: string | null;
}

/** Without the text, which can be long. */
const COLUMNS = 'id, chat_id, message_id, name, bytes, state, error';

/** How reading ended. `error` of a ready one says what could not be read of it. */
export type ReadEnd =
  | { state: 'ready'; text: string; bytes: number; sha256: string; error?: Attachment['error'] }
  | { state: 'failed'; error: NonNullable<Attachment['error']> };

export class AttachmentTable {
  readonly #db: DatabaseSyncInstance;

  constructor(db: DatabaseSyncInstance) {
    this.#db = db;
  }

  /** Adds a file that is about to be read to a draft. */
  add(chatId: string | null, name: string, bytes: number, now: number = Date.now()): Attachment {
    const attachment: Attachment = { id: randomUUID(), name, bytes, state: 'reading' };
    stored('save the attachment', () =>
      this.#db
        .prepare(
          `INSERT INTO attachments (id, chat_id, name, bytes, state, created_at) VALUES (?, ?, ?, ?, 'reading', ?)`,
        )
        .run(attachment.id, chatId, name, bytes, now),
    );
    return attachment;
  }

  find(attachmentId: string): { attachment: Attachment; chatId: string | null; messageId: string | null } | undefined {
    return stored('read the attachment', () => {
      const row = this.#db.prepare(`SELECT ${COLUMNS} FROM attachments WHERE id = ?`).get(attachmentId);
      if (row === undefined) return undefined;
      const found = row as AttachmentRow;
      return { attachment: toAttachment(found), chatId: found.chat_id, messageId: found.message_id };
    });
  }

  /** In the order in which they were attached. */
  ofDraft(chatId: string | null): Attachment[] {
    return stored('read the attachments', () =>
      this.#db
        .prepare(`SELECT ${COLUMNS} FROM attachments WHERE message_id IS NULL AND chat_id IS ? ORDER BY seq`)
        .all(chatId)
        .map((row) => toAttachment(row as AttachmentRow)),
    );
  }

  /** Of all drafts, by chat. */
  ofDrafts(): Map<string | null, Attachment[]> {
    return stored('read the attachments', () => {
      const rows = this.#db.prepare(`SELECT ${COLUMNS} FROM attachments WHERE message_id IS NULL ORDER BY seq`).all();
      return grouped(rows as AttachmentRow[], (row) => row.chat_id);
    });
  }

  /** Of the messages of a chat, by message. */
  ofMessages(chatId: string): Map<string | null, Attachment[]> {
    return stored('read the attachments', () => {
      const rows = this.#db
        .prepare(`SELECT ${COLUMNS} FROM attachments WHERE chat_id = ? AND message_id IS NOT NULL ORDER BY seq`)
        .all(chatId);
      return grouped(rows as AttachmentRow[], (row) => row.message_id);
    });
  }

  /** What was read of a ready one; empty for others. */
  text(attachmentId: string): string {
    return stored('read the attachment', () => {
      const row = this.#db.prepare('SELECT text FROM attachments WHERE id = ?').get(attachmentId);
      return (row as { text: string | null } | undefined)?.text ?? '';
    });
  }

  /** Back to reading, for another try. */
  reopen(attachmentId: string): void {
    stored('save the attachment', () =>
      this.#db
        .prepare("UPDATE attachments SET state = 'reading', text = NULL, error = NULL WHERE id = ?")
        .run(attachmentId),
    );
  }

  finish(attachmentId: string, end: ReadEnd): void {
    const error = toJson(end.error);
    stored('save the attachment', () => {
      if (end.state === 'failed') {
        this.#db.prepare("UPDATE attachments SET state = 'failed', error = ? WHERE id = ?").run(error, attachmentId);
      } else {
        this.#db
          .prepare("UPDATE attachments SET state = 'ready', text = ?, bytes = ?, sha256 = ?, error = ? WHERE id = ?")
          .run(end.text, end.bytes, end.sha256, error, attachmentId);
      }
    });
  }

  /** Of a draft only: a question that was asked keeps its files. */
  remove(attachmentId: string): void {
    stored('remove the attachment', () =>
      this.#db.prepare('DELETE FROM attachments WHERE id = ? AND message_id IS NULL').run(attachmentId),
    );
  }

  /**
   * Gives attachments to a question: those of a draft move to it, those of another question are copied. To be called in a
   * transaction. Unknown ones are left out.
   */
  give(attachmentIds: readonly string[], chatId: string, messageId: string): void {
    const move = this.#db.prepare(
      'UPDATE attachments SET chat_id = ?, message_id = ? WHERE id = ? AND message_id IS NULL',
    );
    const copy = this.#db.prepare(
      `INSERT INTO attachments (id, chat_id, message_id, name, bytes, sha256, state, text, error, created_at)
       SELECT ?, ?, ?, name, bytes, sha256, state, text, error, created_at FROM attachments WHERE id = ?`,
    );
    for (const attachmentId of new Set(attachmentIds)) {
      if (move.run(chatId, messageId, attachmentId).changes === 0)
        copy.run(randomUUID(), chatId, messageId, attachmentId);
    }
  }

  /** Files whose reading the end of the app cut off count as failed, with this reason. */
  failUnfinished(error: NonNullable<Attachment['error']>): void {
    stored('read your chats', () =>
      this.#db
        .prepare("UPDATE attachments SET state = 'failed', error = ? WHERE state = 'reading'")
        .run(JSON.stringify(error)),
    );
  }
}

function grouped(rows: AttachmentRow[], key: (row: AttachmentRow) => string | null): Map<string | null, Attachment[]> {
  const groups = new Map<string | null, Attachment[]>();
  for (const row of rows) {
    const group = groups.get(key(row)) ?? [];
    group.push(toAttachment(row));
    groups.set(key(row), group);
  }
  return groups;
}

function toAttachment({ id, name, bytes, state, error }: AttachmentRow): Attachment {
  const base = { id, name, bytes, state };
  const whole = v.safeParse(Attachment, error === null ? base : { ...base, error: fromJson(error) });
  return whole.success ? whole.output : v.parse(Attachment, base);
}
