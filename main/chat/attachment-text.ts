/** The text of an attached document for a question, and what of it could not be read. */
import type { ExtractedDocument, PageProblem, PageUnit } from '../../contract/documents.ts';
import { AppError, type ErrorInfo } from '../../contract/errors.ts';
import { type Phrase, phrase, said } from '../../contract/phrase.ts';

const UNITS: Record<PageUnit, Phrase> = {
  page: said('pages'),
  slide: said('slides'),
  chapter: said('chapters'),
  part: said('parts'),
};

const PROBLEMS: Record<PageProblem, Phrase> = {
  scanned: said('a picture without text'),
  unreadable: said('glyphs that do not say which characters they are'),
  broken: said('broken'),
  cut: said('too long, cut'),
};

/** Throws AppError 'document-invalid' where there is no text at all: a model must not be asked about nothing. */
export function attachmentText(
  { pages, problems, unit }: Pick<ExtractedDocument, 'pages' | 'problems' | 'unit'>,
  name: string,
): { text: string; problem?: ErrorInfo } {
  const faults: Phrase[] = [];
  for (const problem of Object.keys(PROBLEMS) as PageProblem[]) {
    const count = pages.filter((page) => page.problem === problem).length;
    if (count > 0) faults.push(phrase`${count} of ${pages.length} ${UNITS[unit]}: ${PROBLEMS[problem]}`);
  }
  if (problems.some(({ kind }) => kind === 'damaged')) faults.push(said('the file is damaged'));
  if (problems.some(({ kind }) => kind === 'missing-part' || kind === 'protected-part'))
    faults.push(said('parts are missing'));
  if (problems.some(({ kind }) => kind === 'cut')) faults.push(said('the end was left out'));
  const text = pages
    .map((page) => page.text.trim())
    .filter((one) => one !== '')
    .join('\n\n');
  const [first, ...more] = faults;
  const why = first && more.reduce((before, fault) => phrase`${before}; ${fault}`, first);
  if (text === '') {
    const message = why === undefined ? phrase`${name} has no text.` : phrase`${name} has no text (${why}).`;
    throw new AppError('document-invalid', message, {
      action: 'Attach a version with text. A scanned document needs text recognition first.',
    });
  }
  if (why === undefined) return { text };
  return { text, problem: new AppError('document-invalid', phrase`Not all was read (${why}).`).toInfo() };
}
