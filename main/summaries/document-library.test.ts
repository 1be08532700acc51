/** Documents as the app keeps them, read by the built parser. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AppEvent } from '../../contract/channels.ts';
import type { LibraryDocument } from '../../contract/library-documents.ts';
import { DocumentReader } from '../documents/reader.ts';
import { forkParser } from '../documents/spawn-parser.ts';
import type { SummaryModel } from '../documents/summarise/model.ts';
import { pdf } from '../documents/testing/pdfs.ts';
import { openStorage, type Storage } from '../storage/storage.ts';
import { CountedDocuments } from './counted-documents.ts';
import { DocumentLibrary } from './document-library.ts';

const BUNDLE = path.join(__dirname, '..', '..', 'dist', 'parser.cjs');
const SCAN = path.join(__dirname, '..', 'documents', 'testing', 'scans', 'eng.png');
const LIMIT = { timeout: 300_000 };

let folder: string;
let storage: Storage;
let reader: DocumentReader;
let events: AppEvent[];
let library: DocumentLibrary;
let chosen: string[];

/** Counts words as tokens. */
const model = {
  name: 'words',
  countTokens: async (texts: readonly string[]) => texts.map((text) => text.split(/\s+/).filter(Boolean).length),
} as unknown as SummaryModel;

function open(): DocumentLibrary {
  reader = new DocumentReader({ spawn: forkParser(BUNDLE), log: () => undefined });
  return new DocumentLibrary({
    storage,
    reader,
    slowReader: reader,
    ocrFolder: path.join(folder, 'ocr'),
    pastedFolder: path.join(folder, 'pasted'),
    choose: async () => chosen,
    counted: new CountedDocuments(storage.documents),
    loadedModel: () => model,
    emit: (event) => events.push(event),
    log: () => undefined,
  });
}

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'library 文档 '));
  storage = openStorage(folder);
  events = [];
  chosen = [];
  library = open();
});
afterEach(() => {
  library.shutDown();
  reader.stop();
  storage.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The document, once it is as wanted. */
async function until(id: string, wanted: (document: LibraryDocument) => boolean): Promise<LibraryDocument> {
  for (let tries = 0; tries < 6000; tries += 1) {
    const document = (await library.list()).find((one) => one.id === id);
    if (document !== undefined && wanted(document)) return document;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error('the document did not get there');
}
const ready = (id: string) => until(id, ({ state, tokens }) => state === 'ready' && tokens !== undefined);

function file(name: string, content: string | Uint8Array): string {
  const where = path.join(folder, 'files', name);
  mkdirSync(path.dirname(where), { recursive: true });
  writeFileSync(where, content);
  return where;
}

/** Pages in the database, of whatever reading. */
function rows(): number {
  const db = new DatabaseSync(path.join(folder, 'chats.db'), { readOnly: true });
  try {
    return (db.prepare('SELECT count(*) AS n FROM document_pages').get() as { n: number }).n;
  } finally {
    db.close();
  }
}

/** A page of text and one that is a picture of text. */
function scanned(options: PDFKit.PDFDocumentOptions = {}): Promise<Buffer> {
  return pdf((document) => {
    document.text('Minutes of a meeting');
    document.addPage().image(readFileSync(SCAN), 40, 60, { width: 500 });
  }, options);
}

function addEnglishData(): void {
  const packed = createRequire(__filename).resolve('@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz');
  mkdirSync(path.join(folder, 'ocr'));
  writeFileSync(path.join(folder, 'ocr', 'eng.traineddata'), gunzipSync(readFileSync(packed)));
}

describe('documents', () => {
  it('are added from files, folders and pasted text, each once, and read and counted', LIMIT, async () => {
    const note = file('box/note.txt', 'Three words here');
    file('box/inner/page.html', '<h1>Head</h1><p>Two words</p>');
    const picture = Buffer.from('89504e470d0a1a0a', 'hex');
    file('box/picture.png', picture);
    chosen = [path.join(folder, 'files', 'box')];
    const added = await library.add('folder');
    expect(added.map(({ name }) => name)).toEqual(['note.txt', 'page.html']);
    expect((await library.addPaths([note])).map(({ id }) => id)).toEqual([added[0]?.id]);
    const pasted = await library.paste('# A title\n\nwith a <text> that was "pasted"');
    expect(pasted.name).toBe('# A title with a text that was pasted.md');
    for (const { id } of [...added, pasted]) await ready(id);
    const listed = await library.list();
    expect(listed.map(({ name, format, pageCount }) => [name, format, pageCount])).toEqual([
      [pasted.name, 'markdown', 1],
      ['page.html', 'html', 1],
      ['note.txt', 'text', 1],
    ]);
    expect(listed[2]?.tokens).toBe(4); // and the empty line behind the paragraph
    library.remove(pasted.id);
    expect((await library.list()).map(({ name }) => name)).toEqual(['page.html', 'note.txt']);
    const left = (name: string) => [{ reason: 'not-a-document', count: 1, names: [name] }];
    expect(events).toContainEqual({
      type: 'folder-added',
      added: 2,
      leftOut: left(path.join('box', 'picture.png')),
    });
    expect(await library.addPaths([path.dirname(file('pictures/a.png', picture))])).toEqual([]);
    expect(events.at(-1)).toMatchObject({ added: 0, leftOut: left(path.join('pictures', 'a.png')) });
    mkdirSync(path.join(folder, 'nothing'));
    await expect(library.addPaths([path.join(folder, 'nothing')])).rejects.toMatchObject({
      kind: 'bad-input',
      message: expect.stringContaining('nothing'),
    });
  });

  it('that are scanned get their text when it is asked for; it is marked, and kept', LIMIT, async () => {
    addEnglishData();
    const [added] = await library.addPaths([file('minutes.pdf', await scanned())]);
    const { id = '' } = added ?? {};
    const before = await ready(id);
    expect(before).toMatchObject({ pageProblems: [{ page: 2, problem: 'scanned' }], tokens: 5 });
    events.length = 0;
    library.read(id, { recognise: ['eng'] });
    const after = await until(id, ({ recognisedPages, tokens = 0 }) => recognisedPages !== undefined && tokens > 5);
    expect(after).toMatchObject({ state: 'ready', pageProblems: [], recognisedPages: [2] });
    const [first, second] = library.pages(id, 1, 2).pages;
    expect(first).toEqual({ number: 1, text: 'Minutes of a meeting' });
    expect(second?.recognised).toBe(true);
    expect(second?.text).toContain('The committee met on 14 March and agreed on three points.');
    const shown = events.flatMap((event) => (event.type === 'document' ? [event.document] : []));
    expect(shown.some(({ state, recognising }) => state === 'reading' && recognising)).toBe(true);
  });

  it('keep what was read where recognising is stopped or cannot be done', LIMIT, async () => {
    const [added] = await library.addPaths([file('minutes.pdf', await scanned())]);
    const { id = '' } = added ?? {};
    await ready(id);
    library.read(id, { recognise: ['chi_sim'] });
    const failed = await until(id, ({ error }) => error !== undefined);
    expect(failed).toMatchObject({ state: 'ready', pageCount: 2, error: { kind: 'document-unsupported' } });
    library.read(id, { recognise: ['chi_sim'] });
    library.stop(id);
    const stopped = await until(id, ({ state, error }) => state === 'ready' && error === undefined);
    expect(stopped).toMatchObject({ pageCount: 2, pageProblems: [{ page: 2, problem: 'scanned' }] });
    expect(library.pages(id, 1, 2).pages[0]?.text).toBe('Minutes of a meeting');
  });

  it('with a password are opened with it, and need it once', LIMIT, async () => {
    addEnglishData();
    const [added] = await library.addPaths([file('locked.pdf', await scanned({ userPassword: 'sesam' }))]);
    const { id = '' } = added ?? {};
    expect(await until(id, ({ state }) => state === 'failed')).toMatchObject({ error: { kind: 'password-needed' } });
    library.read(id, { password: 'wrong' });
    await until(id, ({ error }) => error?.kind === 'password-wrong');
    library.read(id, { password: 'sesam' });
    await ready(id);
    library.read(id, { recognise: ['eng'] });
    await until(id, ({ recognisedPages }) => recognisedPages?.[0] === 2);
  });

  it('that are long are stored as they are read, and replaced all at once when read again', LIMIT, async () => {
    const text = (word: string) => Array.from({ length: 300 }, (_, i) => `${i} ${`${word} `.repeat(600)}`).join('\n\n');
    const long = file('long.txt', text('first'));
    const [added] = await library.addPaths([long]);
    const { id = '' } = added ?? {};
    const { pageCount = 0 } = await ready(id);
    expect(pageCount).toBeGreaterThan(200);
    writeFileSync(long, text('other'));
    library.read(id);
    await until(id, ({ state }) => state === 'reading');
    // Whatever is shown meanwhile is of one reading.
    const words = () => new Set(library.pages(id, 1, 50).pages.map((page) => /first|other/.exec(page.text)?.[0]));
    while ((await library.list())[0]?.state !== 'ready') expect(words().size).toBe(1);
    expect([...words()]).toEqual(['other']);
    await vi.waitFor(() => expect(rows()).toBe(pageCount), { timeout: 20_000, interval: 50 });
    library.read(id);
    library.stop(id);
    await ready(id);
    await vi.waitFor(() => expect(rows()).toBe(pageCount), { timeout: 20_000, interval: 50 });
    expect(storage.documents.pages(id)).toHaveLength(pageCount);
  });

  it('that were being read when the app ended are read at the next start', LIMIT, async () => {
    const [added] = await library.addPaths([file('minutes.pdf', await scanned())]);
    library.shutDown();
    reader.stop();
    await new Promise((resolve) => setTimeout(resolve, 50));
    library = open();
    expect(await ready(added?.id ?? '')).toMatchObject({ pageCount: 2 });
  });

  it('say when their file has changed or gone, and keep what was read', LIMIT, async () => {
    const note = file('note.txt', 'On Tuesday');
    const [added] = await library.addPaths([note]);
    const { id = '' } = added ?? {};
    await ready(id);
    writeFileSync(note, 'On Friday, at noon');
    await until(id, (document) => document.file === 'changed');
    library.read(id);
    await until(id, (document) => document.file === undefined && document.bytes === 18);
    expect(library.pages(id, 1, 1).pages[0]?.text).toBe('On Friday, at noon');
    rmSync(note);
    await until(id, (document) => document.file === 'gone');
    library.read(id);
    expect(await until(id, ({ error }) => error !== undefined)).toMatchObject({
      state: 'ready',
      error: { kind: 'document-missing' },
    });
    expect(library.pages(id, 1, 1).pages[0]?.text).toBe('On Friday, at noon');
  });
});
