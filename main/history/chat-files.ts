/** Exports chats to files and imports them. */
import { createReadStream } from 'node:fs';
import path from 'node:path';
import type { AppEvent } from '../../contract/channels.ts';
import type { Chat, ExportFormat, ImportSummary } from '../../contract/chats.ts';
import { AppError } from '../../contract/errors.ts';
import { phrase } from '../../contract/phrase.ts';
import type { ChatCopy } from '../storage/chat-copies.ts';
import type { Storage } from '../storage/storage.ts';
import { fileNameOf, writeWhole } from '../write-whole.ts';
import { type FileChat, fileLines, parseChatLine, VERSION, versionOf } from './file-format.ts';
import { markdownOf } from './markdown.ts';

/** A line longer than this is no chat that people have: it would only fill the memory. In characters. */
const LONGEST_LINE = 256 * 1024 * 1024;
/** How many bad entries are named; the others are counted in one more. */
const NAMED = 20;

export interface ChatFilesOptions {
  storage: Storage;
  emit: (event: AppEvent) => void;
  /** Asks where to; undefined where the user thought better of it. */
  chooseTarget: (fileName: string) => Promise<string | undefined>;
  /** Asks for files; none where the user thought better of it. */
  chooseSources: () => Promise<readonly string[]>;
}

export class ChatFiles {
  readonly #options: ChatFilesOptions;

  constructor(options: ChatFilesOptions) {
    this.#options = options;
  }

  /** Returns the file's name, or null where the user thought better of it. `chatIds` null: all chats. */
  async export(chatIds: readonly string[] | null, format: ExportFormat): Promise<string | null> {
    const { storage, chooseTarget } = this.#options;
    const chats = chatIds === null ? storage.chats.list() : chatIds.map((chatId) => storage.chats.get(chatId));
    const target = await chooseTarget(fileNameFor(chats, format));
    if (target === undefined) return null;
    const copies = this.#copies(chats);
    await writeWhole(target, format === 'json' ? fileLines(copies) : markdownOf(copies));
    return path.basename(target);
  }

  /** Takes the chats of files in; null where the user thought better of it. Throws AppError for a file that is none of ours. */
  async import(): Promise<ImportSummary | null> {
    const sources = await this.#options.chooseSources();
    if (sources.length === 0) return null;
    const summary: ImportSummary = { chats: 0, messages: 0, known: 0, skipped: [] };
    try {
      for (const source of sources) await this.#importFile(source, summary);
    } finally {
      // What was taken in before a failure is there.
      if (summary.chats > 0) {
        this.#options.emit({ type: 'folders', folders: this.#options.storage.folders.list() });
        this.#options.emit({ type: 'chats-changed' });
      }
    }
    if (summary.skipped.length > NAMED) {
      const others = summary.skipped.splice(NAMED).length;
      summary.skipped.push({ title: '…', reason: phrase`${others} more could not be read` });
    }
    return summary;
  }

  *#copies(chats: readonly Chat[]): Generator<FileChat> {
    for (const chat of chats) {
      const { chat: head, ...copy } = this.#options.storage.copies.read(chat);
      yield { ...head, ...copy } as FileChat;
    }
  }

  async #importFile(source: string, summary: ImportSummary): Promise<void> {
    let version: number | undefined;
    try {
      for await (const line of linesOf(source)) {
        if (version === undefined) {
          version = versionOf(line);
          if (version === undefined) throw notOurs(source);
          if (version > VERSION) throw tooNew(source);
        } else if (line.startsWith('{')) this.#importChat(line, summary);
      }
    } catch (error) {
      if (error instanceof AppError) throw error;
      throw new AppError('bad-input', phrase`"${path.basename(source)}" could not be read: ${messageOf(error)}.`, {
        action: 'Check that the file is there and that you may read it.',
      });
    }
    if (version === undefined) throw notOurs(source);
  }

  #importChat(line: string, summary: ImportSummary): void {
    const parsed = parseChatLine(line);
    if ('reason' in parsed) {
      summary.skipped.push(parsed);
      return;
    }
    const { folder, leafId, messages, ...chat } = parsed;
    const copy: ChatCopy = { chat, leafId, messages, ...(folder === undefined ? {} : { folder }) };
    if (this.#options.storage.copies.has(copy)) {
      summary.known += 1;
      return;
    }
    this.#options.storage.copies.write(copy);
    summary.chats += 1;
    summary.messages += messages.length;
  }
}

function fileNameFor(chats: readonly Chat[], format: ExportFormat): string {
  const [only] = chats;
  const name =
    chats.length === 1 && only !== undefined ? only.title : `ShadowNPU ${new Date().toISOString().slice(0, 10)}`;
  return fileNameOf(name, 'Chat', format === 'json' ? 'json' : 'md');
}

async function* linesOf(source: string): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of createReadStream(source, { encoding: 'utf8' })) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > LONGEST_LINE) throw new Error('a line of it is too long');
    yield* lines;
  }
  yield rest;
}

function notOurs(source: string): AppError {
  return new AppError(
    'bad-input',
    phrase`"${path.basename(source)}" is not a file of chats that ShadowNPU has exported.`,
    {
      action: 'Choose a JSON file that was made by "Export as JSON".',
    },
  );
}

function tooNew(source: string): AppError {
  return new AppError('bad-input', phrase`"${path.basename(source)}" was exported by a newer version of ShadowNPU.`, {
    action: 'Install the newest version and import it there.',
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
