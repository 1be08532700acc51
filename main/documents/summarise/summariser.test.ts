import { describe, expect, it } from 'vitest';
import { AppError } from '../../../contract/errors.ts';
import type { SummaryOptions, SummarySection } from '../../../contract/summaries.ts';
import { cleanAnswer, isUseless } from './answers.ts';
import { countBlocks } from './count.ts';
import type { SummaryModel } from './model.ts';
import { prepareSummary, type Speed } from './plan.ts';
import { Summariser, type SummaryListener } from './summariser.ts';

/** A model that answers by rule; what it is told is kept. A token is a word. */
class RuledModel implements SummaryModel {
  readonly name = 'ruled';
  readonly contextSize: number;
  readonly prompts: string[] = [];
  readonly #rule: (prompt: string, call: number) => string | AppError;

  /** An answer that ends with "..." was cut. */
  constructor(contextSize: number, rule: (prompt: string, call: number) => string | AppError) {
    this.contextSize = contextSize;
    this.#rule = rule;
  }

  async countTokens(texts: readonly string[]): Promise<number[]> {
    return texts.map(words);
  }

  async countPrompt(turns: readonly { content: string }[]): Promise<number> {
    return turns.reduce((sum, { content }) => sum + words(content) + 4, 0);
  }

  async generate(
    turns: readonly { content: string }[],
    { signal, onDelta }: Parameters<SummaryModel['generate']>[1],
  ): ReturnType<SummaryModel['generate']> {
    const prompt = turns.at(-1)?.content ?? '';
    if ((await this.countPrompt(turns)) > this.contextSize) throw new Error(`prompt of ${words(prompt)} words`);
    this.prompts.push(prompt);
    const answer = this.#rule(prompt, this.prompts.length);
    if (signal.aborted) throw new AppError('cancelled', 'stopped');
    if (answer instanceof AppError) throw answer;
    onDelta(answer);
    const promptTokens = words(prompt);
    return {
      text: answer.replace(/\.\.\.$/, ''),
      cut: answer.endsWith('...'),
      promptTokens,
      cachedTokens: 0,
      completionTokens: words(answer),
      prefillSeconds: 1,
      decodeSeconds: 1,
    };
  }
}

const words = (text: string) => text.split(/\s+/).filter(Boolean).length;
const options: SummaryOptions = { style: 'brief', length: 'short', language: 'document' };

/** Ten chapters on ten pages, each with a fact of its own. */
const pages = Array.from({ length: 10 }, (_, i) => ({
  number: i + 1,
  text: `Chapter ${i + 1}\n\nThe city of Place${i + 1} has ${1000 + i} inhabitants. ${'It lies on a river and is old. '.repeat(12)}`,
}));
const headings = pages.map(({ number }) => ({ level: 1, title: `Chapter ${number}`, page: number, offset: 0 }));

/** Tells the fact of the first city in the prompt, or for notes the first of them. */
const factOf = (prompt: string) =>
  /The city of Place\d+ has \d+ inhabitants\./.exec(prompt)?.[0] ?? 'Nothing is known here.';

const quiet: SummaryListener = { section: () => {}, delta: () => {}, prefill: () => {}, measured: () => {} };
const never = new AbortController().signal;

/** Headings of pages that are not there are passed over. */
async function prepare(some: typeof pages, more: SummaryOptions, model: SummaryModel, speed?: Speed) {
  const blocks = await countBlocks({ pages: some, headings }, model);
  return prepareSummary({ pages: some, blocks }, more, model, speed);
}

async function summariser(model: SummaryModel, more: Partial<SummaryOptions> = {}) {
  const prepared = await prepare(pages, { ...options, ...more }, model);
  return {
    prepared,
    made: new Summariser({
      documentId: 'd',
      prepared,
      options: { ...options, ...more },
      model,
      pages,
    }),
  };
}

