/** Stores the pages of a document as they are read, so that a long one is neither held in memory nor written all at once. */
import type { DocumentOutline, DocumentPage } from '../../contract/documents.ts';
import type { DocumentTable } from '../storage/documents.ts';

/** Text is stored in pieces of about so many characters. */
const STORED_AT_ONCE = 100_000;

export class PageStore {
  /** Why pages could not be stored; reading was ended for that. */
  failure: unknown;
  readonly #table: DocumentTable;
  readonly #documentId: string;
  readonly #version: number;
  readonly #abort: AbortController;
  #pages: DocumentPage[] = [];
  #characters = 0;

  constructor(table: DocumentTable, documentId: string, abort: AbortController) {
    this.#table = table;
    this.#documentId = documentId;
    this.#version = table.nextVersion(documentId);
    this.#abort = abort;
  }

  readonly take = (page: DocumentPage): void => {
    this.#pages.push(page);
    this.#characters += page.text.length;
    if (this.#characters < STORED_AT_ONCE || this.#abort.signal.aborted) return;
    try {
      this.#table.addPages(this.#documentId, this.#version, this.#pages.splice(0));
      this.#characters = 0;
    } catch (error) {
      this.failure = error;
      this.#abort.abort();
    }
  };

  finish(outline: DocumentOutline): void {
    this.#table.finish(this.#documentId, { ...outline, pages: this.#pages }, this.#version);
  }
}
