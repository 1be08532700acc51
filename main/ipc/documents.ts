import type { LibraryDocumentChannel } from '../../contract/library-documents.ts';
import type { SummaryChannel } from '../../contract/summaries.ts';
import type { OcrLanguages } from '../documents/ocr-languages.ts';
import type { Storage } from '../storage/storage.ts';
import type { DocumentAsker } from '../summaries/document-asker.ts';
import type { DocumentLibrary } from '../summaries/document-library.ts';
import type { KeptReading } from '../summaries/kept-reading.ts';
import type { SummaryFiles } from '../summaries/summary-files.ts';
import type { SummaryService } from '../summaries/summary-service.ts';
import type { Handlers } from './router.ts';

/** Documents that the user has added. */
export function documentHandlers(
  library: DocumentLibrary,
  summaries: SummaryService,
  ocr: OcrLanguages,
  kept: KeptReading,
): Handlers<LibraryDocumentChannel> {
  return {
    'documents.list': () => library.list(),
    'documents.add': ({ kind }) => library.add(kind),
    'documents.drop': ({ paths }) => library.addPaths(paths),
    'documents.paste': ({ text }) => library.paste(text),
    'documents.read': async ({ documentId, ...how }) => {
      await kept.forget(documentId);
      await library.read(documentId, how);
    },
    'documents.stop': ({ documentId }) => library.stop(documentId),
    'documents.remove': async ({ documentId }) => {
      summaries.documentRemoved(documentId);
      await kept.forget(documentId);
      library.remove(documentId);
    },
    'documents.pages': ({ documentId, from, to }) => library.pages(documentId, from, to),
    'ocr.list': () => ocr.list(),
    'ocr.fetch': ({ language }) => ocr.fetch(language),
    'ocr.stop': ({ language }) => ocr.stop(language),
  };
}

/** Summaries of documents, and questions about them. */
export function summaryHandlers(
  summaries: SummaryService,
  files: SummaryFiles,
  asker: DocumentAsker,
  storage: Storage,
  kept: KeptReading,
): Handlers<SummaryChannel> {
  return {
    'summaries.plan': ({ documentId, options }) => summaries.plan(documentId, options),
    'summaries.start': ({ documentId, options }) => summaries.start(documentId, options),
    'summaries.stop': ({ summaryId }) => summaries.stop(summaryId),
    'summaries.resume': ({ summaryId }) => summaries.resume(summaryId),
    'summaries.redo': ({ summaryId, section }) => summaries.redo(summaryId, section),
    'summaries.list': ({ documentId }) => storage.summaries.list(documentId),
    'summaries.remove': ({ summaryId }) => summaries.remove(summaryId),
    'summaries.export': ({ summaryId, format }) => files.export(storage.summaries.get(summaryId), format),
    'summaries.to-chat': ({ summaryId }) => files.toChat(storage.summaries.get(summaryId)),
    'documents.ask': ({ documentIds, question }) => asker.ask(documentIds, question),
    'documents.stop-answer': ({ answerId }) => asker.stop(answerId),
    'documents.kept': async () => ({ bytes: await kept.bytes() }),
    'documents.clear-kept': () => kept.clear(),
    'documents.answers': ({ documentId }) => storage.summaries.answers(documentId),
  };
}
