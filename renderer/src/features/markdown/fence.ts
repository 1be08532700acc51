/** A block of markdown that is nothing but code. */

export interface FencedCode {
  readonly code: string;
  readonly language: string | undefined;
}

/** The code of a block that is one fence, closed or still open at the end; undefined for any other block. */
export function fencedCode(block: string): FencedCode | undefined {
  const opening = /^( {0,3})(`{3,}|~{3,})([^\n]*)(?:\n|$)/.exec(block);
  if (opening === null) return undefined;
  const [head, indent = '', marks = '', info = ''] = opening;
  if (marks.startsWith('`') && info.includes('`')) return undefined;
  const body = block.slice(head.length);
  const closing = new RegExp(`^ {0,3}\\${marks[0]}{${marks.length},}[ \\t]*$`, 'm').exec(body);
  if (closing !== null && body.slice(closing.index + closing[0].length).trim() !== '') return undefined;
  const inner = closing === null ? body : body.slice(0, Math.max(0, closing.index - 1));
  const code = indent === '' ? inner : inner.replace(new RegExp(`^ {1,${indent.length}}`, 'gm'), '');
  return { code, language: /^\s*([^\s{]+)/.exec(info)?.[1]?.toLowerCase() };
}