describe('a plan', () => {
  it.each([
    [100_000, 'whole', 0],
    [700, 'sections', 1],
    [400, 'hierarchical', 4],
  ])('for a context of %i is %s', async (contextSize, strategy, rounds) => {
    const { plan } = (await summariser(new RuledModel(contextSize, factOf))).prepared;
    expect([plan.strategy, plan.rounds]).toEqual([strategy, rounds]);
    expect(plan.sections.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(plan.documentTokens);
    expect(plan.measured).toBe(false);
  });

  it('tells the time from measured speeds, and which pages have no text', async () => {
    const model = new RuledModel(100_000, factOf);
    const blank = [...pages, { number: 11, text: '  ' }];
    const slow = await prepare(blank, options, model, { prefill: 10, decode: 1 });
    const fast = await prepare(blank, options, model, { prefill: 1000, decode: 100 });
    expect(slow.plan.seconds / fast.plan.seconds).toBeGreaterThan(50);
    expect(fast.plan.measured).toBe(true);
    expect(fast.plan.pagesWithoutText).toEqual([11]);
  });

  it('of an empty document has no sections', async () => {
    const { plan } = await prepare([{ number: 1, text: '' }], options, new RuledModel(500, factOf));
    expect(plan).toMatchObject({ sections: [], documentTokens: 0 });
  });
});

describe('a summary', () => {
  it('reads every section, cites the page of each fact, and puts them together', async () => {
    const model = new RuledModel(500, factOf);
    const { made, prepared } = await summariser(model);
    const sections = await made.run(made.waiting(), quiet, never);
    expect(sections.map(({ state }) => state)).toEqual(prepared.sections.map(() => 'done'));
    for (const page of pages) expect(model.prompts.some((prompt) => prompt.includes(page.text.trim()))).toBe(true);
    for (const {
      points,
      pages: [first],
    } of sections)
      expect(points[0]?.citations[0]?.page).toBe(first);
    const whole = await made.combine(sections, quiet, never);
    expect(whole.text).toBe('The city of Place1 has 1000 inhabitants.');
    expect(whole.points[0]?.citations[0]).toMatchObject({ documentId: 'd', page: 1 });
  });

  it('that is stopped goes on with what is not done', async () => {
    const stop = new AbortController();
    const model = new RuledModel(400, (prompt, call) => {
      if (call === 3) stop.abort();
      return factOf(prompt);
    });
    const { made } = await summariser(model);
    const seen: SummarySection[] = made.waiting();
    const listener = {
      ...quiet,
      section: (index: number, section: SummarySection) => (seen[index] = section),
    };
    await expect(made.run(seen, listener, stop.signal)).rejects.toMatchObject({ kind: 'cancelled' });
    expect(seen.map(({ state }) => state).slice(0, 4)).toEqual(['done', 'done', 'waiting', 'waiting']);
    const before = model.prompts.length;
    const all = await made.run(seen, listener, never);
    expect(all.every(({ state }) => state === 'done')).toBe(true);
    expect(model.prompts.length - before).toBe(all.length - 2);
  });

  it('marks a section that fails, keeps an extract of it, and goes on', async () => {
    const model = new RuledModel(400, (prompt) =>
      prompt.includes('Place3 ') ? new AppError('numeric-fault', 'NaN') : factOf(prompt),
    );
    const { made } = await summariser(model);
    const sections = await made.run(made.waiting(), quiet, never);
    const failed = sections.filter(({ state }) => state === 'failed');
    expect(failed).toHaveLength(1);
    expect(failed[0]).toMatchObject({ error: { kind: 'numeric-fault' }, pages: [3, 3] });
    expect(failed[0]?.text).toContain('Place3');
    expect((await made.combine(sections, quiet, never)).text).not.toContain('Place3');
  });

  it('says where an answer reached its length limit, in a part or in the whole', async () => {
    const cutWhere = (word: string) =>
      new RuledModel(500, (prompt) => `${factOf(prompt)}${prompt.includes(word) ? ' And the...' : ''}`);
    const { made } = await summariser(cutWhere('Place4 '));
    const sections = await made.run(made.waiting(), quiet, never);
    const cutPages = sections.filter(({ cut }) => cut === true).map(({ pages: [from] }) => from);
    expect(cutPages).toEqual(
      sections.filter(({ pages: [from, to] }) => from <= 4 && to >= 4).map(({ pages: [from] }) => from),
    );
    expect(cutPages).toHaveLength(1);
    const whole = await (await summariser(cutWhere('1000 inhabitants'))).made.combine(sections, quiet, never);
    expect(whole).toMatchObject({ text: expect.stringContaining('Place1 has 1000'), cut: true });
    expect((await made.combine(sections.slice(0, 1), quiet, never)).cut).toBe(false);
  });

  it('puts the parts one after another where the model makes no whole of them', async () => {
    const model = new RuledModel(500, (prompt) => (prompt.includes('The city of') ? factOf(prompt) : ''));
    const { made } = await summariser(model);
    const sections = await made.run(made.waiting(), quiet, never);
    // Notes have the facts in their own words from here on.
    const notes = sections.map((section) => ({ ...section, text: section.text.replace('The city of ', '') }));
    const whole = await made.combine(notes, quiet, never);
    expect(whole.joined).toBe(true);
    for (const { text } of notes) expect(whole.text).toContain(text);
    const stopped = AbortSignal.abort();
    await expect(made.combine(notes, quiet, stopped)).rejects.toMatchObject({ kind: 'cancelled' });
  });

  it('asks twice where the answer is of no use, then says so', async () => {
    const once = new RuledModel(100_000, (prompt, call) => (call === 1 ? '...' : factOf(prompt)));
    const first = await summariser(once);
    expect((await first.made.run(first.made.waiting(), quiet, never))[0]?.state).toBe('done');
    const always = await summariser(new RuledModel(100_000, () => '- - -'));
    const [section] = await always.made.run(always.made.waiting(), quiet, never);
    expect(section).toMatchObject({ state: 'failed', error: { kind: 'bad-input' } });
  });

  it('by sections keeps their headings, and leaves out those with nothing to tell', async () => {
    const model = new RuledModel(400, (prompt) => (prompt.includes('Place2 ') ? 'None.' : `- ${factOf(prompt)}`));
    const { made } = await summariser(model, { style: 'action-items' });
    const sections = await made.run(made.waiting(), quiet, never);
    const { text } = await made.combine(sections, quiet, never);
    expect(text.startsWith('## Chapter 1\n\n- The city of Place1 has 1000 inhabitants.')).toBe(true);
    expect(text).not.toContain('Chapter 2');
  });

  it('ends where no section could work', async () => {
    const { made } = await summariser(new RuledModel(400, () => new AppError('engine-crashed', 'gone')));
    await expect(made.run(made.waiting(), quiet, never)).rejects.toMatchObject({ kind: 'engine-crashed' });
  });
});

describe('answers', () => {
  it.each([
    ['Here are the points:\n- a\n- b', false, '- a\n- b'],
    ['- one thing.\n- one thing.\n- two', false, '- one thing.\n- two'],
    ['- whole.\n- cut off in the mid', true, '- whole.'],
    ['One sentence without an end', true, 'One sentence without an end'],
    ['以下是要点：\n- 甲', false, '- 甲'],
    ["Here's how you can summarize your text:\n- a. \n- b and", true, '- a.'],
    ["Here's how you can summarize your text:", true, ''],
  ])('%j are put right', (text, cut, expected) => {
    expect(cleanAnswer(text, cut)).toBe(expected);
  });

  it.each([
    ['', true],
    ['...', true],
    ['无', false],
    ['None', false],
    ['The bridge was built.', false],
    ['It is a a a. '.repeat(30), true],
    [`He said ${'and so on '.repeat(20)}`, true],
    ['x'.repeat(300), true],
  ])('%j are of no use: %s', (text, expected) => {
    expect(isUseless(text, 'Some other source text.')).toBe(expected);
  });

  it('that only repeat the text are of no use', () => {
    const source = Array.from({ length: 60 }, (_, i) => `Sentence number ${i} of the text.`).join(' ');
    expect(isUseless(source.slice(0, 600), source)).toBe(true);
  });
});
