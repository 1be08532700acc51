/** Builds pages from running text: paragraphs, headings and line breaks in, pages or parts of bounded size out. */
import type { DocumentHeading } from '../../../contract/documents.ts';
import { cleanText, oneLine, safeCut } from './clean.ts';
import type { Collector } from './collector.ts';
import { MOST_PAGE_TEXT, PART_CHARACTERS } from './limits.ts';

/** A heading of this level or a higher one begins a new part where the current one is not too small. */
const PART_LEVEL = 2;

export class Flow {
  readonly #collector: Collector;
  /** Whether `endPage` alone ends pages; otherwise they end where a part is full. */
  readonly #paged: boolean;
  #page = '';
  #paragraph = '';
  #headings: Omit<DocumentHeading, 'page'>[] = [];
  #cut = false;
  /** Title of the heading that the current part began under. */
  #under: string | undefined;

  constructor(collector: Collector, paged: boolean) {
    this.#collector = collector;
    this.#paged = paged;
  }

  /** Whether more white space would be seen: false at the start of a paragraph and after a space. */
  get wantsSpace(): boolean {
    return this.#paragraph !== '' && !/\s/.test(this.#paragraph.slice(-1));
  }

  /** Whether the current paragraph has any text. */
  get hasParagraph(): boolean {
    return this.#paragraph.trim() !== '';
  }

  /** Whether the current page has any text. */
  get hasText(): boolean {
    return this.#page !== '' || this.hasParagraph;
  }

  /** Adds to the current paragraph, as it is. */
  text(text: string): void {
    this.#paragraph += cleanText(text);
    if (!this.#paged) this.#passOnLongParagraph();
    else if (this.#paragraph.length > MOST_PAGE_TEXT) this.#commit(this.#take(), false);
  }

  /** Ends the paragraph. `tight`: it follows the one before without an empty line, as rows and list items do. */
  endParagraph(more: { heading?: number | undefined; tight?: boolean } = {}): void {
    this.#commit(this.#take(), more.tight === true, more.heading);
  }

  /** Ends the page, even an empty one where `paged`; the current paragraph is divided. */
  endPage(label?: string): void {
    this.endParagraph();
    if (!this.#paged && this.#page === '') return;
    const text = this.#page;
    const headings = this.#headings;
    const name = label ?? (this.#paged ? undefined : (this.#under ?? headings[0]?.title));
    const last = headings.at(-1);
    if (last) this.#under = last.title;
    this.#page = '';
    this.#headings = [];
    const problem = this.#cut ? ({ problem: 'cut' } as const) : {};
    this.#cut = false;
    this.#collector.page({ ...(name === undefined ? {} : { label: name }), text, ...problem }, headings);
  }

  /** Gives the current page, which has no heading of its own, one at its beginning. */
  nameHeading(title: string): void {
    if (this.#headings.length === 0 && this.#page !== '') this.#headings.push({ level: 1, title, offset: 0 });
  }

  /** Sets the current paragraph aside, for a text box within it, and returns what puts it back. */
  suspend(): () => void {
    const paragraph = this.#take();
    return () => {
      this.endParagraph();
      this.#paragraph = paragraph;
    };
  }

  #take(): string {
    const paragraph = this.#paragraph;
    this.#paragraph = '';
    return paragraph;
  }

  #commit(paragraph: string, tight: boolean, heading?: number): void {
    const text = tidy(paragraph);
    if (text === '') return;
    if (!this.#paged) this.#makeRoom(text.length, heading);
    const gap = this.#page === '' ? '' : tight ? '\n' : '\n\n';
    const room = MOST_PAGE_TEXT - this.#page.length - gap.length;
    if (room < text.length) this.#cut = true;
    if (room <= 0) return;
    if (heading !== undefined) {
      this.#headings.push({ level: heading, title: oneLine(text), offset: this.#page.length + gap.length });
    }
    this.#page += gap + (room < text.length ? text.slice(0, safeCut(text, room)) : text);
  }

  /** Ends a part that the next paragraph does not fit into, or that a section ends. */
  #makeRoom(length: number, heading: number | undefined): void {
    const full = this.#page.length + length > PART_CHARACTERS;
    const section = heading !== undefined && heading <= PART_LEVEL && this.#page.length > PART_CHARACTERS / 4;
    if (this.#page !== '' && (full || section)) {
      const paragraph = this.#take();
      this.endPage();
      this.#paragraph = paragraph;
    }
    if (this.#page === '' && heading !== undefined) this.#under = undefined;
  }

  /** A paragraph longer than a part becomes parts of its own, divided between words where there are any. */
  #passOnLongParagraph(): void {
    while (this.#paragraph.length > 2 * PART_CHARACTERS) {
      const paragraph = this.#take();
      const window = paragraph.slice(0, PART_CHARACTERS);
      const space = Math.max(window.lastIndexOf(' '), window.lastIndexOf('\n'));
      const at = space > PART_CHARACTERS / 2 ? space + 1 : safeCut(paragraph, PART_CHARACTERS);
      this.#commit(paragraph.slice(0, at), false);
      this.#paragraph = paragraph.slice(at);
    }
  }
}

/** Without white space at line ends, empty lines at its ends and runs of empty lines within. */
function tidy(paragraph: string): string {
  const lines = paragraph.split('\n').map((line) => line.trimEnd());
  const first = lines.findIndex((line) => line !== '');
  if (first < 0) return '';
  return lines
    .slice(first)
    .join('\n')
    .trimEnd()
    .replace(/\n{3,}/g, '\n\n');
}
