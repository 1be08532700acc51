/** Text of printed pages without the ends of lines that were only full, so that it fits any width. */

/** A line of this share of the longest one ended because it was full. */
const FULL = 0.7;
const WIDE = /[\u2e80-\u9fff\uff00-\uffef]/g;
/** The end of a line, unless an item of a list or an empty line follows. */
const LINE = /(.*)\n(?=\S)(?!(?:[-•·*]|\d{1,3}[.)、])\s)/gu;

/** Of the same length, since citations point into it: a line's end becomes a space, which is not seen where Chinese is. */
export function flowed(text: string): string {
  const longest = text.split('\n').reduce((width, line) => Math.max(width, widthOf(line)), 0);
  return text.replace(LINE, (whole, line: string, at: number) => {
    if (widthOf(line) < longest * FULL) return whole;
    const around = `${line.at(-1) ?? ''}${text.charAt(at + whole.length)}`;
    return `${line}${widthOf(around) > around.length ? '\u200b' : ' '}`;
  });
}

/** In letters, of which Chinese characters take two. */
function widthOf(line: string): number {
  return line.length + (line.match(WIDE)?.length ?? 0);
}
