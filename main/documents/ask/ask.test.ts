import { expect, it } from 'vitest';
import { countBlocks } from '../summarise/count.ts';
import type { SummaryModel } from '../summarise/model.ts';
import { type AskedDocument, askDocuments } from './ask.ts';

const words = (text: string) => text.split(/\s+/).filter(Boolean).length;

/** Answers with the sentence about the town that is asked for; a token is a word. */
class Teller implements SummaryModel {
  readonly name = 'teller';
  readonly contextSize: number;
  readonly prompts: string[] = [];
  readonly kept: unknown[] = [];

  constructor(contextSize: number) {
    this.contextSize = contextSize;
  }

  async countTokens(texts: readonly string[]): Promise<number[]> {
    return texts.map(words);
  }

  async countPrompt(turns: readonly { content: string }[]): Promise<number> {
    return turns.reduce((sum, { content }) => sum + words(content), 0);
  }

  async generate(
    turns: readonly { content: string }[],
    { keep, onDelta }: Parameters<SummaryModel['generate']>[1],
  ): ReturnType<SummaryModel['generate']> {
    const prompt = turns.at(-1)?.content ?? '';
    if (words(prompt) > this.contextSize) throw new Error('the prompt is too long');
    this.prompts.push(prompt);
    this.kept.push(keep);
    const town = /Question: .*(Place\d+)/.exec(prompt)?.[1] ?? '';
    const text = new RegExp(`${town} has \\d+ inhabitants\\.`).exec(prompt)?.[0] ?? 'It does not say.';
    onDelta(text);
    return {
      text,
      cut: false,
      promptTokens: words(prompt),
      cachedTokens: 0,
      completionTokens: words(text),
      prefillSeconds: 1,
      decodeSeconds: 1,
    };
  }
}

async function towns(id: string, count: number, model: SummaryModel): Promise<AskedDocument> {
  const pages = Array.from({ length: count }, (_, i) => ({
    number: i + 1,
    label: `A-${i + 1}`,
    text: `Place${i + 1} has ${1000 + i} inhabitants.\n\n${'It lies on a river and is old. '.repeat(12)}`,
  }));
  const blocks = await countBlocks({ pages, headings: [] }, model);
  return { id, name: `${id}.pdf`, sha256: id.repeat(64), pages, blocks };
}

const quiet = {
  signal: new AbortController().signal,
  chosen: () => undefined,
  measured: () => undefined,
  onDelta: () => undefined,
  onPrefill: () => undefined,
};

it('documents that fit are given whole, the same for every question, and what was read is kept', async () => {
  const model = new Teller(3000);
  const documents = [await towns('a', 6, model), await towns('b', 3, model)];
  const first = await askDocuments(documents, 'How many live in Place2?', model, quiet);
  const second = await askDocuments(documents, 'And in Place6?', model, quiet);
  expect(first.read).toEqual({ sections: 2, of: 2 });
  expect(second.text).toBe('Place6 has 1005 inhabitants.');
  expect(second.points[0]?.citations[0]).toMatchObject({ documentId: 'a', page: 6, label: 'A-6' });
  const before = model.prompts.map((prompt) => prompt.slice(0, prompt.indexOf('---')));
  expect(before[0]).toBe(before[1]);
  for (const { text } of documents.flatMap(({ pages }) => pages)) {
    for (const paragraph of text.split('\n\n')) expect(before[0]).toContain(paragraph.trim());
  }
  expect(model.kept[0]).toMatchObject({ documents: ['a'.repeat(64), 'b'.repeat(64)] });
});

it('of documents that do not fit the likeliest passages are given, as many as do', async () => {
  const model = new Teller(1500);
  const document = await towns('a', 40, model);
  const { text, read, points } = await askDocuments([document], 'How many live in Place31?', model, quiet);
  expect(text).toBe('Place31 has 1030 inhabitants.');
  expect(points[0]?.citations[0]).toMatchObject({ page: 31 });
  expect(read.sections).toBeGreaterThan(0);
  expect(read.sections).toBeLessThan(read.of);
});

it('a document without text is asked in vain, not in error', async () => {
  const model = new Teller(1500);
  const empty = { ...(await towns('a', 1, model)), pages: [], blocks: [] };
  const { read, points } = await askDocuments([empty], 'Who?', model, quiet);
  expect(read).toEqual({ sections: 0, of: 0 });
  expect(points.flatMap(({ citations }) => citations)).toEqual([]);
});
