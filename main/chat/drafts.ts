/** Drafts and the files attached to them: kept in the database, read in the background, told to every window. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { AppEvent } from '../../contract/channels.ts';
import type { Attachment, Draft } from '../../contract/drafts.ts';
import { AppError, type ErrorInfo } from '../../contract/errors.ts';
import { phrase } from '../../contract/phrase.ts';
import type { DocumentReader } from '../documents/reader.ts';
import type { Storage } from '../storage/storage.ts';
import { attachmentText } from './attachment-text.ts';

const MOST_ATTACHMENTS = 50;
/** Progress comes by page; a bar needs this much of it. */
const TELL_EVERY_MS = 200;

export interface DraftsOptions {
  storage: Storage;
  reader: Pick<DocumentReader, 'read'>;
  /** Asks the user for files; empty where none were chosen. */
  chooseFiles: () => Promise<string[]>;
  /** What an attachment takes of the loaded model's context; undefined where none is loaded. */
  tokensOf: (attachment: Attachment) => Promise<number | undefined>;
  emit: (event: AppEvent) => void;
  log: (line: string) => void;
}

/** What is known of an attachment only while the app runs. */
interface Open {
  path: string;
  abort: AbortController;
  progress?: Attachment['progress'];
  tokens?: number;
}

export class Drafts {
  readonly #options: DraftsOptions;
  readonly #open = new Map<string, Open>();

  constructor(options: DraftsOptions) {
    this.#options = options;
    options.storage.attachments.failUnfinished({
      kind: 'cancelled',
      message: 'The app ended before this file had been read.',
      action: 'Attach it again.',
    });
  }

  list(): Draft[] {
    const drafts = this.#options.storage.drafts.list();
    return drafts.map((draft) => ({ ...draft, attachments: draft.attachments.map((one) => this.#live(one)) }));
  }

  /** `by` is the window that has the text already. */
  setText(chatId: string | null, text: string, by: string): void {
    this.#options.storage.drafts.setText(chatId, text);
    this.#options.emit({ type: 'draft', chatId, text, by });
  }

  /** Lets the user choose files for a draft. */
  async choose(chatId: string | null): Promise<Attachment[]> {
    const paths = await this.#options.chooseFiles();
    return paths.length === 0 ? this.#ofDraft(chatId) : this.attach(chatId, paths);
  }

  /** Attaches files and begins to read them. Throws AppError 'bad-input' where none of them is a file. */
  async attach(chatId: string | null, paths: readonly string[]): Promise<Attachment[]> {
    const { storage } = this.#options;
    if (chatId !== null) storage.chats.get(chatId);
    const files = await Promise.all(
      [...new Set(paths.map((one) => path.resolve(one)))].map(async (file) => {
        const found = await stat(file).catch(() => undefined);
        return found?.isFile() ? [{ file, bytes: found.size }] : [];
      }),
    ).then((found) => found.flat());
    if (files.length === 0) {
      throw new AppError('bad-input', 'This is not a file that could be attached.', {
        action: 'Attach documents or text files, one or several.',
      });
    }
    if (storage.attachments.ofDraft(chatId).length + files.length > MOST_ATTACHMENTS) {
      throw new AppError('bad-input', phrase`A question takes at most ${MOST_ATTACHMENTS} files.`, {
        action: 'Attach fewer files.',
      });
    }
    for (const { file, bytes } of files) {
      const { id } = storage.attachments.add(chatId, path.basename(file), bytes);
      void this.#read(id, file);
    }
    return this.#tell(chatId);
  }

  /** Reads a failed one again. Throws AppError 'bad-input' where the app has been restarted since. */
  retry(attachmentId: string, password?: string): void {
    const { storage } = this.#options;
    const found = storage.attachments.find(attachmentId);
    if (found?.attachment.state !== 'failed') return;
    const open = this.#open.get(attachmentId);
    if (open === undefined) {
      throw new AppError('bad-input', 'The app does not know any more where this file lies.', {
        action: 'Remove it and attach it again.',
      });
    }
    storage.attachments.reopen(attachmentId);
    void this.#read(attachmentId, open.path, password);
    this.#tell(found.chatId);
  }

  remove(attachmentId: string): void {
    const { storage } = this.#options;
    const found = storage.attachments.find(attachmentId);
    if (found === undefined || found.messageId !== null) return;
    this.#open.get(attachmentId)?.abort.abort();
    this.#open.delete(attachmentId);
    storage.attachments.remove(attachmentId);
    this.#tell(found.chatId);
  }

  /** For the end of the app. */
  shutDown(): void {
    for (const { abort } of this.#open.values()) abort.abort();
  }

  async #read(id: string, file: string, password?: string): Promise<void> {
    const { storage, reader, tokensOf, log } = this.#options;
    const open: Open = { path: file, abort: new AbortController() };
    this.#open.set(id, open);
    const { signal } = open.abort;
    let toldAt = 0;
    try {
      const document = await reader.read(file, {
        signal,
        ...(password === undefined ? {} : { password }),
        onProgress: ({ done, total }) => {
          open.progress = { done, total };
          if (Date.now() - toldAt < TELL_EVERY_MS) return;
          toldAt = Date.now();
          this.#changed(id);
        },
      });
      if (signal.aborted) return;
      const { text, problem } = attachmentText(document, path.basename(file));
      const { bytes, sha256 } = document;
      storage.attachments.finish(id, { state: 'ready', text, bytes, sha256, ...(problem ? { error: problem } : {}) });
    } catch (thrown) {
      if (signal.aborted) return;
      const { detail, ...error } = AppError.from(thrown).toInfo();
      log(`attachment not read: ${error.kind}: ${detail ?? error.message}`);
      this.#fail(id, error);
    } finally {
      delete open.progress;
    }
    this.#changed(id);
    const ready = storage.attachments.find(id)?.attachment;
    const tokens = ready?.state === 'ready' ? await tokensOf(ready).catch(() => undefined) : undefined;
    if (tokens === undefined) return;
    open.tokens = tokens;
    this.#changed(id);
  }

  #fail(id: string, error: ErrorInfo): void {
    try {
      this.#options.storage.attachments.finish(id, { state: 'failed', error });
    } catch (thrown) {
      this.#options.log(`attachment not saved: ${AppError.from(thrown).message}`);
    }
  }

  #changed(id: string): void {
    const found = this.#options.storage.attachments.find(id);
    if (found && found.messageId === null) this.#tell(found.chatId);
  }

  #tell(chatId: string | null): Attachment[] {
    const attachments = this.#ofDraft(chatId);
    this.#options.emit({ type: 'attachments', chatId, attachments });
    return attachments;
  }

  #ofDraft(chatId: string | null): Attachment[] {
    return this.#options.storage.attachments.ofDraft(chatId).map((one) => this.#live(one));
  }

  #live(attachment: Attachment): Attachment {
    const { progress, tokens } = this.#open.get(attachment.id) ?? {};
    return { ...attachment, ...(progress ? { progress } : {}), ...(tokens === undefined ? {} : { tokens }) };
  }
}
