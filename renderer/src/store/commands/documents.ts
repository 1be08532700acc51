/** Documents: adding, reading, summarising, asking. */

import type { AppEvent } from '../../../../contract/channels.ts';
import type { DocumentPage, OcrLanguage } from '../../../../contract/documents.ts';
import { AppError } from '../../../../contract/errors.ts';
import type { SummaryOptions, SummaryPlan } from '../../../../contract/summaries.ts';
import { strings } from '../../strings.ts';
import type { Talk } from './talk.ts';

export function createDocumentCommands({ store, api, notify, report, guarded }: Talk) {
  async function openDocument(documentId: string): Promise<void> {
    store.dispatch({ type: 'document-opened', documentId });
    await guarded(async () => {
      const [summaries, answers] = await Promise.all([
        api.ask('summaries.list', { documentId }),
        api.ask('documents.answers', { documentId }),
      ]);
      store.dispatch({ type: 'document-work', documentId, summaries, answers });
    });
  }

  return {
    openDocument,

    /** What another program had the app open. */
    async showOpened({ documentId, error }: Extract<AppEvent, { type: 'opened' }>): Promise<void> {
      if (error !== undefined) report(AppError.fromInfo(error));
      if (documentId !== undefined) await openDocument(documentId);
    },

    async readDocuments(): Promise<void> {
      await guarded(async () =>
        store.dispatch({ type: 'documents', documents: await api.ask('documents.list', undefined) }),
      );
    },

    /** Opens the first of what was added. */
    async addDocuments(kind: 'files' | 'folder'): Promise<void> {
      const added = await guarded(() => api.ask('documents.add', { kind }));
      if (added?.[0] !== undefined) await openDocument(added[0].id);
    },

    closeLeftOut(): void {
      store.dispatch({ type: 'left-out-seen' });
    },

    async dropDocuments(files: readonly File[]): Promise<void> {
      const added = await guarded(() => api.addDocuments(files));
      if (added?.[0] !== undefined) await openDocument(added[0].id);
    },

    async pasteDocument(text: string): Promise<void> {
      const added = await guarded(() => api.ask('documents.paste', { text }));
      if (added !== undefined) await openDocument(added.id);
    },

    async readDocument(documentId: string, password?: string): Promise<void> {
      await guarded(() => api.ask('documents.read', { documentId, ...(password === undefined ? {} : { password }) }));
    },

    /** Reads the text of its scanned pages, too. */
    async recognise(documentId: string, languages: OcrLanguage[]): Promise<void> {
      await guarded(() => api.ask('documents.read', { documentId, recognise: languages }));
    },

    async readOcrLanguages(): Promise<void> {
      await guarded(async () => store.dispatch({ type: 'ocr', languages: await api.ask('ocr.list', undefined) }));
    },

    async fetchOcrLanguage(language: OcrLanguage): Promise<void> {
      await guarded(() => api.ask('ocr.fetch', { language }));
    },

    async stopOcrLanguage(language: OcrLanguage): Promise<void> {
      await guarded(() => api.ask('ocr.stop', { language }));
    },

    async stopReading(documentId: string): Promise<void> {
      await guarded(() => api.ask('documents.stop', { documentId }));
    },

    /** Bytes that are kept on disk of what was read of documents; undefined where that cannot be told. */
    async keptReading(): Promise<number | undefined> {
      return (await guarded(() => api.ask('documents.kept', undefined)))?.bytes;
    },

    async clearKeptReading(): Promise<void> {
      await guarded(() => api.ask('documents.clear-kept', undefined));
    },

    async removeDocument(documentId: string): Promise<void> {
      await guarded(() => api.ask('documents.remove', { documentId }));
    },

    /** None where they could not be read; the reason was told. */
    async documentPages(documentId: string, from: number, to: number): Promise<readonly DocumentPage[]> {
      return (await guarded(() => api.ask('documents.pages', { documentId, from, to })))?.pages ?? [];
    },

    /** Undefined where it could not be made; the reason was told. */
    async planSummary(documentId: string, options: SummaryOptions): Promise<SummaryPlan | undefined> {
      return guarded(() => api.ask('summaries.plan', { documentId, options }));
    },

    async startSummary(documentId: string, options: SummaryOptions): Promise<void> {
      await guarded(() => api.ask('summaries.start', { documentId, options }));
    },

    async stopSummary(summaryId: string): Promise<void> {
      await guarded(() => api.ask('summaries.stop', { summaryId }));
    },

    async resumeSummary(summaryId: string): Promise<void> {
      await guarded(() => api.ask('summaries.resume', { summaryId }));
    },

    async redoSection(summaryId: string, section: number): Promise<void> {
      await guarded(() => api.ask('summaries.redo', { summaryId, section }));
    },

    async removeSummary(summaryId: string): Promise<void> {
      await guarded(() => api.ask('summaries.remove', { summaryId }));
    },

    async exportSummary(summaryId: string, format: 'markdown' | 'docx' | 'pdf'): Promise<void> {
      await guarded(async () => {
        const name = await api.ask('summaries.export', { summaryId, format });
        if (name !== null) notify({ text: strings.chats.exported(name) });
      });
    },

    /** The id of the new chat. */
    async summaryToChat(summaryId: string): Promise<string | undefined> {
      return (await guarded(() => api.ask('summaries.to-chat', { summaryId })))?.chatId;
    },

    async askDocuments(documentIds: string[], question: string): Promise<void> {
      await guarded(() => api.ask('documents.ask', { documentIds, question }));
    },

    async stopDocumentAnswer(answerId: string): Promise<void> {
      await guarded(() => api.ask('documents.stop-answer', { answerId }));
    },
  };
}
