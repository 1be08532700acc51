import { closeMarks } from './close-marks.ts';
import { markFormulas } from './formulas.ts';

/** What the markdown parser gets for a block, so that it means alone what it means in the whole text. */
export function blockMarkdown(source: string, growing: boolean, definitions: string): string {
  const marked = markFormulas(source, growing);
  const shown = growing ? closeMarks(marked) : marked;
  return definitions === '' || !shown.includes('[') ? shown : `${shown}\n\n${definitions}`;
}
