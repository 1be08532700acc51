/** Opens the chat database: settings of the connection, migrations with backups, and the road back from damage. */
import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { AppError, type ErrorInfo } from '../../contract/errors.ts';
import { phrase } from '../../contract/phrase.ts';
import { isDamage, isReadOnly, storageFailure } from './failure.ts';
import { MIGRATIONS, migrate } from './migrations.ts';
import { salvage } from './salvage.ts';

/** So many copies of earlier updates are kept. */
const BACKUPS = 3;

export interface OpenedDatabase {
  db: DatabaseSyncInstance;
  /** What the user should be told: the file was damaged and moved aside. */
  notice?: ErrorInfo;
}

/**
 * Opens or creates `file`. A damaged file is renamed, never deleted, and its readable rows are copied.
 * Throws AppError('storage-failed') where the folder cannot be used or the file is of a newer version.
 */
export function openDatabase(file: string, steps: readonly string[] = MIGRATIONS): OpenedDatabase {
  try {
    return { db: openSound(file, steps) };
  } catch (error) {
    if (!isDamage(error)) throw storageFailure(error, 'open your chats');
  }
  try {
    const aside = moveAside(file, Date.now());
    rmSync(markOf(file), { force: true });
    const db = openSound(file, steps);
    const saved = salvage(aside, db);
    const name = path.basename(aside);
    const notice = new AppError(
      'storage-failed',
      phrase`The chat database was damaged. ${saved.chats} chats with ${saved.messages} messages could be read and are kept.`,
      { action: phrase`The damaged file is still there as ${name}, beside the new one.`, detail: aside },
    ).toInfo();
    return { db, notice };
  } catch (error) {
    throw storageFailure(error, 'replace the damaged chat database');
  }
}

/** An empty database that lives in memory only, for when no file can be used. */
export function openInMemory(): DatabaseSyncInstance {
  const db = new DatabaseSync(':memory:');
  migrate(db, () => {});
  return db;
}

function openSound(file: string, steps: readonly string[]): DatabaseSyncInstance {
  const db = new DatabaseSync(file, { timeout: 2000, enableForeignKeyConstraints: true });
  try {
    try {
      db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
    } catch (error) {
      if (!isReadOnly(error)) throw error; // reading old chats still works
    }
    const mark = markOf(file);
    const { user_version: version } = db.prepare('PRAGMA user_version').get() as { user_version: number };
    // Reading all of a large file would hold up the window: that is left to `checkWhole`, unless it matters now.
    if (version !== steps.length || existsSync(mark)) checkSound(db);
    else checkSound(db, 'chats');
    rmSync(mark, { force: true });
    // Copies of earlier updates make room; of this one all are kept, above all the first.
    const earlier = backupsOf(file).slice(BACKUPS);
    const backup = (version: number) => {
      for (const old of earlier.splice(0)) rmSync(old, { force: true });
      const copy = path.join(path.dirname(file), `${path.basename(file, '.db')}.backup-v${version}.db`);
      rmSync(copy, { force: true }); // VACUUM INTO refuses an existing file
      db.prepare('VACUUM INTO ?').run(copy);
    };
    // A new file has nothing to be kept.
    migrate(db, version === 0 ? () => {} : backup, steps);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Copies made before migrations, the newest version first. */
function backupsOf(file: string): string[] {
  const start = `${path.basename(file, '.db')}.backup-v`;
  const version = (name: string) => Number(name.slice(start.length, -'.db'.length));
  return readdirSync(path.dirname(file))
    .filter((name) => name.startsWith(start) && Number.isInteger(version(name)))
    .sort((a, b) => version(b) - version(a))
    .map((name) => path.join(path.dirname(file), name));
}

/**
 * Reads the whole file, its search index too; for a thread beside the app. False where it is damaged: then the next
 * `openDatabase` saves what can be read. Throws where the file cannot be read at all.
 */
export function checkWhole(file: string): boolean {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    checkSound(db);
    return true;
  } catch (error) {
    if (!isDamage(error)) throw error;
    markDamaged(file);
    return false;
  } finally {
    db.close();
  }
}

/** The next opening checks the whole file, and saves what can be read. */
export function markDamaged(file: string): void {
  writeFileSync(markOf(file), '');
}

/** Lies beside a file that is known to be damaged. */
function markOf(file: string): string {
  return `${file}.damaged`;
}

/** One table with its indexes, or everything. */
function checkSound(db: DatabaseSyncInstance, table?: 'chats'): void {
  const row = db.prepare(`PRAGMA quick_check(${table ?? 1})`).get() as { quick_check: string } | undefined;
  if (row?.quick_check === 'ok') return;
  // The same error that SQLite raises when it meets the bad page itself.
  throw Object.assign(new Error(`quick_check: ${row?.quick_check ?? 'no answer'}`), { errcode: 11 });
}

/** The write-ahead log goes along: it may hold the newest messages. */
function moveAside(file: string, now: number): string {
  const stamp = new Date(now).toISOString().replaceAll(/[:.]/g, '-');
  const aside = path.join(path.dirname(file), `${path.basename(file, '.db')}.damaged-${stamp}.db`);
  for (const suffix of ['', '-wal', '-shm']) {
    if (existsSync(file + suffix)) renameSync(file + suffix, aside + suffix);
  }
  return aside;
}
