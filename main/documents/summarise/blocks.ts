/** The text of a document as blocks: paragraphs, with where they stand. What a summary is cut along. */
import type { DocumentHeading, DocumentPage } from '../../../contract/documents.ts';

/** Longer paragraphs are cut where a sentence ends, and where none does, anywhere. In UTF-16 code units. */
const LONGEST_BLOCK = 1_200;

export interface Block {
  readonly page: number;
  /** In the page's text, in UTF-16 code units; the end is behind the last one. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Of the heading that it begins with, 1 is the highest. */
  readonly heading?: { readonly level: number; readonly title: string };
}

/** Blocks of all pages, in order. Between them is white space only: nothing else of a page is left out. */
export function blocksOf(pages: readonly DocumentPage[], headings: readonly DocumentHeading[]): readonly Block[] {
  const byPage = new Map<number, DocumentHeading[]>();
  for (const heading of headings) byPage.set(heading.page, [...(byPage.get(heading.page) ?? []), heading]);
  return pages.flatMap((page) => blocksOfPage(page, byPage.get(page.number) ?? []));
}

function blocksOfPage({ number, text }: DocumentPage, headings: readonly DocumentHeading[]): readonly Block[] {
  const at = new Map(headings.map((heading) => [heading.offset, heading]));
  // Paragraphs end in an empty line; a heading begins a block wherever it stands.
  const starts = new Set([0, ...at.keys()]);
  for (const match of text.matchAll(/\n[^\S\n]*\n\s*/g)) starts.add(match.index + match[0].length);
  const cuts = [...starts].filter((start) => start < text.length).sort((a, b) => a - b);
  return cuts.flatMap((start, index) => {
    const whole = trimmed(text, start, cuts[index + 1] ?? text.length);
    if (whole === undefined) return [];
    const heading = at.get(start);
    return pieces(text, ...whole).map(
      ([from, to], piece): Block => ({
        page: number,
        start: from,
        end: to,
        text: text.slice(from, to),
        ...(piece === 0 && heading ? { heading: { level: heading.level, title: heading.title } } : {}),
      }),
    );
  });
}

function trimmed(text: string, start: number, end: number): [start: number, end: number] | undefined {
  const piece = text.slice(start, end);
  const inner = piece.trim();
  if (inner === '') return undefined;
  const from = start + piece.indexOf(inner);
  return [from, from + inner.length];
}

/** The range in pieces of at most LONGEST_BLOCK, cut behind sentences, else behind words, else between characters. */
function pieces(text: string, start: number, end: number): [number, number][] {
  const found: [number, number][] = [];
  let from = start;
  while (end - from > LONGEST_BLOCK) {
    const piece = text.slice(from, from + LONGEST_BLOCK);
    const sentence = lastMatch(piece, /[.!?…]["'”’)\]]*\s|[。！？…]["'”’」』）]*/g);
    const word = lastMatch(piece, /\s/g);
    const cut =
      sentence > LONGEST_BLOCK / 3
        ? sentence
        : word > LONGEST_BLOCK / 3
          ? word
          : betweenPairs(text, from + LONGEST_BLOCK) - from;
    const inner = trimmed(text, from, from + cut);
    if (inner) found.push(inner);
    from += cut;
  }
  const rest = trimmed(text, from, end);
  if (rest) found.push(rest);
  return found;
}

/** Where the last match ends, or 0. */
function lastMatch(text: string, pattern: RegExp): number {
  let end = 0;
  for (const match of text.matchAll(pattern)) end = match.index + match[0].length;
  return end;
}

function betweenPairs(text: string, index: number): number {
  const code = text.charCodeAt(index);
  return code >= 0xdc00 && code <= 0xdfff ? index - 1 : index;
}
