/** Puts the pieces of text that PDF.js finds on a page together to lines and paragraphs. */
import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { cleanText } from '../clean.ts';
import { MOST_PAGE_TEXT } from '../limits.ts';

/** What PDF.js tells of a piece of text. */
interface Piece {
  str: string;
  /** From text space to page space: the last two are its place, the second pair's length its size. */
  transform: readonly number[];
  hasEOL: boolean;
}

export interface Line {
  text: string;
  /** Where it begins in the page's text. */
  offset: number;
  /** Size of its type in points, that of most of its characters. */
  size: number;
  /** Place of its baseline, from the bottom of the page. */
  y: number;
}

export interface PageText {
  text: string;
  lines: Line[];
  /** Characters as the file gives them, and how many of them stand for no character. */
  characters: number;
  unmapped: number;
  problem: 'cut' | 'broken' | undefined;
}

/** A gap of more than this many usual gaps ends a paragraph. */
const PARAGRAPH_GAP = 1.3;
/** Type between which there is more than this share of difference is not of one paragraph. */
const SAME_SIZE = 1 / 8;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNMAPPED = /[\0-\x08\x0e-\x1f\x7f-\x9f\ue000-\uf8ff\ufffd\ufffe\uffff]|\p{Cn}/gu;

/** What is there before damage is given. */
export async function readPageText(page: PDFPageProxy): Promise<PageText> {
  const builder = new LineBuilder();
  const reader = page.streamTextContent({ disableNormalization: false }).getReader();
  let problem: PageText['problem'];
  try {
    for (;;) {
      const { value, done } = (await reader.read()) as { value?: { items: object[] }; done: boolean };
      if (done || !value) break;
      for (const item of value.items) if ('str' in item) builder.add(item as Piece);
      if (builder.characters <= MOST_PAGE_TEXT) continue;
      problem = 'cut';
      await reader.cancel(new Error('more text than a page may have'));
      break;
    }
  } catch {
    problem = 'broken';
  }
  builder.endLine();
  const { characters, unmapped } = builder;
  return { ...joinLines(builder.lines), characters, unmapped, problem };
}

class LineBuilder {
  readonly lines: Omit<Line, 'offset'>[] = [];
  characters = 0;
  unmapped = 0;
  #line = '';
  /** Characters by size, for the size of most of them. */
  readonly #sizes = new Map<number, number>();
  #y: number | undefined;

  add({ str, transform, hasEOL }: Piece): void {
    const visible = str.replace(/\s/g, '');
    if (visible !== '') {
      this.characters += visible.length;
      this.unmapped += visible.match(UNMAPPED)?.length ?? 0;
      const size = Math.round(Math.hypot(transform[2] ?? 0, transform[3] ?? 0) * 2) / 2;
      this.#sizes.set(size, (this.#sizes.get(size) ?? 0) + visible.length);
      this.#y ??= transform[5] ?? 0;
    }
    this.#line += str;
    if (hasEOL) this.endLine();
  }

  endLine(): void {
    const text = cleanText(this.#line.replace(UNMAPPED, '')).replace(/\n/g, ' ').trim();
    const [size = 0] = [...this.#sizes].sort((a, b) => b[1] - a[1])[0] ?? [];
    const y = this.#y ?? 0;
    this.#line = '';
    this.#sizes.clear();
    this.#y = undefined;
    if (text !== '') this.lines.push({ text, size, y });
  }
}

function joinLines(lines: readonly Omit<Line, 'offset'>[]): Pick<PageText, 'text' | 'lines'> {
  const usual = usualGap(lines);
  const placed: Line[] = [];
  let text = '';
  for (const [i, line] of lines.entries()) {
    const before = lines[i - 1];
    if (before) text += isApart(before, line, usual) ? '\n\n' : '\n';
    placed.push({ ...line, offset: text.length });
    text += line.text;
  }
  return { text, lines: placed };
}

/** How far most lines stand below the one before, in sizes of their type. */
function usualGap(lines: readonly Omit<Line, 'offset'>[]): number {
  const gaps = lines
    .flatMap(({ size, y }, i) => {
      const before = lines[i - 1];
      const gap = before && size > 0 && before.size === size ? (before.y - y) / size : 0;
      return gap > 0 && gap < 4 ? [gap] : [];
    })
    .sort((a, b) => a - b);
  // Paragraphs are longer than a line, so that the gaps within them are the smaller and the more frequent ones.
  return gaps[Math.floor(gaps.length / 3)] ?? 1.2;
}

/** Whether a line begins a new paragraph: far below the line before, above it (a new column), or of another size. */
function isApart(before: Omit<Line, 'offset'>, { size, y }: Omit<Line, 'offset'>, usual: number): boolean {
  const down = before.y - y;
  const height = Math.max(size, before.size);
  return down > height * usual * PARAGRAPH_GAP || down < -height || Math.abs(size - before.size) > height * SAME_SIZE;
}
