/** Code in colours, line by line. With the grammars of all languages, so it is loaded with the first code. */
import type { ElementContent, Root } from 'hast';
import { common, createLowlight } from 'lowlight';
import { type Piece, plainLines } from './code-lines.ts';

const lowlight = createLowlight(common);

/** The lines of `code`; in one colour where the language is not known. */
export function colouredLines(code: string, language: string | undefined): Piece[][] {
  if (language === undefined || !lowlight.registered(language)) return plainLines(code);
  return linesOf(lowlight.highlight(language, code));
}

function linesOf(root: Root): Piece[][] {
  const lines: Piece[][] = [[]];
  function take(node: Root['children'][number] | ElementContent, className: string | undefined): void {
    if (node.type === 'element') {
      const classes = node.properties.className;
      const own = Array.isArray(classes) ? classes.join(' ') : className;
      for (const child of node.children) take(child, own);
    } else if (node.type === 'text') {
      for (const [index, text] of node.value.split('\n').entries()) {
        if (index > 0) lines.push([]);
        if (text !== '') lines.at(-1)?.push(className === undefined ? { text } : { text, className });
      }
    }
  }
  for (const child of root.children) take(child, undefined);
  return lines;
}
