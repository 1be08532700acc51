/** The Markdown of a summary as a page to be printed. Everything is text: nothing of it can run or load. */
import { escapeHtml } from '../escape-html.ts';
import { linesOf } from './markdown-lines.ts';

export function htmlOf(markdown: string, title: string, language: string): string {
  const lines = linesOf(markdown);
  const body = lines
    .map(({ kind, level, text }, index) => {
      if (kind === 'paragraph') return `<p dir="auto">${escapeHtml(text)}</p>`;
      if (kind === 'heading') return `<h${Math.min(3, level)}>${escapeHtml(text)}</h${Math.min(3, level)}>`;
      const begins = lines[index - 1]?.kind !== 'item';
      const ends = lines[index + 1]?.kind !== 'item';
      return `${begins ? '<ul>' : ''}<li dir="auto">${escapeHtml(text)}</li>${ends ? '</ul>' : ''}`;
    })
    .join('\n');
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title><style>
body { font: 11pt/1.5 system-ui, "Noto Sans", "Noto Sans CJK SC", sans-serif; color: #000; }
h1 { font-size: 18pt; } h2 { font-size: 14pt; break-after: avoid; } h3 { font-size: 12pt; break-after: avoid; }
ul { margin: 0; padding-inline-start: 1.2em; }
</style></head><body>${body}</body></html>`;
}
