/** Documents, their summaries, and questions about them. */

import type { PageProblem, PageUnit } from '../../../../contract/documents.ts';
import type { LibraryDocument, SkipReason } from '../../../../contract/library-documents.ts';
import type { SummaryCoverage, SummaryPlan } from '../../../../contract/summaries.ts';
import { formatBytes, formatCount, formatPercent, formatSeconds, isPageNumber, lineNumbers } from '../../format.ts';

const problemWords: Record<PageProblem, string> = {
  scanned: 'a picture without text',
  unreadable: 'characters that cannot be told',
  broken: 'damaged',
  cut: 'too long, its end is left out',
};

function some(count: number, one: string, several: string): string {
  return count === 1 ? `One ${one}` : `${formatCount(count)} ${several}`;
}

const leftOutWords: Record<SkipReason, (count: number) => string> = {
  unreadable: (count) => `${some(count, 'file or folder', 'files or folders')} that may not be read:`,
  'too-deep': (count) => `${some(count, 'folder', 'folders')} too deep within others:`,
  limit: () => 'More files than can be added at once; left out from here on:',
  'not-a-document': (count) => `${some(count, 'file', 'files')} of a kind that cannot be read:`,
  link: (count) => `${some(count, 'link', 'links')} to another place:`,
  hidden: (count) => `${some(count, 'file or folder', 'files or folders')}, hidden or of a program:`,
};

const shortUnit: Record<PageUnit, string> = { page: 'p.', slide: 'slide', chapter: 'ch.', part: 'part' };

/** Where something stands, in a few letters. */
function placeOf(label: string, unit: PageUnit): string {
  const lines = lineNumbers(label);
  if (lines) return lines[0] === lines[1] ? `line ${lines[0]}` : `lines ${lines[0]}–${lines[1]}`;
  return isPageNumber(label) ? `${shortUnit[unit]} ${label}` : label;
}

function pages(numbers: readonly number[]): string {
  const shown = `${numbers.length === 1 ? 'Page' : 'Pages'} ${numbers.slice(0, 12).map(formatCount).join(', ')}`;
  return numbers.length > 12 ? `${shown} and ${formatCount(numbers.length - 12)} more` : shown;
}

