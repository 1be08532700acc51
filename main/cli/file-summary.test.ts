import { expect, it } from 'vitest';
import type { ExtractedDocument } from '../../contract/documents.ts';
import { AppError } from '../../contract/errors.ts';
import type { SummaryModel } from '../documents/summarise/model.ts';
import { failedFile, summariseFile } from './file-summary.ts';

const words = (text: string) => text.split(/\s+/).filter(Boolean).length;
const options = { style: 'key-points', length: 'short', language: 'document' } as const;
const quiet = { planned: () => undefined, ended: () => undefined, prefill: () => undefined };

/** Three pages of which each is a part of its own, and one without text. */
const towns: ExtractedDocument = {
  format: 'pdf',
  unit: 'page',
  pageCount: 4,
  headings: [],
  problems: [],
  bytes: 1,
  sha256: 'a'.repeat(64),
  modifiedAt: 1,
  pages: [
    ...[1, 2, 3].map((number) => ({
      number,
      text: `Town${number} has ${1000 + number} inhabitants. ${'It is old and lies on a river. '.repeat(14)}`,
    })),
    { number: 4, text: '', problem: 'scanned' as const },
  ],
};

/** Says how many people live in the town; before the town `at` it does what `fault` says. A token is a word. */
function model(at: number, fault: () => void): SummaryModel {
  return {
    name: 'ruled',
    contextSize: 320,
    countTokens: async (texts) => texts.map(words),
    countPrompt: async (turns) => turns.reduce((sum, { content }) => sum + words(content), 0),
    generate: async (turns, { signal }) => {
      const [fact, town] = /Town(\d+) has \d+ inhabitants/.exec(turns.at(-1)?.content ?? '') ?? [];
      if (Number(town) === at) fault();
      if (signal.aborted) throw new AppError('cancelled', 'It was stopped.');
      const figures = { promptTokens: 1, cachedTokens: 0, completionTokens: 1, prefillSeconds: 1, decodeSeconds: 1 };
      return { text: `- ${fact}.`, cut: false, ...figures };
    },
  };
}

const run = (made: SummaryModel, signal = new AbortController().signal) =>
  summariseFile('/papers/Towns.pdf', towns, options, made, quiet, signal);

it('keeps the parts before a fault of the engine, and says what is missing and why', async () => {
  const { json, markdown, error } = await run(
    model(3, () => {
      throw new AppError('device-unusable', 'The processor failed.');
    }),
  );
  expect(error?.kind).toBe('device-unusable');
  expect(json).toMatchObject({
    complete: false,
    error: { kind: 'device-unusable', message: 'The processor failed.' },
    summary: '',
    sections: [
      { pages: [1, 1], summary: '- Town1 has 1001 inhabitants.' },
      { pages: [2, 2], summary: '- Town2 has 1002 inhabitants.' },
      { pages: [3, 3], summary: '' },
    ],
    skipped: [
      { pages: [4, 4], reason: 'scanned' },
      { pages: [3, 3], reason: 'The processor failed.' },
    ],
  });
  // Three parts of equal length, two of them read.
  expect('coverage' in json && json.coverage.share).toBeCloseTo(2 / 3, 2);
  expect(markdown).toMatch(/^# Towns\.pdf\n\nRead \d+ of \d+ tokens \(66 %\) with ruled\. Pages without text: 4\./);
  expect(markdown).toContain('(This summary is not finished.)');
  expect(markdown).toContain('## p. 2\n\n- Town2 has 1002 inhabitants. [2]');
  expect(markdown).toContain('## p. 3\n\n(Not done.)');
});

it('keeps them when it is stopped, and throws where there is nothing to keep', async () => {
  const stopped = new AbortController();
  const { json, error } = await run(
    model(2, () => stopped.abort()),
    stopped.signal,
  );
  expect(error?.kind).toBe('cancelled');
  expect(json).toMatchObject({ complete: false, sections: [{ pages: [1, 1] }, { summary: '' }, { summary: '' }] });
  await expect(
    run(
      model(1, () => stopped.abort()),
      stopped.signal,
    ),
  ).rejects.toMatchObject({ kind: 'cancelled' });
});

it('one part that the model cannot do does not end the others', async () => {
  const { json, error } = await run(
    model(2, () => {
      throw new AppError('numeric-fault', 'It computed no number.');
    }),
  );
  expect(error).toBeUndefined();
  expect(json).toMatchObject({
    complete: true,
    skipped: [{ pages: [4, 4] }, { pages: [2, 2], reason: 'It computed no number.' }],
  });
});

it('a file that nothing came of is told beside the others', () => {
  const { json, markdown } = failedFile('/papers/x.pdf', new AppError('document-missing', 'x.pdf is not there.'));
  expect(json).toMatchObject({ file: '/papers/x.pdf', complete: false, error: { kind: 'document-missing' } });
  expect(markdown).toBe('# x.pdf\n\n(x.pdf is not there.)\n');
});
