import { describe, expect, it } from 'vitest';
import type { DocumentHeading, DocumentPage } from '../../../contract/documents.ts';
import { type Block, blocksOf } from './blocks.ts';
import { type CountedBlock, splitSections } from './split.ts';

/** A token is four characters, but for Chinese, where it is one. */
const counted = (blocks: readonly Block[]): CountedBlock[] =>
  blocks.map((block) => ({
    ...block,
    tokens: Math.ceil(block.text.replaceAll(/[\u4e00-\u9fff]/g, 'xxxx').length / 4),
  }));

function page(number: number, text: string): DocumentPage {
  return { number, text };
}

function sentences(count: number, word: string): string {
  return Array.from({ length: count }, (_, i) => `The ${word} number ${i} is described here.`).join(' ');
}

/** A book of chapters and parts, four pages each. */
function book(chapters: number): { pages: DocumentPage[]; headings: DocumentHeading[] } {
  const pages: DocumentPage[] = [];
  const headings: DocumentHeading[] = [];
  for (let chapter = 1; chapter <= chapters; chapter += 1) {
    for (let part = 1; part <= 4; part += 1) {
      const number = pages.length + 1;
      const head = part === 1 ? `Chapter ${chapter}` : `Part ${chapter}.${part}`;
      headings.push({ level: part === 1 ? 1 : 2, title: head, page: number, offset: 0 });
      pages.push(page(number, `${head}\n\n${sentences(20, 'fox')}\n\n${sentences(20 + part * 5, 'dog')}`));
    }
  }
  return { pages, headings };
}

/** Every character that is not white space, by page. */
function inked(pages: readonly { number: number; text: string }[]): string[] {
  return pages.map(({ number, text }) => `${number}:${text.replaceAll(/\s+/g, '')}`);
}

describe('blocks', () => {
  it.each([
    ['paragraphs', 'One.\n\nTwo\nlines.\n \n\nThree.', ['One.', 'Two\nlines.', 'Three.']],
    ['nothing', ' \n\n ', []],
    ['one line', 'a', ['a']],
  ])('are %s', (_, text, expected) => {
    expect(blocksOf([page(1, text)], []).map((block) => block.text)).toEqual(expected);
  });

  it('begin at headings, and know where they stand', () => {
    const text = 'Intro\nTitle\nBody';
    const blocks = blocksOf([page(3, text)], [{ level: 2, title: 'Title', page: 3, offset: 6 }]);
    expect(blocks).toEqual([
      { page: 3, start: 0, end: 5, text: 'Intro' },
      { page: 3, start: 6, end: 16, text: 'Title\nBody', heading: { level: 2, title: 'Title' } },
    ]);
    for (const { start, end, text: own } of blocks) expect(text.slice(start, end)).toBe(own);
  });

  it.each([
    ['sentences', sentences(200, 'fox')],
    ['Chinese sentences', '量子力学是研究微观世界的科学。'.repeat(400)],
    ['no sentences at all', 'word '.repeat(2000)],
    ['no spaces at all', 'x'.repeat(5000)],
    ['pairs', '😀'.repeat(3000)],
  ])('of long paragraphs of %s stay short and lose nothing', (_, text) => {
    const blocks = blocksOf([page(1, text)], []);
    for (const block of blocks) {
      expect(block.text.length).toBeLessThanOrEqual(1200);
      expect(block.text).toBe(text.slice(block.start, block.end));
      expect(block.text).not.toMatch(/^[\udc00-\udfff]|[\ud800-\udbff]$/);
    }
    expect(blocks.map((block) => block.text.replaceAll(/\s/g, '')).join('')).toBe(text.replaceAll(/\s/g, ''));
  });
});

describe('sections', () => {
  it.each([300, 700, 2000, 5000, 1e6])('of %i tokens hold every character once and fit', (room) => {
    const { pages, headings } = book(7);
    const sections = splitSections(counted(blocksOf(pages, headings)), room);
    const texts = pages.map(({ number }) => ({
      number,
      text: sections
        .flatMap((section) => section.blocks)
        .filter((block) => block.page === number)
        .map((block) => block.text)
        .join(''),
    }));
    expect(inked(texts)).toEqual(inked(pages));
    for (const { tokens, overlap } of sections) {
      expect(tokens + overlap.reduce((sum, block) => sum + block.tokens, 0)).toBeLessThanOrEqual(room);
    }
  });

  it('begin at chapters where these fit', () => {
    const { pages, headings } = book(3);
    const blocks = counted(blocksOf(pages, headings));
    const chapter = blocks.filter(({ page: at }) => at <= 4).reduce((sum, block) => sum + block.tokens, 0);
    const sections = splitSections(blocks, Math.ceil(chapter * 1.2));
    expect(sections.map(({ title, pages: range }) => [title, ...range])).toEqual([
      ['Chapter 1', 1, 4],
      ['Chapter 2', 5, 8],
      ['Chapter 3', 9, 12],
    ]);
    expect(sections.every(({ overlap }) => overlap.length === 0)).toBe(true);
  });

  it('name the headings above', () => {
    const { pages, headings } = book(1);
    const sections = splitSections(counted(blocksOf(pages, headings)), 400);
    expect(sections.length).toBeGreaterThan(3);
    expect(sections.map(({ title }) => title)).toContain('Chapter 1 › Part 1.3');
  });

  it('without headings are about equal, and repeat a little of what came before', () => {
    const text = Array.from({ length: 40 }, (_, i) => sentences(6, `item${i}`)).join('\n\n');
    const sections = splitSections(counted(blocksOf([page(1, text)], [])), 700);
    const sizes = sections.map(({ tokens }) => tokens);
    expect(Math.max(...sizes) / Math.min(...sizes)).toBeLessThan(1.5);
    expect(splitSections(counted(blocksOf([page(1, text)], [])), 5000).at(-1)?.overlap).toEqual([]);
    const [, second] = splitSections(counted(blocksOf([page(1, text)], [])), 1400);
    expect(second?.overlap.length).toBeGreaterThan(0);
  });

  it('are none of an empty document, and one of a small one', () => {
    expect(splitSections([], 100)).toEqual([]);
    expect(splitSections(counted(blocksOf([page(1, 'a\n\nb')], [])), 100)).toHaveLength(1);
  });
});
