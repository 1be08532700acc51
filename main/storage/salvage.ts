/** Saves what can be read of a damaged chat database into a fresh one. */
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { isConstraint } from './failure.ts';
import { mendTree } from './messages.ts';
import { transaction } from './transaction.ts';

/** In an order in which each finds what it refers to. */
export const SALVAGED_TABLES = [
  'settings',
  'presets',
  'folders',
  'chats',
  'messages',
  'drafts',
  'attachments',
  'documents',
  'document_pages',
  'summaries',
  'document_answers',
  'comparisons',
] as const;
type Table = (typeof SALVAGED_TABLES)[number];
type Row = Record<string, string | number | null>;

export interface Salvaged {
  chats: number;
  messages: number;
}

/** Copies readable rows of the file `damaged` into `fresh`, which has the newest shape and is empty. Never throws. */
export function salvage(damaged: string, fresh: DatabaseSyncInstance): Salvaged {
  const saved: Salvaged = { chats: 0, messages: 0 };
  let source: DatabaseSyncInstance;
  try {
    source = new DatabaseSync(damaged, { readOnly: true });
  } catch {
    return saved; // not even a header: nothing to save
  }
  try {
    transaction(fresh, () => {
      for (const row of readable(source, 'settings')) insert(fresh, 'settings', row);
      for (const row of readable(source, 'presets')) insert(fresh, 'presets', row);
      for (const row of readable(source, 'folders')) insert(fresh, 'folders', row);
      const folders = new Set(
        fresh
          .prepare('SELECT id FROM folders')
          .all()
          .map((row: { id: string }) => row.id),
      );
      for (const { folder_id = null, ...row } of readable(source, 'chats')) {
        // A chat is worth more than its place in a folder that cannot be read.
        saved.chats += insert(fresh, 'chats', { ...row, folder_id: folders.has(String(folder_id)) ? folder_id : null });
      }
      const last = new Map<unknown, string | number | null>();
      for (const row of readable(source, 'messages')) {
        // The row of its chat may lie on a bad page: the message is worth more than the chat's title.
        saved.chats += insert(fresh, 'chats', {
          id: row.chat_id ?? null,
          title: 'Recovered chat',
          created_at: row.created_at ?? null,
          updated_at: row.created_at ?? null,
        });
        // Before messages were a tree, one followed the other.
        const parent_id = 'parent_id' in row ? row.parent_id : last.get(row.chat_id);
        saved.messages += insert(fresh, 'messages', { ...row, parent_id: parent_id ?? null });
        last.set(row.chat_id, row.id ?? null);
      }
      mendTree(fresh);
      for (const row of readable(source, 'drafts')) insert(fresh, 'drafts', row);
      for (const table of SALVAGED_TABLES.slice(SALVAGED_TABLES.indexOf('attachments'))) {
        for (const row of readable(source, table)) insert(fresh, table, row);
      }
    });
  } finally {
    source.close();
  }
  return saved;
}

/** Rows in stored order: from the front up to the first bad page, then from the back. */
function readable(source: DatabaseSyncInstance, table: Table): Row[] {
  const key = table === 'settings' ? 'key' : table === 'drafts' ? 'rowid' : 'seq';
  const rows = new Map<unknown, Row>();
  for (const direction of ['ASC', 'DESC']) {
    try {
      const found = source.prepare(`SELECT ${key}, * FROM ${table} NOT INDEXED ORDER BY ${key} ${direction}`).iterate();
      for (const row of found as Iterable<Row>) {
        const id = row[key];
        if (rows.has(id)) break;
        rows.set(id, row);
      }
    } catch {
      // The rest is behind a bad page; the other direction may still reach it.
    }
  }
  return [...rows.values()].sort((a, b) => Number(a.seq ?? 0) - Number(b.seq ?? 0));
}

/** Returns 1 when the row was new and sound, else 0. */
function insert(fresh: DatabaseSyncInstance, table: Table, row: Row): number {
  // What an older shape does not have takes its default, and so does the place of a row.
  const columns = columnsOf(fresh, table).filter((column) => column !== 'seq' && row[column] != null);
  const marks = columns.map(() => '?').join(', ');
  const statement = fresh.prepare(`INSERT OR IGNORE INTO ${table} (${columns.join(', ')}) VALUES (${marks})`);
  try {
    return Number(statement.run(...columns.map((column) => row[column] ?? null)).changes);
  } catch (error) {
    if (isConstraint(error)) return 0; // a message of a chat that could not be made: its id is unreadable
    throw error;
  }
}

function columnsOf(db: DatabaseSyncInstance, table: Table): string[] {
  return (db.prepare(`PRAGMA table_info (${table})`).all() as { name: string }[]).map(({ name }) => name);
}
