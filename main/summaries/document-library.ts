/** The documents that the user has added: reads them one after another and tells the windows where each stands. */
import { randomUUID } from 'node:crypto';
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { AppEvent } from '../../contract/channels.ts';
import type { DocumentHeading, DocumentPage, OcrLanguage } from '../../contract/documents.ts';
import { AppError } from '../../contract/errors.ts';
import type { LibraryDocument } from '../../contract/library-documents.ts';
import { phrase } from '../../contract/phrase.ts';
import { documentsIn, type FolderContents, leftOutOf } from '../documents/folder.ts';
import type { DocumentReader } from '../documents/reader.ts';
import type { SummaryModel } from '../documents/summarise/model.ts';
import type { StoredDocument } from '../storage/documents.ts';
import type { Storage } from '../storage/storage.ts';
import type { CountedDocuments } from './counted-documents.ts';
import { PageStore } from './page-store.ts';

/** Pages that a window may ask for at once. */
const MOST_PAGES = 50;

export interface DocumentLibraryOptions {
  storage: Storage;
  reader: DocumentReader;
  /** Reads what takes minutes: documents whose scanned pages are recognised. */
  slowReader: DocumentReader;
  /** Where the data of languages for text recognition is kept. */
  ocrFolder: string;
  /** Where pasted texts are kept. */
  pastedFolder: string;
  /** Asks for files, or a folder; none where the user thought better of it. */
  choose: (kind: 'files' | 'folder') => Promise<readonly string[]>;
  counted: CountedDocuments;
  /** Undefined where none is loaded. */
  loadedModel: () => SummaryModel | undefined;
  emit: (event: AppEvent) => void;
  log: (line: string) => void;
}

interface Reading {
  readonly abort: AbortController;
  progress?: { done: number; total: number };
  /** Its turn has come. */
  begun: boolean;
  recognising: boolean;
}

interface HowToRead {
  password?: string | undefined;
  /** Recognises the text of scanned pages in these languages. */
  recognise?: OcrLanguage[] | undefined;
}

export class DocumentLibrary {
  readonly #options: DocumentLibraryOptions;
  readonly #reading = new Map<string, Reading>();
  /** Settles when the document before has been counted. */
  #counting: Promise<void> = Promise.resolve();
  readonly #changed = new Map<string, 'changed' | 'gone'>();
  /** Of documents that were opened with one, until the app ends. */
  readonly #passwords = new Map<string, string>();
  #ended = false;

  constructor(options: DocumentLibraryOptions) {
    this.#options = options;
    // The app ended before these were read.
    for (const { id, path: file, state } of options.storage.documents.list()) {
      if (state === 'waiting' && file !== undefined) void this.#read(id);
    }
    void this.#sweep();
  }

