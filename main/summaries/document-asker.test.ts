/** Questions about documents as the app keeps them: what happens to an answer that cannot be saved, or is stopped. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { AppEvent } from '../../contract/channels.ts';
import { AppError } from '../../contract/errors.ts';
import type { DocumentAnswer } from '../../contract/summaries.ts';
import type { SummaryModel } from '../documents/summarise/model.ts';
import { openStorage, type Storage } from '../storage/storage.ts';
import { CountedDocuments } from './counted-documents.ts';
import { DocumentAsker } from './document-asker.ts';

let folder: string;
let storage: Storage;
let events: AppEvent[];
let documentId: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'asked 问 '));
  storage = openStorage(folder);
  events = [];
  documentId = storage.documents.add('Towns.pdf', '/nowhere/Towns.pdf', 10).id;
  storage.documents.finish(documentId, {
    format: 'pdf',
    unit: 'page',
    pageCount: 1,
    headings: [],
    problems: [],
    bytes: 10,
    sha256: 'a'.repeat(64),
    modifiedAt: 1,
    pages: [{ number: 1, text: 'Eastby has 870 inhabitants.' }],
  });
});
afterEach(() => {
  storage.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Answers in two pieces; `between` happens after the first. */
function asker(between: () => void | Promise<void>): DocumentAsker {
  const model: SummaryModel = {
    name: 'teller',
    contextSize: 2000,
    countTokens: async (texts) => texts.map((text) => text.length),
    countPrompt: async () => 50,
    generate: async (_turns, { signal, onDelta }) => {
      onDelta('Eastby has ');
      await between();
      if (signal.aborted) throw new AppError('cancelled', 'It was stopped.');
      onDelta('870 inhabitants.');
      const figures = { promptTokens: 1, cachedTokens: 0, completionTokens: 1, prefillSeconds: 1, decodeSeconds: 1 };
      return { text: 'Eastby has 870 inhabitants.', cut: false, ...figures };
    },
  };
  return new DocumentAsker({
    storage,
    documents: new CountedDocuments(storage.documents),
    openModel: async () => model,
    emit: (event) => events.push(event),
    log: () => undefined,
  });
}

/** Another program holds the database: nothing can be written until it lets go. */
function lock(): { release: () => void } {
  const other = new DatabaseSync(path.join(folder, 'chats.db'));
  other.exec('BEGIN IMMEDIATE');
  return {
    release: () => {
      other.exec('ROLLBACK');
      other.close();
    },
  };
}

const told = (state: DocumentAnswer['state']) =>
  vi.waitUntil(
    () =>
      events
        .flatMap((event) => (event.type === 'document-answer' ? [event.answer] : []))
        .find((answer) => answer.state === state),
    { timeout: 30_000 },
  );

it('an answer is cited and kept', async () => {
  asker(() => undefined).ask([documentId], 'How many live in Eastby?');
  const answer = await told('complete');
  expect(answer.points[0]?.citations[0]).toMatchObject({ documentId, page: 1, range: [0, 27] });
  expect(storage.summaries.answers(documentId)).toEqual([answer]);
});

it('an answer that cannot be saved is told with its text and the reason, and the next one is kept', async () => {
  let held: ReturnType<typeof lock> | undefined;
  const locked = asker(() => {
    held = lock();
  });
  locked.ask([documentId], 'How many live in Eastby?');
  const answer = await told('failed');
  expect(answer).toMatchObject({ text: 'Eastby has 870 inhabitants.', error: { kind: 'storage-failed' } });
  expect(answer.error?.message).toContain('Could not save the answer');
  expect(() => locked.ask([documentId], 'And now?')).toThrow(/Could not save the answer/);
  held?.release();
  // What was saved last is still there, and stands for an answer that did not come to its end.
  expect(storage.summaries.answers(documentId)).toMatchObject([{ state: 'running', text: '' }]);
  storage.summaries.stopUnfinished();
  expect(storage.summaries.answers(documentId)).toMatchObject([{ state: 'stopped' }]);
  events.length = 0;
  asker(() => undefined).ask([documentId], 'And now?');
  const next = await told('complete');
  expect(storage.summaries.answers(documentId)[0]).toEqual(next);
});

it('a stopped answer keeps what there is of it', async () => {
  const stopped = asker(() => stopped.stop(id));
  const { id } = stopped.ask([documentId], 'How many live in Eastby?');
  expect(await told('stopped')).toMatchObject({ text: 'Eastby has ', points: [] });
  expect(storage.summaries.answers(documentId)).toMatchObject([{ text: 'Eastby has ', state: 'stopped' }]);
});
