/** Text with the pages of each point behind it. */
import type { CitedPoint } from '../../../contract/summaries.ts';

/** Pages that a point comes from, as the document calls them, each once. */
export function pagesOf({ citations }: CitedPoint): string[] {
  return [...new Set(citations.map(({ label, page }) => label ?? String(page)))];
}

/** `points` in the order in which they stand in the text. */
export function citedText(
  text: string,
  points: readonly { readonly text: string; readonly pages: readonly string[] }[],
): string {
  let result = '';
  let from = 0;
  for (const point of points) {
    const at = text.indexOf(point.text, from);
    if (at < 0 || point.pages.length === 0) continue;
    const end = at + point.text.length;
    result += `${text.slice(from, end)} [${point.pages.join(', ')}]`;
    from = end;
  }
  return result + text.slice(from);
}
