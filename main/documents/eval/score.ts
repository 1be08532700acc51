/** What of a document came through: how much was read, which planted facts were told, where citations point. */
import type { DocumentPage } from '../../../contract/documents.ts';
import type { CitedPoint } from '../../../contract/summaries.ts';
import { plainDigits } from '../citations/numbers.ts';
import type { Block } from '../summarise/blocks.ts';
import type { PlacedFact } from './suite.ts';

/** Share of the document's characters, white space aside, whose lines were in a prompt: 1 where nothing was left out. */
export function coverageOf(pages: readonly DocumentPage[], prompts: readonly string[]): number {
  const sent = prompts.map(bare);
  let all = 0;
  let read = 0;
  for (const line of pages.flatMap(({ text }) => text.split('\n')).map(bare)) {
    all += line.length;
    if (sent.some((prompt) => prompt.includes(line))) read += line.length;
  }
  return all === 0 ? 1 : read / all;
}

function bare(text: string): string {
  return text.replaceAll(/\s+/g, '');
}

/** Whether a text has all that a fact needs, however numbers are written: 86,400 is 86400, and 17 is not in 1712. */
export function tells(text: string, { needs }: Pick<PlacedFact, 'needs'>): boolean {
  const plain = plainText(text);
  return needs.every((need) =>
    need.split('|').some((one) => {
      const escaped = plainText(one).replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
      return new RegExp(`(?<!\\d)${escaped}(?!\\d)`, 'u').test(plain);
    }),
  );
}

function plainText(text: string): string {
  return plainDigits(text).replaceAll(/\s+/g, ' ');
}

/** Whether a fact stands in one of the blocks. */
export function isIn(blocks: readonly Block[], { page, offset }: PlacedFact): boolean {
  return blocks.some((block) => block.page === page && block.start <= offset && offset < block.end);
}

export interface CitationCounts {
  /** Points that tell a planted fact. */
  stated: number;
  /** Of these, those with a citation, and those whose first citation is the page of the fact. */
  cited: number;
  right: number;
  /** Of all points: those with a citation, and of these the ones with a number that none of the cited pages has. */
  allCited: number;
  unsupported: number;
}

export function countCitations(
  points: readonly CitedPoint[],
  facts: readonly PlacedFact[],
  pages: readonly DocumentPage[],
): CitationCounts {
  const counts = { stated: 0, cited: 0, right: 0, allCited: 0, unsupported: 0 };
  for (const { text, citations } of points) {
    const [first] = citations;
    const told = facts.filter((fact) => tells(text, fact));
    if (told.length > 0) counts.stated += 1;
    if (first === undefined) continue;
    counts.allCited += 1;
    const cited = pages.filter(({ number }) => citations.some(({ page }) => page === number));
    const numbers = plainText(text).match(/\d{2,}/g) ?? [];
    if (!numbers.every((number) => tells(cited.map((page) => page.text).join('\n'), { needs: [number] })))
      counts.unsupported += 1;
    if (told.length === 0) continue;
    counts.cited += 1;
    if (told.some(({ page }) => page === first.page)) counts.right += 1;
  }
  return counts;
}
