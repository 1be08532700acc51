/** A summary as Markdown: what people read, export and carry into a chat. Each point names its pages. */
import type { CitedPoint, Summary } from '../../contract/summaries.ts';
import { citedText, pagesOf } from '../documents/citations/cited-text.ts';

/** `headed`: with title, coverage and the sections below the whole. */
export function summaryMarkdown(summary: Summary, headed: boolean): string {
  const { documentName, text, points, sections, state } = summary;
  const whole = cited(text, points);
  if (!headed) return whole;
  const parts = [`# ${documentName}`, coverageLine(summary), ...(whole === '' ? [] : [whole])];
  // One section is the whole; several stand below it, as the parts that it was made of.
  if (sections.length > 1 && summary.options.style !== 'structured') {
    for (const section of sections) {
      const title = section.title === '' ? rangeOf(section.pages) : `${section.title} (${rangeOf(section.pages)})`;
      const body =
        section.state === 'done'
          ? cited(section.text, section.points)
          : section.state === 'failed'
            ? `(Not summarised: ${section.error?.message ?? ''} The text begins: ${section.text})`
            : '(Not done.)';
      parts.push(`## ${title}`, body);
    }
  }
  if (state !== 'complete') parts.push('(This summary is not finished.)');
  return `${parts.join('\n\n')}\n`;
}

function coverageLine({ coverage, model, sections }: Summary): string {
  const { tokensRead, tokensTotal, pagesWithoutText, failedSections } = coverage;
  const share = tokensTotal === 0 ? 0 : Math.floor((100 * tokensRead) / tokensTotal);
  return [
    `Read ${tokensRead} of ${tokensTotal} tokens (${share} %) with ${model}.`,
    ...(pagesWithoutText.length === 0 ? [] : [`Pages without text: ${pagesWithoutText.join(', ')}.`]),
    ...(failedSections.length === 0
      ? []
      : [
          `Sections that failed: ${failedSections.map((index) => sections[index]?.title || `${index + 1}`).join('; ')}.`,
        ]),
  ].join(' ');
}

function cited(text: string, points: readonly CitedPoint[]): string {
  return citedText(
    text,
    points.map((point) => ({ text: point.text, pages: pagesOf(point) })),
  );
}

function rangeOf([from, to]: readonly [number, number]): string {
  return from === to ? `p. ${from}` : `pp. ${from}-${to}`;
}
