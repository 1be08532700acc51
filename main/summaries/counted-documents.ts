/**
 * Documents with their paragraphs counted in tokens. Counting a long document keeps the engine busy for a while: the last
 * ones are kept for whoever asks next, as planning, starting and asking do one after another.
 */
import type { DocumentPage } from '../../contract/documents.ts';
import { AppError } from '../../contract/errors.ts';
import { phrase } from '../../contract/phrase.ts';
import { countBlocks } from '../documents/summarise/count.ts';
import type { SummaryModel } from '../documents/summarise/model.ts';
import type { CountedBlock } from '../documents/summarise/split.ts';
import type { DocumentTable } from '../storage/documents.ts';

/** So many documents are kept. */
const MOST_KEPT = 4;
/** So many pages are taken at once. */
const SLICE = 50;

export interface CountedDocument {
  readonly id: string;
  readonly name: string;
  readonly sha256: string;
  readonly pages: readonly DocumentPage[];
  readonly blocks: readonly CountedBlock[];
}

export class CountedDocuments {
  readonly #table: DocumentTable;
  /** By document and what it was counted for; the last one used is last. */
  readonly #kept = new Map<string, Promise<CountedDocument>>();

  constructor(table: DocumentTable) {
    this.#table = table;
  }

  /** Throws AppError: no such document, one that has not been read, or one of the model. */
  get(documentId: string, model: SummaryModel): Promise<CountedDocument> {
    const key = JSON.stringify([documentId, this.assertRead(documentId).sha256, model.name]);
    const counted = this.#kept.get(key) ?? this.#count(documentId, model);
    this.#kept.delete(key);
    this.#kept.set(key, counted);
    counted.catch(() => this.#kept.delete(key));
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    return counted;
  }

  /** The document was read anew: the same file may have given another text. */
  forget(documentId: string): void {
    for (const key of this.#kept.keys()) if (JSON.parse(key)[0] === documentId) this.#kept.delete(key);
  }

  /** What was read of a document. Throws AppError 'bad-input' where nothing was. */
  assertRead(documentId: string): { sha256: string } {
    const { outline, name } = this.#table.get(documentId);
    if (outline) return outline;
    throw new AppError('bad-input', phrase`“${name}” has not been read yet.`, {
      action: 'Wait until it has been read.',
    });
  }

  async #count(documentId: string, model: SummaryModel): Promise<CountedDocument> {
    const { sha256 } = this.assertRead(documentId);
    const { id, name, outline } = this.#table.get(documentId);
    const pages: DocumentPage[] = [];
    const blocks: CountedBlock[] = [];
    // Slice by slice, with other work in between: a document may have thousands of pages.
    for (let from = 1; from <= (outline?.pageCount ?? 0); from += SLICE) {
      const slice = this.#table.pages(documentId, from, from + SLICE - 1);
      const headings = outline?.headings.filter(({ page }) => page >= from && page < from + SLICE) ?? [];
      pages.push(...slice);
      blocks.push(...(await countBlocks({ pages: slice, headings }, model)));
    }
    return { id, name, sha256, pages, blocks };
  }
}
