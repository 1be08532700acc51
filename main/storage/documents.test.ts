import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openStorage, type Storage } from './storage.ts';

let folder: string;
let storage: Storage;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'stored 存储 '));
  storage = openStorage(folder);
});
afterEach(() => {
  storage.close();
  rmSync(folder, { recursive: true, force: true });
});

const heading = { level: 1, title: 'Head', page: 1, offset: 0 };

function add(name: string): string {
  const { id } = storage.documents.add(name, `/nowhere/${name}`, 10);
  storage.documents.finish(id, {
    format: 'pdf',
    unit: 'page',
    pageCount: 4,
    headings: [heading],
    problems: [],
    bytes: 10,
    sha256: 'a'.repeat(64),
    modifiedAt: 1,
    pages: [
      { number: 1, text: 'Head' },
      { number: 2, text: '', problem: 'scanned' },
      { number: 3, text: 'read', recognised: true },
      { number: 4, text: 'begun', recognised: true, problem: 'cut' },
    ],
  });
  return id;
}

it('documents are listed with what is wrong with their pages, and without their headings', () => {
  const [first, second] = [add('a.pdf'), add('b.pdf')];
  storage.documents.add('c.pdf', '/nowhere/c.pdf', 1);
  const listed = storage.documents.list();
  expect(listed.map(({ name, outline }) => [name, outline?.pageCount, outline?.headings])).toEqual([
    ['c.pdf', undefined, undefined],
    ['b.pdf', 4, []],
    ['a.pdf', 4, []],
  ]);
  const remarks = {
    pageProblems: [
      { page: 2, problem: 'scanned' },
      { page: 4, problem: 'cut' },
    ],
    recognisedPages: [3, 4],
  };
  expect(listed[1]).toMatchObject(remarks);
  expect(storage.documents.get(second)).toMatchObject(remarks);
  expect(storage.documents.headings(first)).toEqual([heading]);
});

it('a document of which nothing can be understood any more is to be read again, beside the others', () => {
  const [first, second] = [add('a.pdf'), add('b.pdf')];
  const db = new DatabaseSync(path.join(folder, 'chats.db'));
  db.prepare('UPDATE documents SET outline = ? WHERE id = ?').run('{"format": "pd', first);
  db.close();
  expect(storage.documents.list().map(({ id, state }) => [id, state])).toEqual([
    [second, 'ready'],
    [first, 'waiting'],
  ]);
});
