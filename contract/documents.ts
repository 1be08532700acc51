/**
 * A document as the parser process reads it: text by page, headings with their places, and what could not be read.
 * Everything that crosses from the parser to main is parsed with these schemas.
 */
import * as v from 'valibot';
import { ErrorInfo } from './errors.ts';
import { count } from './fields.ts';

export const DocumentFormat = v.picklist([
  'pdf',
  'docx',
  'odt',
  'pptx',
  'epub',
  'html',
  'markdown',
  'csv',
  'code',
  'text',
]);
export type DocumentFormat = v.InferOutput<typeof DocumentFormat>;

/**
 * What one entry of `pages` is: 'page' a printed page, 'slide', 'chapter' (EPUB); 'part' where the format knows no
 * pages, or this file does not tell where they end: a piece of bounded size, cut where a paragraph or line ends.
 */
export const PageUnit = v.picklist(['page', 'slide', 'chapter', 'part']);
export type PageUnit = v.InferOutput<typeof PageUnit>;

/**
 * 'scanned': something is drawn, but there is no text (most likely a picture of a page); 'unreadable': the glyphs do not
 * say which characters they are, no text is given; 'broken': the page could not be read, or only its beginning; 'cut':
 * longer than MOST_PAGE_TEXT, the rest is left out. A page that is simply blank has no problem and no text.
 */
export const PageProblem = v.picklist(['scanned', 'unreadable', 'broken', 'cut']);
export type PageProblem = v.InferOutput<typeof PageProblem>;

export const DocumentPage = v.object({
  /** From 1, without gaps. */
  number: v.pipe(v.number(), v.integer(), v.minValue(1)),
  /** What the document itself calls it, where that is not its number: "iv", a chapter's title, the heading that a part is under. */
  label: v.exactOptional(v.string()),
  /** Of text files: its first and last line in the file, from 1. */
  lines: v.exactOptional(v.tuple([count, count])),
  /** Lines end in \n, paragraphs in an empty line. Holds no NUL, no byte order mark and no lone surrogate. */
  text: v.string(),
  problem: v.exactOptional(PageProblem),
  /** Its text was recognised in a picture, and may have mistakes. */
  recognised: v.exactOptional(v.literal(true)),
});
export type DocumentPage = v.InferOutput<typeof DocumentPage>;

export const DocumentHeading = v.object({
  /** 1 is the highest. */
  level: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(9)),
  title: v.string(),
  /** Number of its page. */
  page: v.pipe(v.number(), v.integer(), v.minValue(1)),
  /** Where its line, or what it heads, begins in that page's text, in UTF-16 code units. */
  offset: count,
});
export type DocumentHeading = v.InferOutput<typeof DocumentHeading>;

/** What concerns the file as a whole. Pages carry their own problems. */
export const DocumentProblem = v.variant('kind', [
  /** The file is damaged; what is given was recovered, and some may be missing. */
  v.object({ kind: v.literal('damaged'), detail: v.exactOptional(v.string()) }),
  /** A part that the document names could not be read: a chapter, a slide, a note. */
  v.object({ kind: v.literal('missing-part'), part: v.string() }),
  /** A part is encrypted with rights management and was left out. */
  v.object({ kind: v.literal('protected-part'), part: v.string() }),
  /** A limit was reached and the rest was left out. */
  v.object({ kind: v.literal('cut'), limit: v.picklist(['pages', 'characters', 'depth']) }),
  /** The encoding is a guess, or so many characters do not belong to it. */
  v.object({ kind: v.literal('encoding'), encoding: v.string(), wrongCharacters: count }),
]);
export type DocumentProblem = v.InferOutput<typeof DocumentProblem>;

/** Everything about a document but its pages. */
export const DocumentOutline = v.object({
  format: DocumentFormat,
  unit: PageUnit,
  /** The title that the file itself states. */
  title: v.exactOptional(v.string()),
  pageCount: count,
  headings: v.array(DocumentHeading),
  /** Of text files: the encoding that was read, by its name in the WHATWG Encoding Standard. */
  encoding: v.exactOptional(v.string()),
  problems: v.array(DocumentProblem),
  /** The file as it was read. */
  bytes: count,
  sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  /** Milliseconds since 1970, UTC. */
  modifiedAt: v.number(),
});
export type DocumentOutline = v.InferOutput<typeof DocumentOutline>;

export type ExtractedDocument = DocumentOutline & { pages: DocumentPage[] };

/** How far reading is: `done` of `total` pages; before pages are known, bytes of the file. */
export const ReadProgress = v.object({ unit: v.picklist(['bytes', 'pages']), done: count, total: count });
export type ReadProgress = v.InferOutput<typeof ReadProgress>;

/** Languages whose text can be recognised in pictures, by Tesseract's names: English and Simplified Chinese. */
export const OcrLanguage = v.picklist(['eng', 'chi_sim']);
export type OcrLanguage = v.InferOutput<typeof OcrLanguage>;

/** Text of scanned pages is recognised. `folder` has a file LANGUAGE.traineddata for each language. */
export const OcrChoice = v.object({ languages: v.pipe(v.array(OcrLanguage), v.minLength(1)), folder: v.string() });
export type OcrChoice = v.InferOutput<typeof OcrChoice>;

/** Main to the parser process. One file at a time. */
export const ParserCommand = v.object({
  type: v.literal('read'),
  requestId: v.string(),
  path: v.string(),
  password: v.exactOptional(v.string()),
  ocr: v.exactOptional(OcrChoice),
});
export type ParserCommand = v.InferOutput<typeof ParserCommand>;

const stamp = { requestId: v.string() };

/** The parser process to main; the last one of a request is 'outline' or 'failed'. */
export const ParserReport = v.variant('type', [
  v.object({ type: v.literal('progress'), ...stamp, progress: ReadProgress }),
  v.object({ type: v.literal('page'), ...stamp, page: DocumentPage }),
  v.object({ type: v.literal('outline'), ...stamp, outline: DocumentOutline }),
  /** `spent`: the process has taken memory that it cannot give back, and is to be ended. */
  v.object({ type: v.literal('failed'), ...stamp, error: ErrorInfo, spent: v.boolean() }),
]);
export type ParserReport = v.InferOutput<typeof ParserReport>;
