import { describe, expect, it } from 'vitest';
import type { SummaryModel } from '../summarise/model.ts';
import { documentFigures, measureDocuments } from './measure.ts';
import { countCitations, coverageOf, isIn, tells } from './score.ts';
import { EVAL_LANGUAGES, evalDocument, placed } from './suite.ts';

/** Characters by four: about what tokens are. */
const counted = async (texts: readonly string[]) => texts.map((text) => Math.ceil(text.length / 4));

describe('coverage', () => {
  const pages = [
    { number: 1, text: 'Abc def\n\nGhij' },
    { number: 2, text: 'Kl' },
  ];
  it('is the share of characters whose lines were in a prompt, however they are broken', () => {
    expect(coverageOf(pages, ['system', 'Abc\ndef Ghij', 'Kl ---'])).toBe(1);
    expect(coverageOf(pages, ['Abc def\n\nGhij'])).toBeCloseTo(10 / 12);
    expect(coverageOf(pages, ['Abc de', 'Ghij'])).toBeCloseTo(4 / 12);
    expect(coverageOf([{ number: 1, text: ' \n ' }], [])).toBe(1);
  });
});

describe('a fact', () => {
  it.each([
    ['It cost 86,400 pounds.', ['86400'], true],
    ['It cost 86 400 pounds.', ['86400'], true],
    ['It cost ８６４００ pounds.', ['86400'], true],
    ['It cost 186,400 pounds.', ['86400'], false],
    ['In 1712 it opened.', ['17'], false],
    ['17 pupils; 3,17 of them', ['17'], true],
    ['The petition of AGNES TOLLIVER', ['Agnes Tolliver', 'petition'], true],
    ['The petition of Agnes', ['Agnes Tolliver', 'petition'], false],
    ['decided on October 9.', ['9 October|October 9'], true],
    ['decided on October 91.', ['9 October|October 9'], false],
    ['镇政府将在10月9日开会', ['十月九日|10月9日'], true],
    ['需要46万元', ['46万'], true],
  ])('in "%s" %j: %s', (text, needs, expected) => {
    expect(tells(text, { needs })).toBe(expected);
  });

  it('stands in the block that has its place', () => {
    const block = (page: number, start: number, end: number) => ({ page, start, end, text: '' });
    const fact = { quote: '', needs: [], page: 2, offset: 10 };
    expect(isIn([block(2, 0, 10), block(2, 11, 20)], fact)).toBe(false);
    expect(isIn([block(1, 0, 50)], fact)).toBe(false);
    expect(isIn([block(2, 10, 11)], fact)).toBe(true);
  });
});

it('citations are right on the page of the fact, and unsupported where a number is on none of the cited pages', () => {
  const pages = [
    { number: 1, text: 'It cost 86,400 pounds.' },
    { number: 2, text: 'It has 17 pupils and 40 hens.' },
  ];
  const facts = [
    { quote: '', needs: ['86400'], page: 1, offset: 0 },
    { quote: '', needs: ['17'], page: 2, offset: 0 },
  ];
  const at = (...cited: number[]) => cited.map((page) => ({ documentId: 'd', page, score: 1 }));
  expect(
    countCitations(
      [
        { text: 'The cost was 86400 pounds.', citations: at(1) },
        { text: 'There are 17 pupils.', citations: at(1, 2) },
        { text: 'There are 17 pupils and 99 hens.', citations: at(2) },
        { text: 'There are 17 pupils here.', citations: [] },
        { text: 'Nothing else is known.', citations: at(2) },
      ],
      facts,
      pages,
    ),
  ).toEqual({ stated: 4, cited: 3, right: 2, allCited: 4, unsupported: 1 });
});

