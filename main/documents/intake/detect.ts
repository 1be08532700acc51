/** Which format a file is: by what is in it, and by its name where the content does not tell. */
import path from 'node:path';
import type { DocumentFormat } from '../../../contract/documents.ts';
import type { Archive } from './packages/archive.ts';
import { decodeText } from './text/encoding.ts';

/** 'text' stands for all formats of plain text until they are told apart by `textFormat`. */
export type Container = 'pdf' | 'zip' | 'compound' | 'text';

/** Where a PDF's mark may stand. */
const PDF_WITHIN = 1024;

/** First bytes of files that are no documents -> what they are. */
const OTHERS: readonly [bytes: string, what: string][] = [
  ['89504e47', 'a picture'],
  ['ffd8ff', 'a picture'],
  ['47494638', 'a picture'],
  ['49492a00', 'a picture'],
  ['4d4d002a', 'a picture'],
  ['52494646', 'a picture, sound or film'],
  ['494433', 'a sound'],
  ['4f676753', 'a sound or film'],
  ['1f8b', 'a packed archive'],
  ['377abcaf', 'a packed archive'],
  ['52617221', 'a packed archive'],
  ['425a68', 'a packed archive'],
  ['fd377a58', 'a packed archive'],
  ['7f454c46', 'a program'],
  ['4d5a90', 'a program'],
  ['53514c69', 'a database'],
];

/** By the first kilobyte or more of a file. */
export function containerOf(start: Buffer): Container | { other: string } {
  if (start.subarray(0, PDF_WITHIN).includes('%PDF-')) return 'pdf';
  const hex = start.subarray(0, 8).toString('hex');
  if (hex.startsWith('504b0304') || hex.startsWith('504b0506')) return 'zip';
  if (hex === 'd0cf11e0a1b11ae1') return 'compound';
  if (start.subarray(0, 5).equals(Buffer.from('{\\rtf'))) return { other: 'Rich Text Format' };
  const other = OTHERS.find(([bytes]) => hex.startsWith(bytes))?.[1];
  return other === undefined ? 'text' : { other };
}

/** Archives that are documents, by name: what is in them is seen only when they are opened. */
const PACKAGES = new Set(['docx', 'docm', 'dotx', 'pptx', 'pptm', 'ppsx', 'odt', 'ott', 'epub']);

/** Whether a file is worth opening, by its name and its first bytes. */
export function mayBeDocument(name: string, start: Buffer): boolean {
  const container = containerOf(start);
  const extension = path.extname(name).slice(1).toLowerCase();
  if (container === 'pdf') return true;
  if (container === 'zip' || container === 'compound') return PACKAGES.has(extension);
  return container === 'text' && decodeText(start) !== undefined;
}

/** Which document a zip archive is; undefined where it is none that can be read. */
export async function packageFormat(archive: Archive): Promise<DocumentFormat | undefined> {
  const stated = archive.has('mimetype') ? (await archive.readAll('mimetype')).toString('latin1').trim() : '';
  if (stated.startsWith('application/vnd.oasis.opendocument.text')) return 'odt';
  if (stated === 'application/epub+zip' || archive.has('META-INF/container.xml')) return 'epub';
  const names = archive.names();
  if (names.some((name) => name.startsWith('word/'))) return 'docx';
  if (names.some((name) => name.startsWith('ppt/'))) return 'pptx';
  return undefined;
}

const MARKDOWN = new Set(['md', 'markdown', 'mdown', 'mkd', 'mdx']);
const HTML = new Set(['html', 'htm', 'xhtml', 'xht']);
const CSV = new Set(['csv', 'tsv']);
const CODE = new Set(
  (
    'ada asm astro awk bash bat bib c cc cfg clj cljs cmake cmd conf cpp cs css cxx d dart dockerfile el elm env erl ex exs ' +
    'f f90 fs fsx gd go gradle graphql groovy h hh hpp hs hxx ini ipynb java jl js json json5 jsonc jsonl jsx kt kts less ' +
    'lisp lua m make mjs cjs mk ml mli mm mts cts nim nix pas php pl pm plist pro properties proto ps1 psm1 py pyi pyx r ' +
    'rb rkt rs sass scala scm scss sh sol sql sv svelte svg swift tcl tf toml ts tsx v vala vb vbs vhd vhdl vue wgsl xml ' +
    'xsd xsl xslt yaml yml zig zsh'
  ).split(' '),
);
const CODE_NAMES = new Set(['dockerfile', 'makefile', 'cmakelists.txt', 'gemfile', 'rakefile', 'jenkinsfile']);

/** Formats of plain text, by name and by how the text begins. */
export function textFormat(name: string, start: string): 'html' | 'markdown' | 'csv' | 'code' | 'text' {
  const extension = path.extname(name).slice(1).toLowerCase();
  const isCode = CODE.has(extension) || CODE_NAMES.has(name.toLowerCase());
  if (HTML.has(extension)) return 'html';
  if (!isCode && /^\s*(?:<!doctype html|<html[\s>])/i.test(start.slice(0, 1000))) return 'html';
  if (MARKDOWN.has(extension)) return 'markdown';
  if (CSV.has(extension)) return 'csv';
  return isCode ? 'code' : 'text';
}
