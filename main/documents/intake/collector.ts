/** Takes pages, headings and problems from a format's reader, sends pages on at once and keeps the limits of a document. */
import type {
  DocumentFormat,
  DocumentHeading,
  DocumentPage,
  DocumentProblem,
  PageUnit,
  ReadProgress,
} from '../../../contract/documents.ts';
import { MOST_CHARACTERS, MOST_HEADINGS, MOST_PAGES } from './limits.ts';

/** Thrown to end the reading of a document that has reached a limit; what was read stays valid. */
export class Cut extends Error {}

export interface Listener {
  page(page: DocumentPage): void;
  progress(progress: ReadProgress): void;
}

/** What a format's reader says of the document besides its pages. */
export interface Facts {
  format: DocumentFormat;
  unit: PageUnit;
  title?: string;
  encoding?: string;
}

export class Collector {
  readonly headings: DocumentHeading[] = [];
  readonly problems: DocumentProblem[] = [];
  readonly #listener: Listener;
  #pages = 0;
  #characters = 0;

  constructor(listener: Listener) {
    this.#listener = listener;
  }

  get pageCount(): number {
    return this.#pages;
  }

  /** The text must be clean. Headings without `page` are of this one. Throws Cut where the document has become too long. */
  page(page: Omit<DocumentPage, 'number'>, headings: readonly Omit<DocumentHeading, 'page'>[] = []): void {
    if (this.#pages >= MOST_PAGES) this.cut('pages');
    if (this.#characters + page.text.length > MOST_CHARACTERS) this.cut('characters');
    this.#pages += 1;
    this.#characters += page.text.length;
    for (const heading of headings) {
      if (this.headings.length < MOST_HEADINGS) this.headings.push({ ...heading, page: this.#pages });
    }
    this.#listener.page({ number: this.#pages, ...page });
  }

  problem(problem: DocumentProblem): void {
    this.problems.push(problem);
  }

  /** Says that a limit was reached and ends the reading. */
  cut(limit: 'pages' | 'characters' | 'depth'): never {
    this.problem({ kind: 'cut', limit });
    throw new Cut(limit);
  }

  progress(unit: ReadProgress['unit'], done: number, total: number): void {
    this.#listener.progress({ unit, done, total });
  }
}
