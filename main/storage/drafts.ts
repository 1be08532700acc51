/** Questions that are not sent yet, one for each chat and one (null) for the chat that does not exist yet. */
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { Draft } from '../../contract/drafts.ts';
import type { AttachmentTable } from './attachments.ts';
import { stored } from './failure.ts';

export class DraftTable {
  readonly #db: DatabaseSyncInstance;
  readonly #attachments: AttachmentTable;

  constructor(db: DatabaseSyncInstance, attachments: AttachmentTable) {
    this.#db = db;
    this.#attachments = attachments;
  }

  /** All that have text or attachments. */
  list(): Draft[] {
    const attachments = this.#attachments.ofDrafts();
    const rows = stored('read your drafts', () => this.#db.prepare('SELECT chat_id, text FROM drafts').all());
    const texts = new Map((rows as { chat_id: string | null; text: string }[]).map((row) => [row.chat_id, row.text]));
    return [...new Set([...texts.keys(), ...attachments.keys()])].map((chatId) => ({
      chatId,
      text: texts.get(chatId) ?? '',
      attachments: attachments.get(chatId) ?? [],
    }));
  }

  /** An empty text removes it. A chat that is gone has no draft any more. */
  setText(chatId: string | null, text: string): void {
    stored('save your draft', () => {
      if (text === '') {
        this.#db.prepare('DELETE FROM drafts WHERE chat_id IS ?').run(chatId);
      } else {
        this.#db
          .prepare(
            `INSERT INTO drafts (chat_id, text) SELECT ?1, ?2 WHERE ?1 IS NULL OR ?1 IN (SELECT id FROM chats)
             ON CONFLICT (ifnull(chat_id, '')) DO UPDATE SET text = excluded.text`,
          )
          .run(chatId, text);
      }
    });
  }
}
