/** The text of an attached document for a question, and what of it could not be read. */
import type { ExtractedDocument, PageProblem } from '../../contract/documents.ts';
import { AppError, type ErrorInfo } from '../../contract/errors.ts';
import { phrase } from '../../contract/phrase.ts';

const PROBLEMS: Record<PageProblem, string> = {
  scanned: 'a picture without text',
  unreadable: 'glyphs that do not say which characters they are',
  broken: 'broken',
  cut: 'too long, cut',
};

/** Throws AppError 'document-invalid' where there is no text at all: a model must not be asked about nothing. */
export function attachmentText(
  { pages, problems, unit }: Pick<ExtractedDocument, 'pages' | 'problems' | 'unit'>,
  name: string,
): { text: string; problem?: ErrorInfo } {
  const words: string[] = [];
  for (const problem of Object.keys(PROBLEMS) as PageProblem[]) {
    const count = pages.filter((page) => page.problem === problem).length;
    if (count > 0) words.push(`${count} of ${pages.length} ${unit}s: ${PROBLEMS[problem]}`);
  }
  if (problems.some(({ kind }) => kind === 'damaged')) words.push('the file is damaged');
  if (problems.some(({ kind }) => kind === 'missing-part' || kind === 'protected-part'))
    words.push('parts are missing');
  if (problems.some(({ kind }) => kind === 'cut')) words.push('the end was left out');
  const text = pages
    .map((page) => page.text.trim())
    .filter((one) => one !== '')
    .join('\n\n');
  const why = words.length === 0 ? '' : ` (${words.join('; ')})`;
  if (text === '') {
    throw new AppError('document-invalid', phrase`${name} has no text${why}.`, {
      action: 'Attach a version with text. A scanned document needs text recognition first.',
    });
  }
  return words.length === 0
    ? { text }
    : { text, problem: { kind: 'document-invalid', message: `Not all was read${why}.` } };
}
