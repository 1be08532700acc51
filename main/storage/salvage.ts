/** Saves what can be read of a damaged chat database into a fresh one. */
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { isConstraint } from './failure.ts';
import { mendTree } from './messages.ts';
import { transaction } from './transaction.ts';

const COLUMNS = {
  chats: ['id', 'title', 'created_at', 'updated_at', 'leaf_id', 'options', 'titled_by'],
  messages: [
    'id',
    'chat_id',
    'role',
    'text',
    'state',
    'created_at',
    'result',
    'error',
    'omitted',
    'parent_id',
    'note',
    'context_limit',
  ],
  settings: ['key', 'value'],
  presets: ['id', 'name', 'system_prompt', 'sampling'],
  drafts: ['chat_id', 'text'],
  attachments: ['id', 'chat_id', 'message_id', 'name', 'bytes', 'sha256', 'state', 'text', 'error', 'created_at'],
} as const;
type Table = keyof typeof COLUMNS;
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
      for (const row of readable(source, 'chats')) saved.chats += insert(fresh, 'chats', row);
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
      for (const row of readable(source, 'attachments')) insert(fresh, 'attachments', row);
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
  // What an older shape does not have takes its default.
  const columns = COLUMNS[table].filter((column) => row[column] !== undefined && row[column] !== null);
  const marks = columns.map(() => '?').join(', ');
  const statement = fresh.prepare(`INSERT OR IGNORE INTO ${table} (${columns.join(', ')}) VALUES (${marks})`);
  try {
    return Number(statement.run(...columns.map((column) => row[column] ?? null)).changes);
  } catch (error) {
    if (isConstraint(error)) return 0; // a message of a chat that could not be made: its id is unreadable
    throw error;
  }
}
