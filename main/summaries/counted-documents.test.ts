import { expect, it } from 'vitest';
import type { SummaryModel } from '../documents/summarise/model.ts';
import { openInMemory } from '../storage/database.ts';
import { DocumentTable } from '../storage/documents.ts';
import { CountedDocuments } from './counted-documents.ts';

const words = (text: string) => text.split(/\s+/).filter(Boolean).length;

function counting(name: string): SummaryModel & { calls: number } {
  return {
    name,
    contextSize: 1000,
    calls: 0,
    async countTokens(texts) {
      this.calls += 1;
      return texts.map(words);
    },
    countPrompt: async () => 0,
    generate: () => Promise.reject(new Error('nothing is asked here')),
  };
}

function read(table: DocumentTable, id: string, text: string, sha256: string): void {
  table.finish(id, {
    format: 'text',
    unit: 'part',
    pageCount: 1,
    headings: [],
    problems: [],
    bytes: text.length,
    sha256: sha256.repeat(64),
    modifiedAt: 1,
    pages: [{ number: 1, text }],
  });
}

it('a document is counted once for a model, and again when it was read anew', async () => {
  const table = new DocumentTable(openInMemory());
  const documents = new CountedDocuments(table);
  const { id } = table.add('a.txt', '/nowhere/a.txt', 1);
  expect(() => documents.assertRead(id)).toThrow('has not been read yet');
  read(table, id, 'One two three.\n\nFour.', 'a');
  const [model, other] = [counting('m'), counting('n')];
  const [first, second] = await Promise.all([documents.get(id, model), documents.get(id, model)]);
  // A word is a token, and a paragraph's end is one more.
  expect(first.blocks.map(({ text, tokens }) => [text, tokens])).toEqual([
    ['One two three.', 4],
    ['Four.', 2],
  ]);
  expect(second).toBe(first);
  expect(model.calls).toBe(1);
  await documents.get(id, other);
  expect(other.calls).toBe(1);
  read(table, id, 'Five.', 'b');
  expect((await documents.get(id, model)).blocks.map(({ text }) => text)).toEqual(['Five.']);
  expect(model.calls).toBe(2);
});

it('a count that failed is tried again', async () => {
  const table = new DocumentTable(openInMemory());
  const { id } = table.add('a.txt', '/nowhere/a.txt', 1);
  read(table, id, 'One.', 'a');
  const documents = new CountedDocuments(table);
  const model = counting('m');
  const broken = { ...model, countTokens: () => Promise.reject(new Error('down')) };
  await expect(documents.get(id, broken)).rejects.toThrow('down');
  expect((await documents.get(id, model)).blocks).toHaveLength(1);
});
