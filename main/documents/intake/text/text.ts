/** Reads plain text, Markdown, CSV and source code: the text as it is, in parts. */
import type { DocumentFormat } from '../../../../contract/documents.ts';
import { cleanText, oneLine } from '../clean.ts';
import type { Collector, Facts } from '../collector.ts';
import type { Decoded } from './encoding.ts';
import { markdownHeadings } from './markdown-headings.ts';
import { partsOf } from './parts.ts';

export type TextFormat = Extract<DocumentFormat, 'text' | 'markdown' | 'csv' | 'code'>;

export function readText(decoded: Decoded, format: TextFormat, collector: Collector): Facts {
  const text = cleanText(decoded.text);
  noteEncoding(decoded, collector);
  const headings = format === 'markdown' ? markdownHeadings(text) : [];
  let next = 0;
  let under: string | undefined;
  for (const part of partsOf(text, format === 'csv' ? recordEnds(text) : undefined)) {
    const from = next;
    while ((headings[next]?.offset ?? Number.POSITIVE_INFINITY) < part.start + part.text.length) next += 1;
    const mine = headings.slice(from, next).map(({ level, title, offset }) => ({
      level,
      title: oneLine(title),
      offset: offset - part.start,
    }));
    const label = under ?? mine[0]?.title;
    under = mine.at(-1)?.title ?? under;
    collector.page({ ...(label === undefined ? {} : { label }), lines: part.lines, text: part.text }, mine);
  }
  const [first] = headings;
  const title = first?.level === 1 && text.slice(0, first.offset).trim() === '' ? oneLine(first.title) : undefined;
  return { format, unit: 'part', encoding: decoded.encoding, ...(title === undefined ? {} : { title }) };
}

/** Says where a reader may meet wrong characters. */
export function noteEncoding({ encoding, wrongCharacters, sure }: Decoded, collector: Collector): void {
  if (wrongCharacters > 0 || !sure) collector.problem({ kind: 'encoding', encoding, wrongCharacters });
}

/** Whether a line end of a CSV text is outside of quotes. Places must be asked in any order within one part. */
function recordEnds(text: string): (at: number) => boolean {
  // Quotes up to a place, counted onwards from the last place that was asked.
  let counted = 0;
  let quotes = 0;
  return (at) => {
    for (; counted < at; counted += 1) if (text.charCodeAt(counted) === 34) quotes += 1;
    for (; counted > at; counted -= 1) if (text.charCodeAt(counted - 1) === 34) quotes -= 1;
    return quotes % 2 === 0;
  };
}
