import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AppEvent } from '../../contract/channels.ts';
import { AppError } from '../../contract/errors.ts';
import type { Summary, SummaryOptions } from '../../contract/summaries.ts';
import type { SummaryModel } from '../documents/summarise/model.ts';
import { openStorage, type Storage } from '../storage/storage.ts';
import { CountedDocuments } from './counted-documents.ts';
import { SummaryFiles } from './summary-files.ts';
import { SummaryService } from './summary-service.ts';

let folder: string;
let storage: Storage;
let events: AppEvent[];

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'summaries 摘要 '));
  storage = openStorage(folder);
  events = [];
});
afterEach(() => {
  storage.close();
  rmSync(folder, { recursive: true, force: true });
});

const options: SummaryOptions = { style: 'key-points', length: 'short', language: 'document' };
const words = (text: string) => text.split(/\s+/).filter(Boolean).length;

/** Answers with the first fact of the prompt; a token is a word. `hold` keeps an answer until it is let go or stopped. */
function model(hold?: (prompt: string) => Promise<void> | undefined): SummaryModel {
  return {
    name: 'ruled',
    contextSize: 320,
    countTokens: async (texts) => texts.map(words),
    countPrompt: async (turns) => turns.reduce((sum, { content }) => sum + words(content), 0),
    generate: async (turns, { signal, onDelta }) => {
      const prompt = turns.at(-1)?.content ?? '';
      await Promise.race([
        hold?.(prompt),
        new Promise<void>((resolve) => {
          if (hold === undefined) resolve();
          signal.addEventListener('abort', () => resolve());
        }),
      ]);
      if (signal.aborted) throw new AppError('cancelled', 'stopped');
      const text = `- ${/Town\d+ has \d+ inhabitants/.exec(prompt)?.[0] ?? 'Nothing is known'}.`;
      onDelta(text);
      return {
        text,
        cut: false,
        promptTokens: 200,
        cachedTokens: 0,
        completionTokens: 20,
        prefillSeconds: 2,
        decodeSeconds: 1,
      };
    },
  };
}

/** A document of as many towns as pages, and one page without text. */
function addDocument(towns: number): string {
  const { id } = storage.documents.add('Towns.pdf', '/nowhere/Towns.pdf', 10);
  const pages = Array.from({ length: towns }, (_, i) => ({
    number: i + 1,
    label: `A-${i + 1}`,
    text: `Town${i + 1} has ${1000 + i} inhabitants. ${'It is old and lies on a river. '.repeat(14)}`,
  }));
  storage.documents.finish(id, {
    format: 'pdf',
    unit: 'page',
    pageCount: towns + 1,
    headings: [],
    problems: [],
    bytes: 10,
    sha256: 'a'.repeat(64),
    modifiedAt: 1,
    pages: [...pages, { number: towns + 1, text: '', problem: 'scanned' }],
  });
  return id;
}

function service(made: SummaryModel): SummaryService {
  const log = () => undefined;
  const documents = new CountedDocuments(storage.documents);
  return new SummaryService({
    storage,
    documents,
    openModel: async () => made,
    emit: (event) => events.push(event),
    log,
  });
}