  /** Looks first whether the files have changed; documents not counted yet are counted afterwards. */
  async list(): Promise<LibraryDocument[]> {
    const { documents } = this.#options.storage;
    await Promise.all(documents.list().map((document) => this.#lookAt(document)));
    // Read once more: one may have been removed meanwhile, and its event told before this answer.
    const now = documents.list();
    const model = this.#options.loadedModel()?.name;
    for (const { id, tokens } of now) if (model !== undefined && tokens?.model !== model) this.#count(id);
    return now.map((document) => this.#shown(document));
  }

  async add(kind: 'files' | 'folder'): Promise<LibraryDocument[]> {
    return this.addPaths(await this.#options.choose(kind));
  }

  /** Folders are searched; an event tells what was left out of them. Throws AppError where a folder has nothing at all. */
  async addPaths(paths: readonly string[]): Promise<LibraryDocument[]> {
    const added: LibraryDocument[] = [];
    const searched: { folder: string; skipped: FolderContents['skipped'] }[] = [];
    for (const file of paths) {
      const facts = await stat(file).catch(() => undefined);
      if (!facts?.isDirectory()) {
        added.push(this.#addFile(file, facts?.size ?? 0));
        continue;
      }
      const { files, skipped } = await documentsIn(file);
      if (files.length + skipped.length === 0) {
        throw new AppError('bad-input', phrase`There is no document in “${path.basename(file)}”.`, {
          action: 'Choose a folder with PDF, Office, EPUB, HTML or text files.',
        });
      }
      searched.push({ folder: file, skipped });
      for (const one of files) added.push(this.#addFile(one.path, one.bytes));
    }
    if (searched.length > 0) {
      this.#options.emit({ type: 'folder-added', added: added.length, leftOut: leftOutOf(searched) });
    }
    return added;
  }

  /** Pasted text is kept as a file of the app's own, and read like any other. Throws AppError. */
  async paste(text: string): Promise<LibraryDocument> {
    const { pastedFolder } = this.#options;
    const words = text
      .replaceAll(/[\p{Cc}<>:"/\\|?*\s]+/gu, ' ')
      .trim()
      .slice(0, 40)
      .trim();
    const folder = path.join(pastedFolder, randomUUID());
    const file = path.join(folder, `${words === '' ? 'Text' : words}.md`);
    try {
      await mkdir(folder, { recursive: true });
      await writeFile(file, text);
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw new AppError('storage-failed', 'The text could not be saved.', {
        action: 'Check that the disk has room, then paste it again.',
        detail: String(error),
        cause: error,
      });
    }
    return this.#addFile(file, Buffer.byteLength(text));
  }

  /** Again: after a failure, with a password, since the file changed, or with the text of scanned pages. */
  read(documentId: string, how: HowToRead = {}): void {
    const { path: file } = this.#options.storage.documents.get(documentId);
    if (file === undefined || this.#reading.has(documentId)) return;
    this.#options.storage.documents.reopen(documentId);
    void this.#read(documentId, how);
  }

  stop(documentId: string): void {
    this.#reading.get(documentId)?.abort.abort();
  }

  remove(documentId: string): void {
    this.stop(documentId);
    const { path: file } = this.#options.storage.documents.get(documentId);
    this.#options.storage.documents.remove(documentId);
    this.#passwords.delete(documentId);
    const { pastedFolder } = this.#options;
    if (file?.startsWith(pastedFolder + path.sep)) void rm(path.dirname(file), { recursive: true, force: true });
    this.#options.emit({ type: 'document-removed', documentId });
  }

  pages(documentId: string, from: number, to: number): { headings: DocumentHeading[]; pages: DocumentPage[] } {
    const { documents } = this.#options.storage;
    return {
      headings: documents.headings(documentId),
      pages: documents.pages(documentId, from, Math.min(to, from + MOST_PAGES - 1)),
    };
  }

  /** What was not read to its end is read at the next start. */
  shutDown(): void {
    this.#ended = true;
    for (const { abort } of this.#reading.values()) abort.abort();
  }

  #addFile(file: string, bytes: number): LibraryDocument {
    const document = this.#options.storage.documents.add(path.basename(file), file, bytes);
    if (document.state !== 'ready' && !this.#reading.has(document.id)) {
      this.#options.storage.documents.reopen(document.id);
      void this.#read(document.id);
    }
    return this.#tell(document.id);
  }

  async #read(
    documentId: string,
    { password = this.#passwords.get(documentId), recognise }: HowToRead = {},
  ): Promise<void> {
    const { storage, reader, slowReader, ocrFolder, counted, log } = this.#options;
    const reading: Reading = { abort: new AbortController(), begun: false, recognising: recognise !== undefined };
    this.#reading.set(documentId, reading);
    this.#tell(documentId);
    let told = 0;
    let pages: PageStore | undefined;
    try {
      pages = new PageStore(storage.documents, documentId, reading.abort);
      const { path: file = '' } = storage.documents.get(documentId);
      const outline = await (recognise === undefined ? reader : slowReader).readPages(file, pages.take, {
        ...(password === undefined ? {} : { password }),
        ...(recognise === undefined ? {} : { ocr: { languages: recognise, folder: ocrFolder } }),
        signal: reading.abort.signal,
        onProgress: ({ done, total }) => {
          reading.begun = true;
          reading.progress = { done, total };
          if (Date.now() - told < 100 && done < total) return;
          told = Date.now();
          this.#tell(documentId);
        },
      });
      if (storage.documents.find(documentId) === undefined) return; // removed meanwhile
      pages.finish(outline);
      counted.forget(documentId);
      if (password !== undefined) this.#passwords.set(documentId, password);
      this.#changed.delete(documentId);
    } catch (thrown) {
      if (this.#ended) return;
      const error = AppError.from(pages?.failure ?? thrown).toInfo();
      const document = storage.documents.find(documentId);
      if (document === undefined) return;
      log(`document not read: ${error.kind} ${error.detail ?? ''}`);
      const givenUp = error.kind === 'cancelled' && document.outline !== undefined;
      storage.documents.fail(documentId, givenUp ? undefined : error);
    } finally {
      this.#reading.delete(documentId);
      if (!this.#ended && storage.documents.find(documentId)) this.#tell(documentId);
    }
    this.#count(documentId);
    void this.#sweep();
  }

  /** Removes pages of readings that came to no end, or were replaced, between other work. */
  async #sweep(): Promise<void> {
    const { storage, log } = this.#options;
    try {
      while (this.#reading.size === 0 && !this.#ended && storage.documents.sweepPages()) {
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    } catch (error) {
      log(`documents were not tidied up: ${AppError.from(error).message}`);
    }
  }

  /** Counts it for the loaded model, where that has not been done; one document after another. */
  #count(documentId: string): void {
    this.#counting = this.#counting.then(async () => {
      const { storage, counted, loadedModel, log } = this.#options;
      const model = loadedModel();
      const document = storage.documents.find(documentId);
      if (model === undefined || document?.outline === undefined || document.tokens?.model === model.name) return;
      try {
        const { blocks } = await counted.get(documentId, model);
        const count = blocks.reduce((sum, { tokens }) => sum + tokens, 0);
        if (storage.documents.find(documentId) === undefined) return; // removed meanwhile
        storage.documents.setTokens(documentId, { model: model.name, count });
        this.#tell(documentId);
      } catch (error) {
        log(`document not counted: ${AppError.from(error).message}`);
      }
    });
  }

  /** Whether its file is still the one that was read. */
  async #lookAt({ id, path: file, outline }: StoredDocument): Promise<void> {
    if (outline === undefined || file === undefined) return;
    const facts = await stat(file).catch(() => undefined);
    const same =
      facts !== undefined && facts.size === outline.bytes && Math.abs(facts.mtimeMs - outline.modifiedAt) < 2;
    if (same) this.#changed.delete(id);
    else this.#changed.set(id, facts === undefined ? 'gone' : 'changed');
  }

  #tell(documentId: string): LibraryDocument {
    const document = this.#shown(this.#options.storage.documents.get(documentId));
    this.#options.emit({ type: 'document', document });
    return document;
  }

  #shown(stored: StoredDocument): LibraryDocument {
    const { id, name, bytes, addedAt, error, outline, pageProblems, recognisedPages } = stored;
    const reading = this.#reading.get(id);
    const tokens = stored.tokens?.model === this.#options.loadedModel()?.name ? stored.tokens?.count : undefined;
    const file = this.#changed.get(id);
    return {
      id,
      name,
      bytes,
      addedAt,
      state: reading ? (reading.begun ? 'reading' : 'waiting') : stored.state === 'waiting' ? 'failed' : stored.state,
      ...(reading?.progress ? { progress: reading.progress } : {}),
      ...(reading?.recognising ? { recognising: true } : {}),
      ...(error && !reading ? { error } : {}),
      ...(outline === undefined
        ? {}
        : {
            ...(outline.title === undefined ? {} : { title: outline.title }),
            format: outline.format,
            unit: outline.unit,
            pageCount: outline.pageCount,
            problems: outline.problems,
            pageProblems,
            ...(recognisedPages.length > 0 ? { recognisedPages } : {}),
          }),
      ...(tokens === undefined ? {} : { tokens }),
      ...(file === undefined ? {} : { file }),
    };
  }
}
