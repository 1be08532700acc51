/** Reads PDF files page by page; what one page takes is given back before the next. */
import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { DocumentPage, PageProblem } from '../../../../contract/documents.ts';
import { oneLine } from '../clean.ts';
import type { Collector, Facts } from '../collector.ts';
import { ScannedPages } from '../ocr/scanned-pages.ts';
import { takeComplaints } from './complaints.ts';
import { LargeLines } from './large-lines.ts';
import { type Line, readPageText } from './lines.ts';
import { openPdf, type PdfFile } from './open.ts';
import { type Bookmark, placeBookmarks, readOutline } from './outline.ts';
import { isUnreadable, whyNoText } from './page-problems.ts';

/** Fonts and other things that pages share are given back after so many pages. */
const CLEAN_UP_EVERY = 50;

export async function readPdf(file: PdfFile, collector: Collector): Promise<Facts> {
  takeComplaints();
  const document = await openPdf(file);
  try {
    return await new PdfReader(document, collector, file.ocr && new ScannedPages(file, file.ocr)).read();
  } finally {
    await document.loadingTask.destroy();
  }
}

class PdfReader {
  readonly #document: PDFDocumentProxy;
  readonly #collector: Collector;
  readonly #largeLines = new LargeLines();
  readonly #scanned: ScannedPages | undefined;

  constructor(document: PDFDocumentProxy, collector: Collector, scanned: ScannedPages | undefined) {
    this.#document = document;
    this.#collector = collector;
    this.#scanned = scanned;
  }

  async read(): Promise<Facts> {
    try {
      return await this.#read();
    } finally {
      await this.#scanned?.close();
    }
  }

  async #read(): Promise<Facts> {
    const { numPages } = this.#document;
    const labels = await this.#labels();
    const outline = await readOutline(this.#document);
    const title = await this.#title();
    if (takeComplaints().has('rebuilt')) this.#collector.problem({ kind: 'damaged' });
    for (let number = 1; number <= numPages; number++) {
      const label = labels?.[number - 1];
      await this.#page(number, label === undefined || label === String(number) ? {} : { label }, outline.get(number));
      this.#collector.progress('pages', number, numPages);
      if (number % CLEAN_UP_EVERY === 0) await this.#document.cleanup();
    }
    if (outline.size === 0) this.#collector.headings.push(...this.#largeLines.headings());
    return { format: 'pdf', unit: 'page', ...(title ? { title } : {}) };
  }

  async #page(number: number, more: Pick<DocumentPage, 'label'>, bookmarks: Bookmark[] = []): Promise<void> {
    takeComplaints();
    let text = '';
    let problem: PageProblem | undefined;
    let lines: readonly Line[] = [];
    try {
      const page = await this.#document.getPage(number);
      const read = await readPageText(page);
      if (isUnreadable(read)) problem = 'unreadable';
      else if (read.text === '') problem = read.problem ?? (await whyNoText(page));
      else {
        ({ text, lines } = read);
        problem = read.problem ?? (takeComplaints().has('broken') ? 'broken' : undefined);
      }
      page.cleanup();
    } catch {
      problem = 'broken';
    }
    const recognised = problem === 'scanned' ? await this.#scanned?.textOf(number) : undefined;
    if (recognised) {
      this.#collector.page({ ...more, text: recognised, recognised: true }, placeBookmarks(bookmarks, []));
      return;
    }
    this.#collector.page(
      { ...more, text, ...(problem === undefined ? {} : { problem }) },
      placeBookmarks(bookmarks, lines),
    );
    this.#largeLines.add(number, lines);
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
