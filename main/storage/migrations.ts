/** The shape of the chat database, one step after another. A step that was released is never changed: add one. */
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { AppError } from '../../contract/errors.ts';
import { transaction } from './transaction.ts';

/** Step i brings `user_version` from i to i + 1. */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE chats (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  );
  CREATE INDEX chats_by_update ON chats (updated_at);

  CREATE TABLE messages (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    chat_id TEXT NOT NULL REFERENCES chats (id) ON DELETE CASCADE,
    role TEXT NOT NULL CHECK (role IN ('system', 'user', 'assistant')),
    text TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('streaming', 'complete', 'stopped', 'failed')),
    created_at INTEGER NOT NULL,
    result TEXT,
    error TEXT,
    omitted INTEGER
  );
  CREATE INDEX messages_by_chat ON messages (chat_id, seq);

  CREATE TABLE settings (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) WITHOUT ROWID;

  -- Trigrams find substrings in any script, Chinese included. Text that still streams is indexed once it has ended.
  CREATE VIRTUAL TABLE messages_index USING fts5 (text, content = 'messages', content_rowid = 'seq', tokenize = 'trigram');
  CREATE TRIGGER messages_index_insert AFTER INSERT ON messages WHEN new.state <> 'streaming' BEGIN
    INSERT INTO messages_index (rowid, text) VALUES (new.seq, new.text);
  END;
  CREATE TRIGGER messages_index_delete AFTER DELETE ON messages WHEN old.state <> 'streaming' BEGIN
    INSERT INTO messages_index (messages_index, rowid, text) VALUES ('delete', old.seq, old.text);
  END;
  CREATE TRIGGER messages_index_unlist AFTER UPDATE OF text, state ON messages WHEN old.state <> 'streaming' BEGIN
    INSERT INTO messages_index (messages_index, rowid, text) VALUES ('delete', old.seq, old.text);
  END;
  CREATE TRIGGER messages_index_list AFTER UPDATE OF text, state ON messages WHEN new.state <> 'streaming' BEGIN
    INSERT INTO messages_index (rowid, text) VALUES (new.seq, new.text);
  END;
  `,
  `
  CREATE TABLE folders (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL
  );
  ALTER TABLE chats ADD COLUMN folder_id TEXT REFERENCES folders (id) ON DELETE SET NULL;
  ALTER TABLE chats ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE chats ADD COLUMN removed_at INTEGER;
  CREATE INDEX chats_by_folder ON chats (folder_id);

  -- Words of one or two characters are found by the beginnings of pieces. Two spaces at the end of a text let its last two
  -- characters begin a piece too.
  DROP TRIGGER messages_index_insert;
  DROP TRIGGER messages_index_delete;
  DROP TRIGGER messages_index_unlist;
  DROP TRIGGER messages_index_list;
  INSERT INTO messages_index (messages_index) VALUES ('delete-all');
  INSERT INTO messages_index (rowid, text) SELECT seq, text || '  ' FROM messages WHERE state <> 'streaming';
  CREATE TRIGGER messages_index_insert AFTER INSERT ON messages WHEN new.state <> 'streaming' BEGIN
    INSERT INTO messages_index (rowid, text) VALUES (new.seq, new.text || '  ');
  END;
  CREATE TRIGGER messages_index_delete AFTER DELETE ON messages WHEN old.state <> 'streaming' BEGIN
    INSERT INTO messages_index (messages_index, rowid, text) VALUES ('delete', old.seq, old.text || '  ');
  END;
  CREATE TRIGGER messages_index_unlist AFTER UPDATE OF text, state ON messages WHEN old.state <> 'streaming' BEGIN
    INSERT INTO messages_index (messages_index, rowid, text) VALUES ('delete', old.seq, old.text || '  ');
  END;
  CREATE TRIGGER messages_index_list AFTER UPDATE OF text, state ON messages WHEN new.state <> 'streaming' BEGIN
    INSERT INTO messages_index (rowid, text) VALUES (new.seq, new.text || '  ');
  END;
  CREATE VIRTUAL TABLE messages_pieces USING fts5vocab (messages_index, instance);
  `,
  `
  -- Messages become a tree; what was there is one path in the order of writing. A parent is no foreign key: a cascade along
  -- a long chat would go deeper than SQLite allows, and the chat's own cascade reaches every message.
  ALTER TABLE messages ADD COLUMN parent_id TEXT;
  ALTER TABLE messages ADD COLUMN note TEXT;
  ALTER TABLE messages ADD COLUMN context_limit TEXT;
  UPDATE messages SET parent_id = (
    SELECT before.id FROM messages before WHERE before.chat_id = messages.chat_id AND before.seq < messages.seq
    ORDER BY before.seq DESC LIMIT 1
  );

  CREATE INDEX messages_by_parent ON messages (chat_id, parent_id);

  ALTER TABLE chats ADD COLUMN leaf_id TEXT;
  ALTER TABLE chats ADD COLUMN options TEXT;
  ALTER TABLE chats ADD COLUMN titled_by TEXT NOT NULL DEFAULT 'user'
    CHECK (titled_by IN ('nobody', 'question', 'model', 'user'));
  UPDATE chats SET titled_by = 'nobody' WHERE title = 'New chat';
  UPDATE chats SET leaf_id = (SELECT id FROM messages WHERE chat_id = chats.id ORDER BY seq DESC LIMIT 1);

  CREATE TABLE presets (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    system_prompt TEXT,
    sampling TEXT
  );

  -- A chat_id of null stands for the chat that does not exist yet.
  CREATE TABLE drafts (
    chat_id TEXT REFERENCES chats (id) ON DELETE CASCADE,
    text TEXT NOT NULL
  );
  CREATE UNIQUE INDEX drafts_by_chat ON drafts (ifnull(chat_id, ''));

  -- Belongs to a message, or without one to the draft of its chat.
  CREATE TABLE attachments (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    chat_id TEXT REFERENCES chats (id) ON DELETE CASCADE,
    message_id TEXT REFERENCES messages (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    sha256 TEXT,
    state TEXT NOT NULL CHECK (state IN ('reading', 'ready', 'failed')),
    text TEXT,
    error TEXT,
    created_at INTEGER NOT NULL
  );
  CREATE INDEX attachments_by_message ON attachments (message_id);
  CREATE INDEX attachments_by_chat ON attachments (chat_id);
  `,
  `
  CREATE TABLE documents (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    path TEXT UNIQUE,
    bytes INTEGER NOT NULL,
    added_at INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'ready', 'failed')),
    error TEXT,
    outline TEXT
  );
  CREATE TABLE document_pages (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    document_id TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    label TEXT,
    lines TEXT,
    text TEXT NOT NULL,
    problem TEXT,
    UNIQUE (document_id, number)
  );
  CREATE TABLE summaries (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    document_id TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    model TEXT NOT NULL,
    body TEXT NOT NULL
  );
  CREATE INDEX summaries_by_document ON summaries (document_id);
  CREATE TABLE document_answers (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    document_id TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    body TEXT NOT NULL
  );
  CREATE INDEX document_answers_by_document ON document_answers (document_id);
  `,
  `
  -- JSON {model, count}: what the document was counted as last.
  ALTER TABLE documents ADD COLUMN tokens TEXT;
  -- Holds all that is asked of pages with problems: their rows have the whole text in front of it.
  CREATE INDEX document_page_problems ON document_pages (document_id, number, problem) WHERE problem IS NOT NULL;
  `,
  `
  -- 1: the page's text was recognised in a picture.
  ALTER TABLE document_pages ADD COLUMN recognised INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX document_pages_recognised ON document_pages (document_id, number) WHERE recognised = 1;
  `,
  `
  -- What a crash cut off is found without reading every message at each start.
  CREATE INDEX messages_streaming ON messages (id) WHERE state = 'streaming';
  `,
  `
  CREATE TABLE comparisons (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    body TEXT NOT NULL
  );
  `,
  `
  -- A long document is stored piece by piece: while it is being read again, its new pages lie beside the old ones under the
  -- next version, and take their place all at once.
  ALTER TABLE documents ADD COLUMN version INTEGER NOT NULL DEFAULT 0;
  CREATE TABLE pages_by_version (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    document_id TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    version INTEGER NOT NULL DEFAULT 0,
    number INTEGER NOT NULL,
    label TEXT,
    lines TEXT,
    text TEXT NOT NULL,
    problem TEXT,
    recognised INTEGER NOT NULL DEFAULT 0,
    UNIQUE (document_id, version, number)
  );
  INSERT INTO pages_by_version (document_id, number, label, lines, text, problem, recognised)
    SELECT document_id, number, label, lines, text, problem, recognised FROM document_pages;
  DROP TABLE document_pages;
  ALTER TABLE pages_by_version RENAME TO document_pages;
  CREATE INDEX document_page_problems ON document_pages (document_id, version, number, problem) WHERE problem IS NOT NULL;
  CREATE INDEX document_pages_recognised ON document_pages (document_id, version, number) WHERE recognised = 1;
  `,
];

/**
 * Brings the database to the newest step. `backup` is called before each step of a database that holds data.
 * Throws AppError('storage-failed') for a database of a later version of the app, which is left as it is.
 */
export function migrate(
  db: DatabaseSyncInstance,
  backup: (version: number) => void,
  steps: readonly string[] = MIGRATIONS,
): void {
  const { user_version: found } = db.prepare('PRAGMA user_version').get() as { user_version: number };
  if (found > steps.length) {
    throw new AppError('storage-failed', 'Your chats were saved by a newer version of ShadowNPU.', {
      action: 'Install the newest version, or start with another profile folder (--user-data-dir).',
      detail: `database version ${found}, this app knows ${steps.length}`,
    });
  }
  for (const [offset, step] of steps.slice(found).entries()) {
    const version = found + offset;
    if (version > 0) backup(version);
    transaction(db, () => {
      db.exec(step);
      db.exec(`PRAGMA user_version = ${version + 1}`);
    });
  }
}
