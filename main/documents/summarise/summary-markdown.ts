/** A summary as Markdown: what people read, export and carry into a chat. Each point names its pages. */
import type { PageUnit } from '../../../contract/documents.ts';
import type { Language } from '../../../contract/language.ts';
import type { CitedPoint, Summary, SummarySection } from '../../../contract/summaries.ts';
import { citedText, pagesOf } from '../citations/cited-text.ts';
import { type MarkdownWords, markdownWords } from './markdown-words.ts';

export type WrittenSummary = Pick<
  Summary,
  'documentName' | 'options' | 'model' | 'state' | 'sections' | 'text' | 'points' | 'cut' | 'joined' | 'coverage'
>;

/** Title, coverage, the whole, and the parts that it was made of; what is missing is said. */
export function summaryMarkdown(summary: WrittenSummary, unit: PageUnit, language: Language): string {
  const words = markdownWords[language];
  const { documentName, sections, state, options, cut, joined } = summary;
  const whole = wholeMarkdown(summary);
  const parts = [`# ${documentName}`, coverageLine(summary, words)];
  if (state !== 'complete') parts.push(words.unfinished);
  if (joined === true) parts.push(words.joined);
  if (whole !== '') parts.push(whole);
  if (cut === true) parts.push(words.cut);
  // One part is the whole; a whole that is put together has all of its parts.
  const hasAll = options.style === 'structured' || joined === true;
  if (whole === '' || (sections.length > 1 && !hasAll)) {
    for (const section of sections) {
      const range = words.pages(...section.pages, unit);
      parts.push(`## ${section.title === '' ? range : `${section.title} (${range})`}`, bodyOf(section, words));
    }
  }
  return `${parts.join('\n\n')}\n`;
}

export function wholeMarkdown({ text, points }: Pick<Summary, 'text' | 'points'>): string {
  return cited(text, points);
}

function bodyOf({ state, text, points, error, cut }: SummarySection, words: MarkdownWords): string {
  if (state === 'done') return cut === true ? `${cited(text, points)}\n\n${words.cut}` : cited(text, points);
  return state === 'failed' ? words.notSummarised(error?.message ?? '', text) : words.notDone;
}

function coverageLine({ coverage, model, sections }: WrittenSummary, words: MarkdownWords): string {
  const { tokensRead, tokensTotal, pagesWithoutText, failedSections } = coverage;
  const share = tokensTotal === 0 ? 0 : Math.floor((100 * tokensRead) / tokensTotal);
  const named = (index: number) => sections[index]?.title || words.part(index);
  return [
    words.read(tokensRead, tokensTotal, share, model),
    ...(pagesWithoutText.length === 0 ? [] : [words.withoutText(pagesWithoutText)]),
    ...(failedSections.length === 0 ? [] : [words.failed(failedSections.map(named))]),
  ].join(words.space);
}

function cited(text: string, points: readonly CitedPoint[]): string {
  return citedText(
    text,
    points.map((point) => ({ text: point.text, pages: pagesOf(point) })),
  );
}
