/** Documents that the user has added: what is known of them, and their text by page. */
import * as v from 'valibot';
import {
  DocumentFormat,
  DocumentHeading,
  DocumentPage,
  DocumentProblem,
  OcrLanguage,
  PageProblem,
  PageUnit,
} from './documents.ts';
import { ErrorInfo } from './errors.ts';
import { count, id, nothing, time } from './fields.ts';

const paths = v.pipe(
  v.array(v.pipe(v.string(), v.minLength(1), v.maxLength(32_767))),
  v.minLength(1),
  v.maxLength(1000),
);

export const LibraryDocument = v.object({
  id,
  /** The file's name, or for pasted text its first words. */
  name: v.string(),
  /** The title that the file itself states. */
  title: v.optional(v.string()),
  bytes: count,
  addedAt: time,
  state: v.picklist(['waiting', 'reading', 'ready', 'failed']),
  /** How far reading is, in `unit`s of pages or bytes. */
  progress: v.optional(v.object({ done: count, total: count })),
  /** It is being read with the text of its scanned pages. */
  recognising: v.optional(v.literal(true)),
  /** Why it failed; kind 'password-needed' or 'password-wrong': `documents.read` takes a password. */
  error: v.optional(ErrorInfo),
  /** From here on of ready ones. */
  format: v.optional(DocumentFormat),
  unit: v.optional(PageUnit),
  pageCount: v.optional(count),
  /** In tokens of the loaded model; absent while none is loaded. */
  tokens: v.optional(count),
  problems: v.optional(v.array(DocumentProblem)),
  /** Pages that could not be read whole, by their number. */
  pageProblems: v.optional(v.array(v.object({ page: count, problem: PageProblem }))),
  /** Pages whose text was recognised in pictures. */
  recognisedPages: v.optional(v.array(count)),
  /** The file is not what it was when it was read: changed, or gone. What was read is still here. */
  file: v.optional(v.picklist(['changed', 'gone'])),
});
export type LibraryDocument = v.InferOutput<typeof LibraryDocument>;

/** Why a file or folder within a folder was left out. 'limit': it and all behind it, since there were enough. */
export const SkipReason = v.picklist(['unreadable', 'too-deep', 'limit', 'not-a-document', 'link', 'hidden']);
export type SkipReason = v.InferOutput<typeof SkipReason>;

/** What was left out for one reason: how much, and the first ones by their place in the folder that was added. */
export const LeftOut = v.object({ reason: SkipReason, count, names: v.array(v.string()) });
export type LeftOut = v.InferOutput<typeof LeftOut>;

/** The data with which text of a language is recognised in pictures: fetched once, then kept. */
export const OcrData = v.object({
  language: OcrLanguage,
  /** About what is fetched. */
  bytes: count,
  state: v.picklist(['absent', 'fetching', 'here']),
  /** How much of it has been fetched, 0 to 1. */
  share: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
  /** Why it could not be fetched. */
  error: v.optional(ErrorInfo),
});
export type OcrData = v.InferOutput<typeof OcrData>;

export const libraryDocumentChannels = {
  /** The last one added first. */
  'documents.list': { request: nothing, response: v.array(LibraryDocument) },
  /** Main opens its dialog for files or for a folder. Answers with what was added; reading follows. Nothing chosen: none. */
  'documents.add': { request: v.object({ kind: v.picklist(['files', 'folder']) }), response: v.array(LibraryDocument) },
  /** Files and folders that were dropped. Only the preload script may ask this: it knows the real paths. */
  'documents.drop': { request: v.object({ paths }), response: v.array(LibraryDocument) },
  'documents.paste': {
    request: v.object({ text: v.pipe(v.string(), v.minLength(1), v.maxLength(20_000_000)) }),
    response: LibraryDocument,
  },
  /** Reads the file again: after a failure, with a password, since it changed, or with the text of its scanned pages. */
  'documents.read': {
    request: v.object({
      documentId: id,
      password: v.optional(v.pipe(v.string(), v.maxLength(1000))),
      /** Languages whose data is here. */
      recognise: v.optional(v.pipe(v.array(OcrLanguage), v.minLength(1))),
    }),
    response: nothing,
  },
  /** Stops reading. What was read before stays. */
  'documents.stop': { request: v.object({ documentId: id }), response: nothing },
  /** Its text and summaries go with it; the file stays where it is. */
  'documents.remove': { request: v.object({ documentId: id }), response: nothing },
  /** Headings of the whole document, and the text of pages `from` to `to`, both included; not more than 50 pages at once. */
  'documents.pages': {
    request: v.object({ documentId: id, from: v.pipe(count, v.minValue(1)), to: v.pipe(count, v.minValue(1)) }),
    response: v.object({ headings: v.array(DocumentHeading), pages: v.array(DocumentPage) }),
  },
  'ocr.list': { request: nothing, response: v.array(OcrData) },
  /** Begins to fetch the data of a language; events tell how that goes. */
  'ocr.fetch': { request: v.object({ language: OcrLanguage }), response: nothing },
  'ocr.stop': { request: v.object({ language: OcrLanguage }), response: nothing },
} as const;
export type LibraryDocumentChannel = keyof typeof libraryDocumentChannels;

export const libraryDocumentEvents = [
  v.object({ type: v.literal('document'), document: LibraryDocument }),
  v.object({ type: v.literal('document-removed'), documentId: id }),
  /** A folder was added: how many of its files, and what was left out of it. */
  v.object({ type: v.literal('folder-added'), added: count, leftOut: v.array(LeftOut) }),
  v.object({ type: v.literal('ocr-data'), data: OcrData }),
] as const;
