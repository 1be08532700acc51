/** Documents that the user has added: what is known of them, and their text by page. */
import * as v from 'valibot';
import { DocumentFormat, DocumentHeading, DocumentPage, DocumentProblem, PageProblem, PageUnit } from './documents.ts';
import { ErrorInfo } from './errors.ts';
import { id, nothing, time } from './fields.ts';

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
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
  /** The file is not what it was when it was read: changed, or gone. What was read is still here. */
  file: v.optional(v.picklist(['changed', 'gone'])),
});
export type LibraryDocument = v.InferOutput<typeof LibraryDocument>;

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
  /** Reads the file again: after a failure, with a password, or since it changed. */
  'documents.read': {
    request: v.object({ documentId: id, password: v.optional(v.pipe(v.string(), v.maxLength(1000))) }),
    response: nothing,
  },
  /** Stops reading. */
  'documents.stop': { request: v.object({ documentId: id }), response: nothing },
  /** Its text and summaries go with it; the file stays where it is. */
  'documents.remove': { request: v.object({ documentId: id }), response: nothing },
  /** Headings of the whole document, and the text of pages `from` to `to`, both included; not more than 50 pages at once. */
  'documents.pages': {
    request: v.object({ documentId: id, from: v.pipe(count, v.minValue(1)), to: v.pipe(count, v.minValue(1)) }),
    response: v.object({ headings: v.array(DocumentHeading), pages: v.array(DocumentPage) }),
  },
} as const;
export type LibraryDocumentChannel = keyof typeof libraryDocumentChannels;

export const libraryDocumentEvents = [
  v.object({ type: v.literal('document'), document: LibraryDocument }),
  v.object({ type: v.literal('document-removed'), documentId: id }),
] as const;
