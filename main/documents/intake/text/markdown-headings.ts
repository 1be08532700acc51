/** Headings of a Markdown text: "# Title" and underlined ones, outside of code blocks. */

export interface TextHeading {
  level: number;
  title: string;
  /** Where its line begins. */
  offset: number;
}

const ATX = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/;
const UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
/** Lines that cannot be the text above an underline: lists, quotes, indented code, tables. */
const NO_PARAGRAPH = /^(?: {4}|\t| {0,3}(?:[-+*>|]|\d+[.)] ))/;
/** No heading is longer; keeps expressions from working on lines of megabytes. */
const LONGEST_LINE = 1000;

export function markdownHeadings(text: string): TextHeading[] {
  const headings: TextHeading[] = [];
  let fence: string | undefined;
  let before = { line: '', offset: 0 };
  for (let offset = 0; offset < text.length; ) {
    const newline = text.indexOf('\n', offset);
    const end = newline < 0 ? text.length : newline;
    const line = end - offset > LONGEST_LINE ? '' : text.slice(offset, end);
    const mark = FENCE.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined;
    } else if (mark !== undefined) {
      fence = mark;
    } else {
      const atx = ATX.exec(line);
      const underline = UNDERLINE.exec(line)?.[1];
      if (atx) push(headings, atx[1]!.length, atx[2] ?? '', offset);
      else if (underline !== undefined && before.line.trim() !== '' && !NO_PARAGRAPH.test(before.line)) {
        push(headings, underline.startsWith('=') ? 1 : 2, before.line, before.offset);
      }
      before = { line: atx || underline !== undefined ? '' : line, offset };
    }
    offset = end + 1;
  }
  return headings;
}

function push(headings: TextHeading[], level: number, written: string, offset: number): void {
  const title = written.replace(/[*_`]{1,3}(\S.*?\S|\S)[*_`]{1,3}/g, '$1').trim();
  if (title !== '') headings.push({ level, title, offset });
}