export const documents = {
  documents: {
    title: 'Documents',
    list: 'Your documents',
    addFiles: 'Add documents',
    addFolder: 'Add a folder',
    paste: 'Paste text',
    more: 'More ways to add',
    drop: 'Drop files or folders to read them',
    none: 'No documents yet.',
    leftOut: {
      title: (added: number) =>
        `${added === 0 ? 'No document was' : some(added, 'document was', 'documents were')} added; some of the folder was left out`,
      reasons: leftOutWords,
      names: (names: readonly string[], count: number) =>
        `${names.join(', ')}${count > names.length ? ` and ${formatCount(count - names.length)} more` : ''}`,
      close: 'Close',
    },
    emptyTitle: 'Whole documents, not snippets',
    empty:
      'Add a PDF, a Word, OpenDocument, PowerPoint or EPUB file, a web page or a text. It is read from the first page to the last, on this computer, and every point of the summary says which page it comes from.',
    pasteTitle: 'Summarise a text',
    pasteLabel: 'Text',
    pasteAdd: 'Add this text',
    facts: ({ pageCount = 0, unit, tokens, bytes }: LibraryDocument) =>
      [
        `${formatCount(pageCount)} ${unit ?? 'page'}${pageCount === 1 ? '' : 's'}`,
        ...(tokens === undefined ? [] : [`${formatCount(tokens)} tokens`]),
        formatBytes(bytes),
      ].join(' · '),
    locked: 'Needs its password',
    states: { waiting: 'Waits to be read', reading: 'Being read', ready: 'Read', failed: 'Could not be read' },
    reading: (done: number, total: number) => `${formatCount(done)} of ${formatCount(total)}`,
    stopReading: 'Stop reading',
    ocr: {
      title: 'Text in pictures',
      offer: (count: number) =>
        `${count === 1 ? 'One page is a picture. Its' : `${formatCount(count)} pages are pictures. Their`} text can be recognised on this computer. That takes some seconds a page, and there may be mistakes in it.`,
      languages: { eng: 'English', chi_sim: 'Simplified Chinese' },
      fetch: (bytes: number) => `Download (${formatBytes(bytes)})`,
      fetchLabel: (language: string, bytes: number) =>
        `Download ${language} for text recognition, ${formatBytes(bytes)}`,
      fetching: (language: string) => `Downloading ${language}`,
      stop: 'Stop',
      start: (count: number) => `Recognise the text of ${formatCount(count)} ${count === 1 ? 'page' : 'pages'}`,
      working: 'Recognising the text of pictures',
      mark: 'Recognised in a picture; there may be mistakes.',
    },
    readAgain: 'Read again',
    changed: 'The file has changed since it was read.',
    gone: 'The file is not in its place any more. What was read of it is still here.',
    password: 'Password',
    unlock: 'Open',
    pageProblem: (problem: PageProblem, numbers: readonly number[]) => `${pages(numbers)}: ${problemWords[problem]}.`,
    recognised: (numbers: readonly number[]) =>
      `${pages(numbers)}: text recognised in a picture; there may be mistakes in it.`,
    fileProblem: {
      damaged: 'The file is damaged. What could be recovered is here; some may be missing.',
      'missing-part': (part: string) => `A part could not be read: ${part}.`,
      'protected-part': (part: string) => `A protected part was left out: ${part}.`,
      cut: 'The document is longer than what is read at most; the rest is left out.',
      encoding: (encoding: string, wrong: number) =>
        wrong === 0
          ? `The encoding is a guess: ${encoding}.`
          : `${formatCount(wrong)} characters do not belong to ${encoding}.`,
    },
    remove: 'Remove from the list',
    removeTitle: 'Remove this document?',
    removeText: 'Its text and its summaries are deleted here. The file stays where it is.',
    text: 'Text',
    hideText: 'Hide text',
    page: (label: string, unit: PageUnit) =>
      isPageNumber(label)
        ? `${{ page: 'Page', slide: 'Slide', chapter: 'Chapter', part: 'Part' }[unit]} ${label}`
        : label,
    lines: (first: number, last: number) => `lines ${formatCount(first)} to ${formatCount(last)}`,
    goTo: (count: number) => `Go to a page, 1 to ${formatCount(count)}`,
    goToShort: 'Page',
    ofPages: (count: number) => `of ${formatCount(count)}`,
    earlierPages: 'Show earlier pages',
    laterPages: 'Show more pages',
    noText: 'No text on this page.',
    summary: {
      title: 'Summary',
      style: 'Style',
      styles: {
        brief: 'Brief',
        'key-points': 'Key points',
        structured: 'By section',
        'action-items': 'Tasks',
        child: 'For a child',
        custom: 'My own words',
      },
      length: 'Length',
      lengths: { short: 'Short', medium: 'Medium', long: 'Long' },
      language: 'Language',
      languages: {
        document: 'As the document',
        en: 'English',
        'zh-CN': '简体中文',
        es: 'Español',
        fr: 'Français',
        de: 'Deutsch',
        ja: '日本語',
      },
      instruction: 'What to look for',
      instructionCustom: 'What the model should do with each part',
      planning: 'Working out how long it will take',
      plan: ({ strategy, sections, documentTokens, contextSize, seconds, measured }: SummaryPlan) =>
        [
          strategy === 'whole'
            ? `${formatCount(documentTokens)} tokens, read at once.`
            : `${formatCount(documentTokens)} tokens are more than the model can read at once (${formatCount(contextSize)}): read in ${formatCount(sections.length)} parts, then put together.`,
          `About ${formatSeconds(seconds)}${measured ? '' : ', a guess until this model has answered once'}.`,
        ].join(' '),
      nothing: 'There is no text in this document that can be summarised.',
      start: (sections: number) => (sections <= 1 ? 'Summarise' : `Summarise in ${formatCount(sections)} parts`),
      another: 'New summary',
      stop: 'Stop',
      stopHelp: 'Parts that are done are kept.',
      resume: 'Go on',
      states: {
        waiting: 'Waits for its turn',
        running: 'Being written',
        stopped: 'Stopped',
        complete: 'Done',
        failed: 'Failed',
      },
      progress: (done: number, total: number) => `${formatCount(done)} of ${formatCount(total)} parts`,
      prefill: (done: number, total: number) => `reading ${formatCount(done)} of ${formatCount(total)} tokens`,
      whole: 'The whole',
      wholeWriting: 'Putting the parts together',
      parts: 'Parts',
      part: (index: number) => `Part ${formatCount(index + 1)}`,
      pagesOf: (from: number, to: number, unit: PageUnit) => {
        if (from === to) return `${shortUnit[unit]} ${formatCount(from)}`;
        const several = { page: 'pp.', slide: 'slides', chapter: 'ch.', part: 'parts' }[unit];
        return `${several} ${formatCount(from)}–${formatCount(to)}`;
      },
      sectionStates: { waiting: 'Waits', running: 'Being written', done: 'Done', failed: 'Failed' },
      redo: 'Do this part again',
      cut: 'This part’s summary reached its length limit.',
      joined: 'The model made no whole of the parts; they stand one after another.',
      cutWhole: 'It reached its length limit; a longer summary tells more.',
      extract: 'No summary of this part. It begins:',
      coverage: ({ tokensRead, tokensTotal }: SummaryCoverage) =>
        `Read ${formatPercent(tokensTotal === 0 ? 0 : tokensRead / tokensTotal)}: ${formatCount(tokensRead)} of ${formatCount(tokensTotal)} tokens.`,
      coverageWithout: (numbers: readonly number[]) => `Without text: ${pages(numbers).toLowerCase()}.`,
      coverageFailed: (count: number) => `${formatCount(count)} parts failed and are not in the whole.`,
      took: (seconds: number, model: string) => `${formatSeconds(seconds)} with ${model}`,
      export: 'Export',
      exportMarkdown: 'As Markdown',
      exportDocx: 'As Word document',
      exportPdf: 'As PDF',
      toChat: 'Open in a chat',
      remove: 'Delete this summary',
      cite: placeOf,
      citeLabel: (label: string, unit: PageUnit, text: string) =>
        `${placeOf(label, unit)}: show where this comes from: ${text.slice(0, 80)}`,
      kept: 'Summaries of this document',
    },
    ask: {
      title: 'Ask about it',
      label: 'Question about this document',
      placeholder: 'Ask about this document',
      also: (count: number) => (count === 0 ? 'Ask others too' : `Ask others too (${formatCount(count)})`),
      find: 'Find a document',
      more: (count: number) => `${formatCount(count)} more; find them by name.`,
      send: 'Ask',
      stop: 'Stop',
      read: (sections: number, of: number) => `Looked at ${formatCount(sections)} of ${formatCount(of)} passages.`,
      stopped: 'Stopped.',
      looking: 'Looking for passages that may answer it',
    },
  },
};
