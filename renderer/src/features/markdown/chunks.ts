/** Gathers blocks into chunks of about a screen: the pieces that come into and go out of the page as one scrolls. */
import type { Block } from './split-blocks.ts';

const CHUNK_CHARACTERS = 1_500;
/** What a line of prose holds, and heights in CSS pixels, for chunks that were never drawn. */
const LINE_CHARACTERS = 72;
const LINE_HEIGHT = 22;
const BLOCK_GAP = 12;

/** The same blocks always fall into the same chunks; a text that grows changes the last one only. */
export function chunksOf(blocks: readonly Block[]): readonly (readonly Block[])[] {
  const chunks: Block[][] = [];
  let size = 0;
  for (const block of blocks) {
    const last = chunks.at(-1);
    if (last === undefined || size >= CHUNK_CHARACTERS) {
      chunks.push([block]);
      size = 0;
    } else last.push(block);
    size += block.source.length;
  }
  return chunks;
}

/** About how high a text will be, in CSS pixels. */
export function estimateHeight(text: string): number {
  let lines = 0;
  for (const line of text.split('\n')) lines += Math.max(1, Math.ceil(line.length / LINE_CHARACTERS));
  return lines * LINE_HEIGHT + BLOCK_GAP;
}
