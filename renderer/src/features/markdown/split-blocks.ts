/**
 * Cuts markdown into top-level blocks, so that while an answer streams only the last block is parsed again.
 * Cutting is careful rather than fine: where a cut could change the meaning, two blocks stay one.
 */

const FENCE = /^(\s*)(`{3,}|~{3,})(.*)$/;
const LIST_ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;
const INDENTED = /^(?: {2,}|\t)/;
/** Link and footnote definitions act on the whole text. */
const DEFINITION = /^ {0,3}\[[^\]\n]+\]:/m;
/** Elements whose raw HTML goes on over blank lines. */
const RAW_HTML = /^ {0,3}<(?:pre|script|style|textarea|!--|\?|!\[CDATA\[)/im;

interface Fence {
  /** Columns before the opening marks; the closing ones may stand up to three further in. */
  readonly indent: number;
  readonly mark: string;
  readonly length: number;
}

/** The blocks, which joined by blank lines mean the same as `source`. Empty source has no blocks. */
export function splitBlocks(source: string): string[] {
  if (DEFINITION.test(source) || RAW_HTML.test(source)) return source.trim() === '' ? [] : [source];
  const blocks: string[] = [];
  let block: string[] = [];
  let blank = false;
  let list = false;
  let fence: Fence | undefined;

  function end(): void {
    // Blank lines at the end stay: in an open fence they belong to the code.
    if (block.some((line) => line.trim() !== '')) blocks.push(block.join('\n'));
    block = [];
    list = false;
  }

  for (const line of source.split('\n')) {
    if (fence !== undefined) {
      block.push(line);
      if (closes(line, fence)) fence = undefined;
      continue;
    }
    if (line.trim() === '') {
      block.push(line);
      blank = true;
      continue;
    }
    const item = LIST_ITEM.test(line);
    if (blank && !INDENTED.test(line) && !(list && item)) end();
    blank = false;
    if (item) list = true;
    fence = opens(line, list);
    block.push(line);
  }
  end();
  return blocks;
}

/** Whether the block ends inside a code fence. */
export function endsInFence(block: string): boolean {
  let fence: Fence | undefined;
  let list = false;
  for (const line of block.split('\n')) {
    if (fence !== undefined) {
      if (closes(line, fence)) fence = undefined;
      continue;
    }
    if (LIST_ITEM.test(line)) list = true;
    fence = opens(line, list);
  }
  return fence !== undefined;
}

/** The fence that a line opens; inside a list it may be indented with its item. */
function opens(line: string, list: boolean): Fence | undefined {
  const match = FENCE.exec(line);
  if (match === null) return undefined;
  const [, space = '', marks = '', info = ''] = match;
  if (!list && space.length > 3) return undefined;
  // A line such as ```code``` is inline code.
  if (marks.startsWith('`') && info.includes('`')) return undefined;
  return { indent: space.length, mark: marks.charAt(0), length: marks.length };
}

function closes(line: string, fence: Fence): boolean {
  const text = line.trim();
  return (
    text.length >= fence.length &&
    [...text].every((character) => character === fence.mark) &&
    line.indexOf(text) <= fence.indent + 3
  );
}
