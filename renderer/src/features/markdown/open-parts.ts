/** What stays open from one line of markdown to the next: code fences, display formulas and raw HTML. */

const FENCE = /^(\s*)(`{3,}|~{3,})(.*)$/;
const LIST_ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;
const HEADING = /^ {0,3}#{1,6}(?:\s|$)/;
/** Elements whose raw HTML goes on over blank lines, and what ends each. */
const HTML: readonly (readonly [RegExp, RegExp])[] = [
  [/^ {0,3}<(?:pre|script|style|textarea)(?:[\s>]|$)/i, /<\/(?:pre|script|style|textarea)>/i],
  [/^ {0,3}<!--/, /-->/],
  [/^ {0,3}<\?/, /\?>/],
  [/^ {0,3}<!\[CDATA\[/, /\]\]>/],
];
const FORMULAS = [
  ['$$', '$$'],
  ['\\[', '\\]'],
] as const;

type OpenPart =
  /** `indent`: columns before the opening marks; the closing ones may stand up to three further in. */
  | { readonly kind: 'fence'; readonly indent: number; readonly mark: string; readonly length: number }
  | { readonly kind: 'formula'; readonly end: string }
  | { readonly kind: 'html'; readonly end: RegExp };

/** Reads a block line by line. */
export class OpenParts {
  #open: OpenPart | undefined;
  /** Whether the line before was blank, or none was read. */
  afterBlank = true;
  /** Whether the block has a list item so far: fences may be indented with it. */
  list = false;

  get open(): OpenPart['kind'] | undefined {
    return this.#open?.kind;
  }

  /** Takes a line that belongs to what an earlier one opened, be it the last one, or is blank; false for any other. */
  goOn(line: string): boolean {
    const blank = line.trim() === '';
    if (this.#open?.kind === 'formula' && this.#breaksFormula(line, blank)) this.#open = undefined;
    if (this.#open === undefined && !blank) return false;
    if (this.#open !== undefined && closes(line, this.#open)) this.#open = undefined;
    this.afterBlank = blank;
    return true;
  }

  /** Takes a line of text that may open something. */
  begin(line: string): void {
    this.afterBlank = false;
    if (isListItem(line)) this.list = true;
    this.#open = opensFence(line, this.list) ?? opensFormula(line) ?? opensHtml(line);
  }

  /** A formula that was never closed ends before the next heading or fence, or at a second blank line. */
  #breaksFormula(line: string, blank: boolean): boolean {
    return (this.afterBlank && blank) || HEADING.test(line) || opensFence(line, this.list) !== undefined;
  }
}

export function isListItem(line: string): boolean {
  return LIST_ITEM.test(line);
}

function closes(line: string, open: OpenPart): boolean {
  if (open.kind === 'formula') return line.includes(open.end);
  if (open.kind === 'html') return open.end.test(line);
  const text = line.trim();
  return (
    text.length >= open.length &&
    [...text].every((character) => character === open.mark) &&
    line.indexOf(text) <= open.indent + 3
  );
}

function opensFence(line: string, list: boolean): OpenPart | undefined {
  const match = FENCE.exec(line);
  if (match === null) return undefined;
  const [, space = '', marks = '', info = ''] = match;
  if (!list && space.length > 3) return undefined;
  // A line such as ```code``` is inline code.
  if (marks.startsWith('`') && info.includes('`')) return undefined;
  return { kind: 'fence', indent: space.length, mark: marks.charAt(0), length: marks.length };
}

/** Only marks at the beginning or the end of a line open a formula of several lines; others are text. */
function opensFormula(line: string): OpenPart | undefined {
  const text = line.trim();
  for (const [begin, end] of FORMULAS) {
    if (!text.startsWith(begin) && !text.endsWith(begin)) continue;
    const open = begin === end ? text.split(begin).length % 2 === 0 : text.lastIndexOf(begin) > text.lastIndexOf(end);
    if (open) return { kind: 'formula', end };
  }
  return undefined;
}

function opensHtml(line: string): OpenPart | undefined {
  const end = HTML.find(([begin]) => begin.test(line))?.[1];
  return end === undefined || end.test(line) ? undefined : { kind: 'html', end };
}