describe('the suite', () => {
  it.each(EVAL_LANGUAGES.flatMap((language) => (['1k', '8k'] as const).map((size) => [language, size] as const)))(
    'has %s %s with facts and claims on its pages',
    async (language, size) => {
      const { pages, headings, facts, claims } = await evalDocument(language, size, counted);
      expect(facts.length).toBeGreaterThanOrEqual(size === '1k' ? 4 : 16);
      for (const { quote, needs, page, offset } of facts) {
        expect(pages[page - 1]?.text.slice(offset, offset + quote.length)).toBe(quote);
        expect(tells(quote, { needs })).toBe(true);
      }
      expect(headings.length).toBeGreaterThanOrEqual(4);
      expect(claims.filter(({ page }) => page === undefined).length).toBeGreaterThanOrEqual(4);
      expect(claims.filter(({ page }) => page !== undefined).length).toBeGreaterThanOrEqual(4);
    },
  );

  it.each(EVAL_LANGUAGES)('has long texts in %s that are always the same, of the asked size', async (language) => {
    const document = await evalDocument(language, '30k', counted);
    const tokens = (await counted(document.pages.map(({ text }) => text))).reduce((sum, count) => sum + count, 0);
    expect(tokens).toBeGreaterThan(29_500);
    expect(tokens).toBeLessThan(31_000);
    expect(document.pages.every(({ text }) => !/[{}]/.test(text))).toBe(true);
    // A fact of one chapter is not told by another one.
    for (const fact of document.facts) {
      expect(document.pages.filter(({ text }) => tells(text, fact)).map(({ number }) => number)).toEqual([fact.page]);
    }
    expect(await evalDocument(language, '30k', counted)).toEqual(document);
  });

  it('refuses a fact that is not in the text exactly once', () => {
    const planted = (quote: string) => ({ facts: [{ quote, needs: ['1'] }], claims: [] });
    expect(() => placed('en', '1k', 'One. One.', planted('One.'))).toThrow('exactly once');
    expect(() => placed('en', '1k', 'One.', planted('Two.'))).toThrow('exactly once');
  });
});

/** Tells the first sentence with a number of each prompt; with `skip` it never answers a prompt that has that. */
function teller(name: string, skip?: string): SummaryModel {
  return {
    name,
    contextSize: 800,
    countTokens: counted,
    countPrompt: async (turns) => (await counted(turns.map(({ content }) => content))).reduce((a, b) => a + b, 0),
    generate: async (turns) => {
      const prompt = turns.at(-1)?.content ?? '';
      const text =
        skip !== undefined && prompt.includes(skip) ? '' : `- ${/[^.\n]*\d[^.\n]*\./.exec(prompt)?.[0].trim()}`;
      return {
        text,
        cut: false,
        promptTokens: 1,
        cachedTokens: 0,
        completionTokens: 1,
        prefillSeconds: 2,
        decodeSeconds: 1,
      };
    },
  };
}

it('documents are measured in each mode', async () => {
  const shown: string[] = [];
  const rows = await measureDocuments({
    languages: ['en'],
    sizes: ['1k'],
    modes: [
      { name: 'full', model: teller('a') },
      { name: 'shadow', model: teller('b', 'Evening hours') },
    ],
    options: { style: 'structured', length: 'short', language: 'document' },
    signal: new AbortController().signal,
    onProgress: (label, done, total) => shown.push(`${label} ${done === total}`),
    onRow: () => undefined,
  });
  const [full, shadow] = rows;
  // Of the three sections only the last one begins its numbers with a planted fact, the day of the meeting.
  expect(full).toMatchObject({ mode: 'full', sections: 3, failed: 0, coverage: 1, facts: 4, prefillSeconds: 6 });
  expect(full).toMatchObject({ inSections: 1, inWhole: 1, stated: 2, cited: 2, right: 2, unsupported: 0 });
  // Asked twice, in vain: read all the same.
  expect(shadow).toMatchObject({ mode: 'shadow', failed: 1, coverage: 1, inSections: 1, prefillSeconds: 8 });
  expect(shown.at(-1)).toBe('en 1k shadow true');
  const figures = documentFigures(rows);
  expect(figures).toMatchObject({
    documents_en_1k_full_coverage: 1,
    documents_en_1k_shadow_sections_failed: 1 / 3,
    documents_en_1k_full_facts_in_sections: 0.25,
  });
  expect(figures.documents_en_1k_full_prefill_seconds_per_1k).toBeCloseTo(6000 / (full?.tokens ?? 0));
});

it('a stop ends it', async () => {
  const stop = new AbortController();
  const run = {
    languages: ['en'] as const,
    sizes: ['1k'] as const,
    modes: ['a', 'b'].map((name) => ({ name, model: teller(name) })),
    options: { style: 'structured', length: 'short', language: 'document' } as const,
    signal: stop.signal,
    onProgress: () => undefined,
    onRow: () => stop.abort(),
  };
  await expect(measureDocuments(run)).rejects.toMatchObject({ kind: 'cancelled' });
});
