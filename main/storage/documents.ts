/** Documents that the user has added: where they lie, what they are, and their text by page. */
import { randomUUID } from 'node:crypto';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import * as v from 'valibot';
import {
  type DocumentHeading,
  DocumentOutline,
  DocumentPage,
  type ExtractedDocument,
  type PageProblem,
} from '../../contract/documents.ts';
import { AppError, ErrorInfo } from '../../contract/errors.ts';
import { stored } from './failure.ts';
import { fromJson, toJson } from './json.ts';
import { transaction } from './transaction.ts';

/** Length in tokens of the model of this name. */
const TokenCount = v.object({ model: v.string(), count: v.pipe(v.number(), v.integer(), v.minValue(0)) });
export type TokenCount = v.InferOutput<typeof TokenCount>;

export interface StoredDocument {
  id: string;
  name: string;
  /** Absent: pasted text. */
  path?: string;
  bytes: number;
  addedAt: number;
  state: 'waiting' | 'ready' | 'failed';
  error?: ErrorInfo;
  outline?: DocumentOutline;
  pageProblems: { page: number; problem: PageProblem }[];
  /** Pages whose text was recognised in pictures. */
  recognisedPages: number[];
  /** Of what was read, for the model that it was counted for last. */
  tokens?: TokenCount;
}

interface DocumentRow {
  id: string;
  name: string;
  path: string | null;
  bytes: number;
  added_at: number;
  state: StoredDocument['state'];
  error: string | null;
  outline: string | null;
  tokens: string | null;
  /** Of its pages; others are of a reading that has not ended, or came to no end. */
  version: number;
}

interface PageRemark {
  number: number;
  problem: PageProblem | null;
  recognised: number;
}

/** Rows that are deleted at once. */
const SWEEP = 200;

export class DocumentTable {
  readonly #db: DatabaseSyncInstance;

  constructor(db: DatabaseSyncInstance) {
    this.#db = db;
  }

  /** The last one added first, without their headings, of which there may be many. */
  list(): StoredDocument[] {
    return stored('read your documents', () => {
      const rows = this.#db
        .prepare(
          `SELECT id, name, path, bytes, added_at, state, error, tokens, version,
            iif(json_valid(outline), json_set(outline, '$.headings', json('[]')), outline) AS outline
            FROM documents ORDER BY seq DESC`,
        )
        .all() as DocumentRow[];
      const remarks = this.#remarks();
      return rows.map((row) => toDocument(row, remarks.all(row.id, row.version) as PageRemark[]));
    });
  }

