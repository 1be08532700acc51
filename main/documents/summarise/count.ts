/** The paragraphs of a document with their lengths in tokens. */
import type { DocumentHeading, DocumentPage } from '../../../contract/documents.ts';
import { blocksOf } from './blocks.ts';
import type { SummaryModel } from './model.ts';
import type { CountedBlock } from './split.ts';

/** Counted in batches of so many texts. */
const BATCH = 200;

/** Throws AppError of the model. */
export async function countBlocks(
  { pages, headings }: { pages: readonly DocumentPage[]; headings: readonly DocumentHeading[] },
  model: Pick<SummaryModel, 'countTokens'>,
): Promise<CountedBlock[]> {
  const blocks = blocksOf(pages, headings);
  const result: CountedBlock[] = [];
  for (let from = 0; from < blocks.length; from += BATCH) {
    const batch = blocks.slice(from, from + BATCH);
    const counts = await model.countTokens(batch.map(({ text }) => text));
    // Between paragraphs of a prompt stands an empty line, which is a token more or less.
    for (const [index, block] of batch.entries()) result.push({ ...block, tokens: (counts[index] ?? 0) + 1 });
  }
  return result;
}
