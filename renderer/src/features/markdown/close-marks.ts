/** Makes the growing end of an answer look finished, so that marks do not flicker as raw characters. */
import { endsInFence } from './split-blocks.ts';

/** `block` with its open emphasis, inline code or link closed or held back. Text in a code fence is left alone. */
export function closeMarks(block: string): string {
  if (endsInFence(block)) return holdBackFence(block);
  // Marks do not reach over lines of different paragraphs; the last line is the one that grows.
  const start = block.lastIndexOf('\n') + 1;
  return block.slice(0, start) + closeLine(block.slice(start));
}

/** The first characters of a closing fence are not code yet. */
function holdBackFence(block: string): string {
  return block.replace(/\n {0,3}(?:`{1,2}|~{1,2})$/, '');
}

function closeLine(line: string): string {
  // What may become a mark with the next characters.
  if (/^\s*(?:`{1,2}|~{1,2}|[*_]{1,2}|#{1,6})$/.test(line)) return '';
  const parts = line.split('`');
  if (parts.length % 2 === 0) {
    const code = parts.at(-1) ?? '';
    // Nothing follows the mark yet.
    return code === '' ? line.slice(0, -1) : `${line}\``;
  }
  const text = openLinkAsText(line);
  const outsideCode = text.split('`').filter((_, index) => index % 2 === 0);
  const strong = outsideCode.join('').split('**').length % 2 === 0;
  if (!strong) return text;
  if (text.endsWith('**')) return text.slice(0, -2);
  return `${text.replace(/\*$/, '').trimEnd()}**`;
}

/** A link whose address is still coming as its words; brackets in inline code are none. */
function openLinkAsText(line: string): string {
  const masked = line.replace(/`[^`]*`/g, (code) => 'x'.repeat(code.length));
  const link = /!?\[([^\]]*)(?:\]\([^)]*)?$/.exec(masked);
  if (link === null) return line;
  const words = link.index + link[0].indexOf('[') + 1;
  return line.slice(0, link.index) + line.slice(words, words + (link[1] ?? '').length);
}