  find(documentId: string): StoredDocument | undefined {
    return stored('read the document', () => {
      const row = this.#db.prepare('SELECT * FROM documents WHERE id = ?').get(documentId) as DocumentRow | undefined;
      return row && toDocument(row, this.#remarks().all(row.id, row.version) as PageRemark[]);
    });
  }

  /** Throws AppError('bad-input') where there is no such document. */
  get(documentId: string): StoredDocument {
    const document = this.find(documentId);
    if (document) return document;
    throw new AppError('bad-input', 'This document is not in the list any more.', { action: 'Add its file again.' });
  }

  /** A file that is about to be read; one that is here already is the one that is there. */
  add(name: string, path: string | undefined, bytes: number, now: number = Date.now()): StoredDocument {
    return stored('save the document', () => {
      const known =
        path === undefined
          ? undefined
          : (this.#db.prepare('SELECT id FROM documents WHERE path = ?').get(path) as { id: string } | undefined);
      if (known) return this.get(known.id);
      const id = randomUUID();
      this.#db
        .prepare("INSERT INTO documents (id, name, path, bytes, added_at, state) VALUES (?, ?, ?, ?, ?, 'waiting')")
        .run(id, name, path ?? null, bytes, now);
      return this.get(id);
    });
  }

  /** A version for the pages of a new reading; those of the last one stay until `finish`. */
  nextVersion(documentId: string): number {
    return stored('read the document', () => {
      const { last } = this.#db
        .prepare(
          `SELECT max(version) AS last FROM (
            SELECT version FROM documents WHERE id = ?1
            UNION ALL SELECT max(version) FROM document_pages WHERE document_id = ?1)`,
        )
        .get(documentId) as { last: number | null };
      return (last ?? 0) + 1;
    });
  }

  /** Some pages of a document that is being read. Nothing where it has been removed meanwhile. */
  addPages(documentId: string, version: number, pages: readonly DocumentPage[]): void {
    stored('save the document', () => transaction(this.#db, () => this.#insertPages(documentId, version, pages)));
  }

  /** What was read takes the place of what was there. `pages`: those that were not added yet. */
  finish(
    documentId: string,
    { pages, ...outline }: ExtractedDocument,
    version: number = this.nextVersion(documentId),
  ): void {
    stored('save the document', () =>
      transaction(this.#db, () => {
        this.#insertPages(documentId, version, pages);
        this.#db
          .prepare(
            "UPDATE documents SET version = ?, state = 'ready', error = NULL, tokens = NULL, bytes = ?, outline = ? WHERE id = ?",
          )
          .run(version, outline.bytes, JSON.stringify(outline), documentId);
      }),
    );
  }

  /** Deletes some pages of readings that came to no end or were replaced; none may be going on. Whether there may be more. */
  sweepPages(): boolean {
    const rows = stored('tidy up the documents', () =>
      this.#db
        .prepare(
          `DELETE FROM document_pages WHERE seq IN (
            SELECT page.seq FROM documents document JOIN document_pages page
              ON page.document_id = document.id AND page.version <> document.version
            LIMIT ${SWEEP})`,
        )
        .run(),
    );
    return Number(rows.changes) === SWEEP;
  }

  setTokens(documentId: string, tokens: TokenCount): void {
    stored('save the document', () =>
      this.#db.prepare('UPDATE documents SET tokens = ? WHERE id = ?').run(toJson(tokens), documentId),
    );
  }

  /** What was read before stays, and can be worked with. Without an error: reading it again was given up. */
  fail(documentId: string, error?: ErrorInfo): void {
    const { detail: _, ...told } = error ?? {};
    stored('save the document', () =>
      this.#db
        .prepare("UPDATE documents SET state = iif(outline IS NULL, 'failed', 'ready'), error = ? WHERE id = ?")
        .run(error === undefined ? null : JSON.stringify(told), documentId),
    );
  }

  /** To be read again. */
  reopen(documentId: string): void {
    stored('save the document', () =>
      this.#db.prepare("UPDATE documents SET state = 'waiting', error = NULL WHERE id = ?").run(documentId),
    );
  }

  /** With its pages, summaries and answers. Removing what is gone is no error. */
  remove(documentId: string): void {
    stored('remove the document', () => this.#db.prepare('DELETE FROM documents WHERE id = ?').run(documentId));
  }

  /** Pages `from` to `to`, both included. */
  pages(documentId: string, from = 1, to: number = Number.MAX_SAFE_INTEGER): DocumentPage[] {
    return stored('read the document', () => {
      const rows = this.#db
        .prepare(
          `SELECT page.* FROM documents document JOIN document_pages page
            ON page.document_id = document.id AND page.version = document.version
            WHERE document.id = ? AND page.number BETWEEN ? AND ? ORDER BY page.number`,
        )
        .all(documentId, from, to) as Record<string, string | number | null>[];
      return rows.map(({ number, label, lines, text, problem, recognised }) =>
        v.parse(DocumentPage, {
          number,
          text,
          ...(label === null ? {} : { label }),
          ...(lines === null ? {} : { lines: fromJson(String(lines)) }),
          ...(problem === null ? {} : { problem }),
          ...(recognised === 1 ? { recognised: true } : {}),
        }),
      );
    });
  }

  headings(documentId: string): DocumentHeading[] {
    return this.get(documentId).outline?.headings ?? [];
  }

  #insertPages(documentId: string, version: number, pages: readonly DocumentPage[]): void {
    const insert = this.#db.prepare(
      `INSERT INTO document_pages (document_id, version, number, label, lines, text, problem, recognised)
        SELECT id, ?, ?, ?, ?, ?, ?, ? FROM documents WHERE id = ?`,
    );
    for (const { number, label, lines, text, problem, recognised = false } of pages) {
      const values = [number, label ?? null, toJson(lines), text, problem ?? null, Number(recognised)];
      insert.run(version, ...values, documentId);
    }
  }

  /** Pages of a document that could not be read whole, or were recognised. Two questions, each with an index of its own. */
  #remarks() {
    return this.#db.prepare(
      `SELECT number, problem, recognised FROM document_pages
        WHERE document_id = ?1 AND version = ?2 AND problem IS NOT NULL
      UNION
      SELECT number, problem, recognised FROM document_pages
        WHERE document_id = ?1 AND version = ?2 AND recognised = 1
      ORDER BY number`,
    );
  }
}

function toDocument(row: DocumentRow, remarks: readonly PageRemark[]): StoredDocument {
  const outline = row.outline === null ? undefined : v.safeParse(DocumentOutline, fromJson(row.outline));
  const error = row.error === null ? undefined : v.safeParse(ErrorInfo, fromJson(row.error));
  const tokens = row.tokens === null ? undefined : v.safeParse(TokenCount, fromJson(row.tokens));
  return {
    id: row.id,
    name: row.name,
    ...(row.path === null ? {} : { path: row.path }),
    bytes: row.bytes,
    addedAt: row.added_at,
    // What cannot be understood any more is read again.
    state: row.state === 'ready' && !outline?.success ? 'waiting' : row.state,
    ...(error?.success ? { error: error.output } : {}),
    ...(outline?.success ? { outline: outline.output } : {}),
    ...(tokens?.success ? { tokens: tokens.output } : {}),
    pageProblems: remarks.flatMap(({ number, problem }) => (problem === null ? [] : [{ page: number, problem }])),
    recognisedPages: remarks.flatMap(({ number, recognised }) => (recognised === 1 ? [number] : [])),
  };
}
