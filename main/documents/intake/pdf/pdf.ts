/** Reads PDF files page by page; what one page takes is given back before the next. */
import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { DocumentPage } from '../../../../contract/documents.ts';
import { oneLine } from '../clean.ts';
import type { Collector, Facts } from '../collector.ts';
import { LargeLines } from './large-lines.ts';
import { type PageText, readPageText } from './lines.ts';
import { openPdf, type PdfFile } from './open.ts';
import { type Bookmark, placeBookmarks, readOutline } from './outline.ts';
import { isUnreadable, whyNoText } from './page-problems.ts';

/** Fonts and other things that pages share are given back after so many pages. */
const CLEAN_UP_EVERY = 50;

export async function readPdf(file: PdfFile, collector: Collector): Promise<Facts> {
  const document = await openPdf(file, false);
  const reader = new PdfReader(file, document, collector);
  try {
    return await reader.read();
  } finally {
    await reader.close();
  }
}

class PdfReader {
  readonly #file: PdfFile;
  readonly #document: PDFDocumentProxy;
  readonly #collector: Collector;
  readonly #largeLines = new LargeLines();
  /** A second look at the same file, for pages without text. */
  #strict: PDFDocumentProxy | undefined;

  constructor(file: PdfFile, document: PDFDocumentProxy, collector: Collector) {
    this.#file = file;
    this.#document = document;
    this.#collector = collector;
  }

  async read(): Promise<Facts> {
    const { numPages } = this.#document;
    const labels = await this.#labels();
    const outline = await readOutline(this.#document);
    for (let number = 1; number <= numPages; number++) {
      const label = labels?.[number - 1];
      await this.#page(number, label === undefined || label === String(number) ? {} : { label }, outline.get(number));
      this.#collector.progress('pages', number, numPages);
      if (number % CLEAN_UP_EVERY === 0) {
        await this.#document.cleanup();
        await this.#strict?.cleanup();
      }
    }
    if (outline.size === 0) this.#collector.headings.push(...this.#largeLines.headings());
    const title = await this.#title();
    return { format: 'pdf', unit: 'page', ...(title ? { title } : {}) };
  }

  async close(): Promise<void> {
    await this.#strict?.loadingTask.destroy();
    await this.#document.loadingTask.destroy();
  }

  async #page(number: number, more: Pick<DocumentPage, 'label'>, bookmarks: Bookmark[] = []): Promise<void> {
    let read: PageText;
    try {
      const page = await this.#document.getPage(number);
      read = await readPageText(page);
      page.cleanup();
    } catch {
      this.#collector.page({ ...more, text: '', problem: 'broken' }, placeBookmarks(bookmarks, []));
      return;
    }
    const headings = placeBookmarks(bookmarks, read.lines);
    if (isUnreadable(read)) this.#collector.page({ ...more, text: '', problem: 'unreadable' }, headings);
    else if (read.text === '') {
      const problem = await this.#whyNoText(number);
      this.#collector.page({ ...more, text: '', ...(problem === undefined ? {} : { problem }) }, headings);
    } else {
      this.#collector.page({ ...more, text: read.text, ...(read.cut ? { problem: 'cut' } : {}) }, headings);
      this.#largeLines.add(number, read.lines);
    }
  }

  async #whyNoText(number: number): Promise<DocumentPage['problem']> {
    this.#strict ??= await openPdf(this.#file, true);
    return whyNoText(this.#strict, number);
  }

  async #labels(): Promise<string[] | null> {
    try {
      return await this.#document.getPageLabels();
    } catch {
      return null;
    }
  }

  async #title(): Promise<string | undefined> {
    try {
      const { info } = await this.#document.getMetadata();
      return 'Title' in info && typeof info.Title === 'string' ? oneLine(info.Title) : undefined;
    } catch {
      return undefined;
    }
  }
}
