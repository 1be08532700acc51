/**
 * Finds TeX in a block of markdown and carries it through the markdown parser as inline code, whose content the parser
 * leaves alone. The first character of such code tells what it is; a formula that is written as `$...$`, `$$...$$`,
 * `\(...\)` or `\[...\]` may so stand in lists, tables and headings. Dollars that are prices stay text.
 */
import { OpenParts } from './open-parts.ts';

/** Noncharacters of Unicode, which no text holds. */
const MARKS = { inline: '\uFDD0', display: '\uFDD1', open: '\uFDD2' } as const;
const ANY_MARK = /[\uFDD0-\uFDD2]/g;

export interface Formula {
  readonly tex: string;
  /** `open`: still being written. */
  readonly form: keyof typeof MARKS;
}

/** The formula that inline code with this content stands for, or undefined where it is code. */
export function formulaOf(code: string): Formula | undefined {
  const form = (['inline', 'display', 'open'] as const).find((name) => code.startsWith(MARKS[name]));
  return form === undefined ? undefined : { form, tex: code.slice(1).trim() };
}

/** `block` with its formulas as marked code. `growing`: an unfinished formula at its end is marked as open. */
export function markFormulas(block: string, growing: boolean): string {
  if (!/[$\\]|\[\^/.test(block)) return block;
  const parts = new OpenParts();
  let written = '';
  let text: string[] = [];
  const flush = () => {
    if (text.length > 0) written += markText(text.join('\n'), growing);
    text = [];
  };
  const lines = block.replace(ANY_MARK, '').split('\n');
  for (const [index, line] of lines.entries()) {
    const before = parts.open;
    const codeLine = before !== 'formula' && parts.afterBlank && !parts.list && /^(?: {4}|\t)/.test(line);
    if (!parts.goOn(line)) parts.begin(line);
    const newline = index < lines.length - 1 ? '\n' : '';
    const verbatim =
      codeLine || before === 'fence' || before === 'html' || parts.open === 'fence' || parts.open === 'html';
    if (verbatim) {
      if (text.length > 0) text.push('');
      flush();
      written += line + newline;
    } else text.push(line);
  }
  flush();
  return written;
}

/** Text between fences. */
function markText(text: string, growing: boolean): string {
  let written = '';
  let at = 0;
  while (at < text.length) {
    const found = formulaAt(text, at, growing);
    if (found !== undefined) {
      written += asCode(found.formula, text, at);
      at = found.end;
      continue;
    }
    const end = plainEnd(text, at);
    // Footnotes of markdown act on the whole text; here they are read as what they are, a number in brackets.
    const note = text.startsWith('[^', at) ? /^\[\^([^\]\s]{1,40})\]/.exec(text.slice(at, at + 44)) : null;
    if (note !== null) {
      written += `\\[${note[1]}\\]`;
      at += note[0].length;
      continue;
    }
    written += text.slice(at, end);
    at = end;
  }
  return written;
}

/** Where the plain text at `at` ends: after an escape, after inline code, or after one character. */
function plainEnd(text: string, at: number): number {
  const character = text[at];
  if (character === '\\') return Math.min(text.length, at + 2);
  if (character !== '`') return at + 1;
  const run = /^`+/.exec(text.slice(at))?.[0] ?? '`';
  for (let next = text.indexOf(run, at + run.length); next >= 0; next = text.indexOf(run, next)) {
    let end = next;
    while (text[end] === '`') end += 1;
    if (end - next === run.length) return end;
    next = end;
  }
  return at + run.length;
}

interface Found {
  readonly formula: Formula;
  readonly end: number;
}

function formulaAt(text: string, at: number, growing: boolean): Found | undefined {
  if (text.startsWith('$$', at)) return between(text, at, '$$', 'display', growing);
  if (text.startsWith('\\[', at)) return between(text, at, '\\]', 'display', growing);
  if (text.startsWith('\\(', at)) return between(text, at, '\\)', 'inline', growing);
  return text[at] === '$' ? betweenDollars(text, at) : undefined;
}

/** A formula between marks of two characters. */
function between(text: string, at: number, mark: string, form: Formula['form'], growing: boolean): Found | undefined {
  const close = indexOfMark(text, mark, at + 2);
  if (close < 0) {
    const tex = text.slice(at + 2);
    return growing && tex.trim() !== '' ? { formula: { tex, form: 'open' }, end: text.length } : undefined;
  }
  const tex = text.slice(at + 2, close);
  return tex.trim() === '' ? undefined : { formula: { tex, form }, end: close + 2 };
}

/**
 * A formula between single dollars. As in Pandoc a space may stand neither after the first nor before the second, and
 * no digit after the second; besides, no word may lead into the first, and prose behind a number is a price.
 */
function betweenDollars(text: string, at: number): Found | undefined {
  if (/[0-9A-Za-z]/.test(text[at - 1] ?? '')) return undefined;
  const close = indexOfMark(text, '$', at + 1);
  if (close < 0) return undefined;
  const tex = text.slice(at + 1, close);
  if (tex === '' || tex !== tex.trim() || tex.includes('`') || /\n\s*\n/.test(tex)) return undefined;
  if (/^\d[\d.,]*[kKmMbB]?\s+[A-Za-z]{2,}/.test(tex)) return undefined;
  const after = text[close + 1] ?? '';
  if (/[0-9$]/.test(after) || (/[A-Za-z]/.test(after) && /[^\w})\]]$/.test(tex))) return undefined;
  return { formula: { tex, form: 'inline' }, end: close + 1 };
}

/** Where `mark` stands next and is not escaped, or -1. */
function indexOfMark(text: string, mark: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    if (text.startsWith(mark, at)) return at;
    if (text[at] === '\\') at += 1;
  }
  return -1;
}

function asCode({ tex, form }: Formula, text: string, at: number): string {
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  let content = tex.replace(/(?<!\\)%.*/g, '');
  if (/^\s*>/.test(line)) content = content.replace(/^\s*>\s?/gm, '');
  // In a table a bar ends the cell, also within code.
  if (/^\s*\|/.test(line)) content = content.replaceAll('\\|', '\\Vert ').replaceAll('|', '\\vert ');
  content = content.replace(/\s+/g, ' ').trim();
  const longest = Math.max(0, ...(content.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  // A space keeps a backtick at the end apart from the fence.
  return `${fence}${MARKS[form]}${content}${longest > 0 ? ' ' : ''}${fence}`;
}
