/** A place as a citation, with the name that readers know it by. */
import type { DocumentPage } from '../../../contract/documents.ts';
import type { Citation } from '../../../contract/summaries.ts';

interface FoundPlace {
  readonly page: number;
  readonly range: readonly [start: number, end: number];
  readonly score: number;
}

/** @param pages all of the document's, by number from 1; of one that is missing only its number is known */
export function citationOf(
  documentId: string,
  pages: readonly (DocumentPage | undefined)[],
  { page: number, range: [start, end], score }: FoundPlace,
): Citation {
  const page = pages[number - 1];
  const lines = page?.lines && linesOf(page.text, page.lines[0], start, end);
  // The name of an only part is that of the document, and tells no places apart.
  const label = pages.length === 1 ? (lines ?? page?.label) : (page?.label ?? lines);
  return { documentId, page: number, ...(label === undefined ? {} : { label }), range: [start, end], score };
}

/** Lines of the file, as editors count them: "L12", "L12-14". Text files have no pages that anybody knows. */
function linesOf(text: string, first: number, start: number, end: number): string {
  const from = first + newLines(text.slice(0, start));
  const to = from + newLines(text.slice(start, end).trimEnd());
  return from === to ? `L${from}` : `L${from}-${to}`;
}

function newLines(text: string): number {
  return text.split('\n').length - 1;
}
