/** `extract`: reads a document as the app does and prints what it found. */
import type { DocumentOutline, DocumentPage, DocumentProblem, PageProblem } from '../../contract/documents.ts';
import { EXIT } from './exit.ts';
import type { Interrupt } from './interrupt.ts';
import type { OptionValues } from './options.ts';
import { note, print, printJson } from './output.ts';
import { readOptionsOf, withReader } from './read-documents.ts';

const PAGE_PROBLEMS: Record<PageProblem, string> = {
  scanned: 'no text found (scanned?)',
  unreadable: 'its glyphs do not say which characters they are',
  broken: 'it is broken',
  cut: 'longer than a page may be; the rest is left out',
};

/** Prints each page as it comes; with --json the whole document as one object. */
export async function extract(args: readonly string[], values: OptionValues, interrupt: Interrupt): Promise<number> {
  const [file = ''] = args;
  const options = readOptionsOf(values, interrupt);
  return withReader(async (reader) => {
    if (values.json) printJson(await reader.read(file, options));
    else printOutline(await reader.readPages(file, printPage, options));
    return EXIT.ok;
  });
}

function printPage({ number, label, text, problem, recognised }: DocumentPage): void {
  const name = label === undefined ? String(number) : `${number} (${label})`;
  const remark = problem === undefined ? (recognised ? ': text recognised' : '') : `: ${PAGE_PROBLEMS[problem]}`;
  print(`--- ${name}${remark}\n${text}${text.endsWith('\n') ? '' : '\n'}`);
}

function printOutline({ format, unit, title, encoding, pageCount, headings, problems }: DocumentOutline): void {
  for (const { level, title, page } of headings) note(`${'  '.repeat(level - 1)}${title} (${page})`);
  for (const problem of problems) note(`Note: ${problemWords(problem)}`);
  const parts = [
    format,
    ...(encoding === undefined ? [] : [encoding]),
    `${pageCount} ${unit}${pageCount === 1 ? '' : 's'}`,
  ];
  note(`[${title === undefined ? '' : `${title}; `}${parts.join(', ')}]`);
}

function problemWords(problem: DocumentProblem): string {
  switch (problem.kind) {
    case 'damaged':
      return `the file is damaged; some of it may be missing${problem.detail === undefined ? '' : ` (${problem.detail})`}`;
    case 'missing-part':
      return `a part is missing: ${problem.part}`;
    case 'protected-part':
      return `a part is protected and was left out: ${problem.part}`;
    case 'cut':
      return `more ${problem.limit} than a document may have; the rest is left out`;
    case 'encoding':
      return `read as ${problem.encoding}, ${problem.wrongCharacters} wrong characters`;
  }
}
