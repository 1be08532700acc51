/**
 * Cuts markdown into top-level blocks, so that while an answer streams only the last ones are parsed again.
 * Cutting is careful rather than fine: where a cut could change the meaning, two blocks stay one.
 */
import { isListItem, OpenParts } from './open-parts.ts';

const INDENTED = /^(?: {2,}|\t)/;
/** Where the link of a reference leads. Footnotes begin alike and are none. */
const DEFINITION = /^ {0,3}\[(?!\^)[^\]]+\]:\s*\S/;

export interface Block {
  readonly source: string;
  /** Offset in the whole text. */
  readonly start: number;
  /** Lines that define links: they count in every block. */
  readonly definitions: readonly string[];
}

/** The blocks of `text` from offset `from` on, which must be the beginning of a block. Blank text has none. */
export function splitBlocks(text: string, from = 0): Block[] {
  const blocks: Block[] = [];
  let start = from;
  let at = from;
  let lines: string[] = [];
  let definitions: string[] = [];
  let parts = new OpenParts();

  function end(): void {
    // Blank lines at the end stay: in an open fence they belong to the code.
    if (lines.some((line) => line.trim() !== '')) blocks.push({ source: lines.join('\n'), start, definitions });
    start = at;
    lines = [];
    definitions = [];
    parts = new OpenParts();
  }

  for (const line of text.slice(from).split('\n')) {
    if (!parts.goOn(line)) {
      if (parts.afterBlank && !INDENTED.test(line) && !(parts.list && isListItem(line))) end();
      // Within a paragraph the same characters are text.
      if ((parts.afterBlank || definitions.length > 0) && DEFINITION.test(line)) definitions.push(line);
      parts.begin(line);
    }
    lines.push(line);
    at += line.length + 1;
  }
  end();
  return blocks;
}

/** The blocks of `text`, where those of an earlier `before` are known: what only grew is cut again at its end. */
export function splitGrown(
  text: string,
  before: { readonly text: string; readonly blocks: readonly Block[] },
): Block[] {
  // The last line may have been half a mark, so the block before it counts as unfinished too.
  const kept = before.blocks.slice(0, -2);
  const next = before.blocks[kept.length];
  if (next === undefined || !text.startsWith(before.text)) return splitBlocks(text);
  return [...kept, ...splitBlocks(text, next.start)];
}

/** Whether the block ends inside a code fence. */
export function endsInFence(block: string): boolean {
  const parts = new OpenParts();
  for (const line of block.split('\n')) if (!parts.goOn(line)) parts.begin(line);
  return parts.open === 'fence';
}
