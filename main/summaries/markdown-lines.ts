/** The Markdown of a summary line by line: headings, list items and paragraphs are all that it has. */

export interface MarkdownLine {
  readonly kind: 'heading' | 'item' | 'paragraph';
  /** Of a heading, from 1, the highest; 0 of others. */
  readonly level: number;
  readonly text: string;
}

/** Lines that are not blank, without their marks; numbers of lists stay, as what readers count by. */
export function linesOf(markdown: string): MarkdownLine[] {
  return markdown
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, marks = '', title = ''] = /^(#{1,6})\s+(.*)$/.exec(line) ?? [];
      if (marks !== '') return { kind: 'heading', level: marks.length, text: title };
      const item = /^\s*[-*•]\s+(.*)$/.exec(line)?.[1];
      return item === undefined ? { kind: 'paragraph', level: 0, text: line } : { kind: 'item', level: 0, text: item };
    });
}