async function until(summaryId: string, done: (summary: Summary) => boolean): Promise<Summary> {
  for (let tries = 0; tries < 500; tries += 1) {
    const summary = storage.summaries.get(summaryId);
    if (done(summary)) return summary;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('the summary did not get there');
}

describe('a summary of a document', () => {
  it('is planned, made section by section, covers all and cites pages by their labels', async () => {
    const documentId = addDocument(4);
    const summaries = service(model());
    const plan = await summaries.plan(documentId, options);
    expect(plan).toMatchObject({ strategy: 'hierarchical', measured: false, pagesWithoutText: [5] });
    expect(plan.sections.map(({ pages }) => pages)).toEqual([1, 2, 3, 4].map((page) => [page, page]));
    const { id } = await summaries.start(documentId, options);
    const done = await until(id, ({ state }) => state === 'complete');
    expect(done.coverage).toEqual({
      tokensRead: plan.documentTokens,
      tokensTotal: plan.documentTokens,
      pagesWithoutText: [5],
      failedSections: [],
    });
    expect(done.sections.map(({ points }) => points[0]?.citations[0])).toMatchObject(
      [1, 2, 3, 4].map((page) => ({ page, label: `A-${page}` })),
    );
    expect(events.filter(({ type }) => type === 'summary').length).toBeGreaterThan(4);
    // Now the speed is known.
    expect((await summaries.plan(documentId, options)).measured).toBe(true);
  });

  it('that is stopped keeps what is done, over a restart too, and goes on with the rest', async () => {
    const documentId = addDocument(4);
    const seen: string[] = [];
    const stuck = model((prompt) => {
      const town = /Town\d+/.exec(prompt)?.[0] ?? '';
      seen.push(town);
      return town === 'Town3' ? new Promise(() => undefined) : Promise.resolve();
    });
    const first = service(stuck);
    const { id } = await first.start(documentId, options);
    await until(id, ({ sections }) => sections[2]?.state === 'running');
    first.stop(id);
    const stopped = await until(id, ({ state }) => state === 'stopped');
    expect(stopped.sections.map(({ state }) => state)).toEqual(['done', 'done', 'waiting', 'waiting']);

    storage.close();
    storage = openStorage(folder);
    seen.length = 0;
    const second = service(model((prompt) => Promise.resolve(void seen.push(/Town\d+/.exec(prompt)?.[0] ?? ''))));
    await second.resume(id);
    const done = await until(id, ({ state }) => state === 'complete');
    expect(done.sections.every(({ state }) => state === 'done')).toBe(true);
    expect(seen.slice(0, 2)).toEqual(['Town3', 'Town4']);
  });

  it('cut off by the end of the app counts as stopped', async () => {
    const documentId = addDocument(2);
    const { id } = await service(model(() => new Promise(() => undefined))).start(documentId, options);
    await until(id, ({ state }) => state === 'running');
    storage.close();
    storage = openStorage(folder);
    expect(storage.summaries.get(id).state).toBe('stopped');
  });

  it('does one section again', async () => {
    const documentId = addDocument(3);
    const summaries = service(model());
    const { id } = await summaries.start(documentId, options);
    await until(id, ({ state }) => state === 'complete');
    const before = events.length;
    await summaries.redo(id, 1);
    await until(id, ({ state }) => state === 'complete' && events.length > before + 2);
    const touched = events
      .slice(before)
      .flatMap((event) => (event.type === 'summary' ? event.summary.sections : []))
      .filter(({ state }) => state === 'running');
    expect(new Set(touched.map(({ pages }) => pages[0]))).toEqual(new Set([2]));
  });

  it('that cannot be saved ends with the reason and goes on with what was saved', async () => {
    const documentId = addDocument(3);
    const asked: string[] = [];
    const summaries = service(model((prompt) => Promise.resolve(void asked.push(prompt))));
    const put = storage.summaries.put.bind(storage.summaries);
    // The disk is full from the moment on that the second section is done.
    storage.summaries.put = (summary) => {
      if (summary.sections[1]?.state !== 'done') return put(summary);
      throw new AppError('storage-failed', 'Could not save the summary: the disk is full.');
    };
    const { id } = await summaries.start(documentId, options);
    const told = await vi.waitUntil(
      () => events.flatMap((event) => (event.type === 'summary' ? [event.summary] : [])).find((s) => s.error),
      { timeout: 30_000 },
    );
    expect(told).toMatchObject({ id, state: 'failed', error: { kind: 'storage-failed' } });
    expect(asked).toHaveLength(2);
    storage.summaries.put = put;
    await summaries.resume(id);
    const done = await until(id, ({ state }) => state === 'complete');
    expect(done.sections.every(({ state }) => state === 'done')).toBe(true);
    expect(done).not.toHaveProperty('error');
  });

  it('goes with its document', async () => {
    const documentId = addDocument(2);
    const summaries = service(model());
    const { id } = await summaries.start(documentId, options);
    await until(id, ({ state }) => state === 'complete');
    summaries.documentRemoved(documentId);
    storage.documents.remove(documentId);
    expect(storage.summaries.list(documentId)).toEqual([]);
    expect(storage.documents.pages(documentId)).toEqual([]);
  });

  it('is refused for a document without text', async () => {
    const { id } = storage.documents.add('Scan.pdf', '/nowhere/Scan.pdf', 1);
    const summaries = service(model());
    await expect(summaries.start(id, options)).rejects.toMatchObject({ kind: 'bad-input' });
  });

  it('leaves as a file with its pages, and goes into a chat as a note', async () => {
    const documentId = addDocument(2);
    const summaries = service(model());
    const { id } = await summaries.start(documentId, options);
    const done = await until(id, ({ state }) => state === 'complete');
    const target = path.join(folder, 'out.md');
    const files = new SummaryFiles({
      storage,
      emit: (event) => events.push(event),
      chooseTarget: async () => target,
      print: async (html) => Buffer.from(html),
      language: () => 'en',
    });
    expect(await files.export(done, 'markdown')).toBe('out.md');
    const text = readFileSync(target, 'utf8');
    expect(text).toContain('(100 %)');
    expect(text).toContain('Town1 has 1000 inhabitants. [A-1]');
    expect(text).toContain('Pages without text: 3.');
    const { chatId } = files.toChat(done);
    expect(storage.messages.list(chatId)[0]?.note).toContain('Town1 has 1000 inhabitants.');
  });
});
