/** The bookmarks of a PDF by the page that they lead to. */
import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { DocumentHeading } from '../../../../contract/documents.ts';
import { oneLine } from '../clean.ts';
import { MOST_HEADINGS } from '../limits.ts';
import type { Line } from './lines.ts';

export interface Bookmark {
  level: number;
  title: string;
  /** Height on the page that it leads to, where it states one. */
  top: number | undefined;
}

type Outline = Awaited<ReturnType<PDFDocumentProxy['getOutline']>>;
const DEEPEST_LEVEL = 9;

/** Page, from 1 -> bookmarks in their order. Empty where the document has none or they cannot be read. */
export async function readOutline(document: PDFDocumentProxy): Promise<Map<number, Bookmark[]>> {
  const pages = new Map<number, Bookmark[]>();
  let count = 0;
  const visit = async (entries: Outline | undefined, level: number): Promise<void> => {
    for (const entry of entries ?? []) {
      if (++count > MOST_HEADINGS) return;
      const place = await placeOf(document, entry.dest);
      const title = oneLine(entry.title);
      if (place && title !== '') {
        const bookmarks = pages.get(place.page) ?? [];
        bookmarks.push({ level, title, top: place.top });
        pages.set(place.page, bookmarks);
      }
      await visit(entry.items, Math.min(level + 1, DEEPEST_LEVEL));
    }
  };
  try {
    await visit(await document.getOutline(), 1);
  } catch {
    // A damaged outline is as good as none.
  }
  return pages;
}

async function placeOf(
  document: PDFDocumentProxy,
  named: string | unknown[] | null,
): Promise<{ page: number; top: number | undefined } | undefined> {
  try {
    const destination = typeof named === 'string' ? await document.getDestination(named) : named;
    const [target, fit, ...numbers] = destination ?? [];
    const index =
      typeof target === 'number' ? target : await document.getPageIndex(target as { num: number; gen: number });
    const { name } = fit as { name: string };
    const top = name === 'XYZ' ? numbers[1] : name === 'FitH' || name === 'FitBH' ? numbers[0] : undefined;
    if (index < 0 || index >= document.numPages) return undefined;
    return { page: index + 1, top: typeof top === 'number' ? top : undefined };
  } catch {
    return undefined; // leads nowhere
  }
}

/** Finds each bookmark's line: the one with its words, else the first below the height that it leads to. */
export function placeBookmarks(
  bookmarks: readonly Bookmark[],
  lines: readonly Line[],
): Omit<DocumentHeading, 'page'>[] {
  return bookmarks.map(({ level, title, top }) => {
    const words = plain(title);
    const line =
      lines.find(({ text }) => plain(text) === words) ??
      lines.find(({ text }) => plain(text).includes(words) || (text.length > 8 && words.includes(plain(text)))) ??
      (top === undefined ? undefined : lines.find(({ y }) => y <= top));
    return { level, title, offset: line?.offset ?? 0 };
  });
}

function plain(text: string): string {
  return text.replace(/[\s\p{P}]+/gu, '').toLowerCase();
}
