/** Comparisons, each whole in a row: one is written once a way of answering. */
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import * as v from 'valibot';
import { type ComparisonEntry, comparisonEntry, KeptComparison } from '../../contract/compare.ts';
import { AppError } from '../../contract/errors.ts';
import { stored } from './failure.ts';
import { fromJson } from './json.ts';

export class ComparisonTable {
  readonly #db: DatabaseSyncInstance;

  constructor(db: DatabaseSyncInstance) {
    this.#db = db;
  }

  /** The last one first. */
  list(): ComparisonEntry[] {
    return this.#all('ORDER BY seq DESC').map(comparisonEntry);
  }

  /** Throws AppError('bad-input') where there is no such comparison. */
  get(comparisonId: string): KeptComparison {
    const comparison = this.find(comparisonId);
    if (comparison) return comparison;
    throw new AppError('bad-input', 'This comparison does not exist any more.', { action: 'Choose another one.' });
  }

  find(comparisonId: string): KeptComparison | undefined {
    return this.#all('WHERE id = ?', comparisonId)[0];
  }

  /** The last whole curve of a model. */
  lastCurve(model: string): Extract<KeptComparison, { kind: 'curve' }> | undefined {
    const found = this.#all(
      `WHERE json_extract(body, '$.kind') = 'curve' AND json_extract(body, '$.state') = 'complete'
         AND json_extract(body, '$.model') = ? ORDER BY seq DESC LIMIT 1`,
      model,
    );
    return found[0]?.kind === 'curve' ? found[0] : undefined;
  }

  put(comparison: KeptComparison): void {
    stored('save the comparison', () =>
      this.#db
        .prepare('INSERT INTO comparisons (id, body) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET body = excluded.body')
        .run(comparison.id, JSON.stringify(comparison)),
    );
  }

  remove(comparisonId: string): void {
    stored('remove the comparison', () => this.#db.prepare('DELETE FROM comparisons WHERE id = ?').run(comparisonId));
  }

  /** What a crash of the app cut off counts as stopped. */
  stopUnfinished(): void {
    for (const comparison of this.#all("WHERE json_extract(body, '$.state') = 'running'"))
      this.put(stoppedNow(comparison));
  }

  /** None that was written by a version that knew other fields. */
  #all(which: string, ...values: string[]): KeptComparison[] {
    return stored('read the comparisons', () =>
      this.#db
        .prepare(`SELECT body FROM comparisons ${which}`)
        .all(...values)
        .flatMap((row) => {
          const result = v.safeParse(KeptComparison, fromJson((row as { body: string }).body));
          return result.success ? [result.output] : [];
        }),
    );
  }
}

function stoppedNow(comparison: KeptComparison): KeptComparison {
  if (comparison.kind === 'curve') return { ...comparison, state: 'stopped' };
  const rows = comparison.rows.map((row) =>
    row.state === 'waiting' || row.state === 'running' ? { ...row, state: 'stopped' as const } : row,
  );
  return { ...comparison, state: 'stopped', rows };
}
