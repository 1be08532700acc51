/** Summaries and answers about documents, each whole in a row: they are written once a section at the most. */
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import * as v from 'valibot';
import { AppError } from '../../contract/errors.ts';
import { DocumentAnswer, Summary } from '../../contract/summaries.ts';
import { stored } from './failure.ts';
import { fromJson } from './json.ts';

export class SummaryTable {
  readonly #db: DatabaseSyncInstance;

  constructor(db: DatabaseSyncInstance) {
    this.#db = db;
  }

  /** The last one first. */
  list(documentId: string): Summary[] {
    return stored('read the summaries', () =>
      this.#db
        .prepare('SELECT body FROM summaries WHERE document_id = ? ORDER BY seq DESC')
        .all(documentId)
        .flatMap((row) => parsed(Summary, row)),
    );
  }

  /** Throws AppError('bad-input') where there is no such summary. */
  get(summaryId: string): Summary {
    const [summary] = stored('read the summary', () =>
      this.#db
        .prepare('SELECT body FROM summaries WHERE id = ?')
        .all(summaryId)
        .flatMap((row) => parsed(Summary, row)),
    );
    if (summary) return summary;
    throw new AppError('bad-input', 'This summary does not exist any more.', {
      action: 'Summarise the document again.',
    });
  }

  put(summary: Summary): void {
    stored('save the summary', () =>
      this.#db
        .prepare(
          `INSERT INTO summaries (id, document_id, model, body) VALUES (?, ?, ?, ?)
           ON CONFLICT (id) DO UPDATE SET model = excluded.model, body = excluded.body`,
        )
        .run(summary.id, summary.documentId, summary.model, JSON.stringify(summary)),
    );
  }

  remove(summaryId: string): void {
    stored('remove the summary', () => this.#db.prepare('DELETE FROM summaries WHERE id = ?').run(summaryId));
  }

  /** The last answers that were asked of this document among others, the last one first. */
  answers(documentId: string): DocumentAnswer[] {
    return stored('read the answers', () =>
      this.#db
        .prepare(
          `SELECT body FROM document_answers a WHERE EXISTS
             (SELECT 1 FROM json_each(a.body, '$.documentIds') WHERE value = ?) ORDER BY seq DESC LIMIT 200`,
        )
        .all(documentId)
        .flatMap((row) => parsed(DocumentAnswer, row)),
    );
  }

  putAnswer(answer: DocumentAnswer): void {
    stored('save the answer', () =>
      this.#db
        .prepare(
          `INSERT INTO document_answers (id, document_id, body) VALUES (?, ?, ?)
           ON CONFLICT (id) DO UPDATE SET body = excluded.body`,
        )
        .run(answer.id, answer.documentIds[0] ?? '', JSON.stringify(answer)),
    );
  }

  /** What a crash of the app cut off counts as stopped. */
  stopUnfinished(): void {
    stored('read the summaries', () => {
      this.#db.exec(`
        UPDATE summaries SET body = json_set(body, '$.state', 'stopped')
          WHERE json_extract(body, '$.state') IN ('waiting', 'running');
        UPDATE document_answers SET body = json_set(body, '$.state', 'stopped')
          WHERE json_extract(body, '$.state') IN ('waiting', 'running');
      `);
    });
  }
}

/** None where it was written by a version that knew other fields. */
function parsed<S extends typeof Summary | typeof DocumentAnswer>(schema: S, row: unknown): v.InferOutput<S>[] {
  const result = v.safeParse(schema, fromJson((row as { body: string }).body));
  return result.success ? [result.output] : [];
}
