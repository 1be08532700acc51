/** The face of the storage folder. All of it runs on main's thread: rows are small and writes are rare. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { AppError, type ErrorInfo } from '../../contract/errors.ts';
import { phrase } from '../../contract/phrase.ts';
import { AttachmentTable } from './attachments.ts';
import { ChatCopies } from './chat-copies.ts';
import { ChatTable } from './chats.ts';
import { ComparisonTable } from './comparisons.ts';
import { markDamaged, type OpenedDatabase, openDatabase, openInMemory } from './database.ts';
import { DocumentTable } from './documents.ts';
import { DraftTable } from './drafts.ts';
import { isDamage, storageFailure } from './failure.ts';
import { FolderTable } from './folders.ts';
import { MessageTable } from './messages.ts';
import { PresetTable } from './presets.ts';
import { ChatSearch } from './search.ts';
import { SettingsTable } from './settings.ts';
import { SummaryTable } from './summaries.ts';

export interface Storage {
  chats: ChatTable;
  copies: ChatCopies;
  folders: FolderTable;
  search: ChatSearch;
  messages: MessageTable;
  attachments: AttachmentTable;
  drafts: DraftTable;
  presets: PresetTable;
  documents: DocumentTable;
  summaries: SummaryTable;
  comparisons: ComparisonTable;
  settings: SettingsTable;
  /** Answers that the last end of the app cut off: they keep their text and count as stopped. */
  cutOff: number;
  /** Where it lies; absent where it is in memory only. */
  file?: string;
  /** What the user should be told about the opening. */
  notice?: ErrorInfo;
  /** May be called twice. */
  close(): void;
}

/**
 * Opens the database in `folder`, which is made where it is missing. Where no file can be used, chats are kept in
 * memory until the app ends and `notice` says so: answering questions is still possible.
 */
export function openStorage(folder: string): Storage {
  const opened = open(folder);
  try {
    return storageOf(opened);
  } catch (error) {
    if (opened.file === undefined || !(error instanceof AppError) || !isDamage(error.cause)) throw error;
    opened.db.close();
    markDamaged(opened.file);
    return storageOf(open(folder));
  }
}

function storageOf({ db, notice, file }: Opened): Storage {
  const attachments = new AttachmentTable(db);
  const messages = new MessageTable(db, attachments);
  const summaries = new SummaryTable(db);
  summaries.stopUnfinished();
  const comparisons = new ComparisonTable(db);
  comparisons.stopUnfinished();
  return {
    chats: new ChatTable(db),
    copies: new ChatCopies(db),
    folders: new FolderTable(db),
    search: new ChatSearch(db),
    messages,
    attachments,
    drafts: new DraftTable(db, attachments),
    presets: new PresetTable(db),
    documents: new DocumentTable(db),
    summaries,
    comparisons,
    settings: new SettingsTable(db),
    cutOff: messages.stopUnfinished(),
    ...(file === undefined ? {} : { file }),
    ...(notice ? { notice } : {}),
    close: () => {
      if (db.isOpen) db.close();
    },
  };
}

interface Opened extends OpenedDatabase {
  /** Absent where it is in memory. */
  file?: string;
}

function open(folder: string): Opened {
  try {
    mkdirSync(folder, { recursive: true });
    const file = path.join(folder, 'chats.db');
    return { ...openDatabase(file), file };
  } catch (error) {
    const { kind, phrases, detail = '' } = storageFailure(error, 'open your chats');
    const notice = new AppError(kind, phrase`${phrases.message} Chats of this session will not be kept.`, {
      ...(phrases.action === undefined ? {} : { action: phrases.action }),
      detail,
    });
    return { db: openInMemory(), notice: notice.toInfo() };
  }
}
