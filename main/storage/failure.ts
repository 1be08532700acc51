/** Words for what SQLite can refuse. Every method of the storage folder throws AppError only. */
import { AppError } from '../../contract/errors.ts';
import { type Phrase, phrase, said } from '../../contract/phrase.ts';

const CODES = {
  SQLITE_READONLY: 8,
  SQLITE_IOERR: 10,
  SQLITE_CORRUPT: 11,
  SQLITE_FULL: 13,
  SQLITE_CANTOPEN: 14,
  SQLITE_CONSTRAINT: 19,
  SQLITE_NOTADB: 26,
} as const;

/** SQLite's primary result code, or undefined where the error is not SQLite's. */
function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return undefined;
  return error.errcode & 0xff; // the upper bits hold the extended code
}

/** True where the bytes of the file are wrong, so that it has to be moved aside. */
export function isDamage(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === CODES.SQLITE_CORRUPT || code === CODES.SQLITE_NOTADB;
}

/** True where the file can be read but nothing can be written to it. */
export function isReadOnly(error: unknown): boolean {
  return sqliteCode(error) === CODES.SQLITE_READONLY;
}

/** True where a row breaks a rule of its table. */
export function isConstraint(error: unknown): boolean {
  return sqliteCode(error) === CODES.SQLITE_CONSTRAINT;
}

/** `doing` completes the sentence "Could not ...". An AppError passes unchanged. */
export function storageFailure(error: unknown, doing: string): AppError {
  if (error instanceof AppError) return error;
  const { why, action } = reason(error);
  return new AppError('storage-failed', phrase`Could not ${doing}: ${why}.`, {
    action,
    detail: error instanceof Error ? (error.stack ?? error.message) : String(error),
    cause: error,
  });
}

/** Runs `work` and turns what it throws into an AppError. */
export function stored<T>(doing: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw storageFailure(error, doing);
  }
}

function reason(error: unknown): { why: string | Phrase; action: string } {
  switch (sqliteCode(error)) {
    case CODES.SQLITE_FULL:
      return {
        why: said('the disk is full'),
        action: 'Free some space on the disk that holds your chats, then try again.',
      };
    case CODES.SQLITE_READONLY:
      return {
        why: said('the chat database may not be written to'),
        action: 'Check the permissions of the data folder, then try again.',
      };
    case CODES.SQLITE_CANTOPEN:
      return {
        why: said('the chat database cannot be opened'),
        action: 'Check that the data folder exists and that you may write to it.',
      };
    case CODES.SQLITE_IOERR:
      return {
        why: said('the disk reported an error'),
        action: 'Check the disk that holds your chats, then try again.',
      };
    case CODES.SQLITE_CORRUPT:
    case CODES.SQLITE_NOTADB:
      return {
        why: said('the chat database is damaged'),
        action: 'Restart the app: it keeps the damaged file and saves what can be read.',
      };
    default:
      return {
        why: error instanceof Error ? error.message : String(error),
        action: 'Try again; restart the app if it happens again.',
      };
  }
}
