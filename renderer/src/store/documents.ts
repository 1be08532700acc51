/** What the window knows of documents, their summaries and the answers about them. Pure. */
import type { AppEvent } from '../../../contract/channels.ts';
import type { LibraryDocument, OcrData } from '../../../contract/library-documents.ts';
import type { DocumentAnswer, Summary } from '../../../contract/summaries.ts';
import { put } from './put.ts';

export interface DocumentsState {
  /** The last one added first; null until they were read once. */
  readonly documents: readonly LibraryDocument[] | null;
  readonly openDocumentId: string | null;
  /** What was left out of the folder that was added last; null once that was seen. */
  readonly folderAdded: FolderAdded | null;
  /** Languages whose text can be recognised in pictures; none until they were asked for. */
  readonly ocr: readonly OcrData[];
  /** By document, the last one first. */
  readonly summaries: Readonly<Record<string, readonly Summary[]>>;
  readonly answers: Readonly<Record<string, readonly DocumentAnswer[]>>;
  /** Text of a section (or 'whole') that is being written, by summary. */
  readonly writing: Readonly<Record<string, Readonly<Record<string, WritingPart>>>>;
  /** Text of an answer that is being written. */
  readonly answering: Readonly<Record<string, string>>;
}

export type FolderAdded = Pick<Extract<AppEvent, { type: 'folder-added' }>, 'added' | 'leftOut'>;

export interface WritingPart {
  readonly text: string;
  readonly prefill?: { readonly done: number; readonly total: number };
}

export const initialDocuments: DocumentsState = {
  documents: null,
  openDocumentId: null,
  folderAdded: null,
  ocr: [],
  summaries: {},
  answers: {},
  writing: {},
  answering: {},
};

type DocumentEvent = Extract<
  AppEvent,
  {
    type:
      | 'document'
      | 'document-removed'
      | 'folder-added'
      | 'ocr-data'
      | 'summary'
      | 'summary-removed'
      | 'summary-progress'
      | 'document-answer'
      | 'document-answer-delta';
  }
>;

/** The key of a section, or of the whole (null), in `writing`. */
export function partKey(section: number | null): string {
  return section === null ? 'whole' : String(section);
}

export function applyDocumentEvent<S extends DocumentsState>(state: S, event: DocumentEvent): S {
  switch (event.type) {
    case 'document':
      return { ...state, documents: put(state.documents ?? [], event.document) };
    case 'document-removed':
      return {
        ...state,
        documents: state.documents?.filter(({ id }) => id !== event.documentId) ?? null,
        openDocumentId: state.openDocumentId === event.documentId ? null : state.openDocumentId,
      };
    case 'folder-added':
      return { ...state, folderAdded: event.leftOut.length === 0 ? null : event };
    case 'ocr-data':
      return { ...state, ocr: state.ocr.map((data) => (data.language === event.data.language ? event.data : data)) };
    case 'summary': {
      const { summary } = event;
      const list = put(state.summaries[summary.documentId] ?? [], summary);
      const running = summary.state === 'running' || summary.state === 'waiting';
      const { [summary.id]: before = {}, ...others } = state.writing;
      const left = Object.fromEntries(
        Object.entries(before).filter(([key]) => key === 'whole' || summary.sections[Number(key)]?.state === 'running'),
      );
      return {
        ...state,
        summaries: { ...state.summaries, [summary.documentId]: list },
        writing: running ? { ...others, [summary.id]: left } : others,
      };
    }
    case 'summary-removed':
      return {
        ...state,
        summaries: {
          ...state.summaries,
          [event.documentId]: (state.summaries[event.documentId] ?? []).filter(({ id }) => id !== event.summaryId),
        },
      };
    case 'summary-progress': {
      const parts = state.writing[event.summaryId] ?? {};
      const key = partKey(event.section);
      const before = parts[key]?.text ?? '';
      const part: WritingPart = {
        text: event.prefill ? before : before.slice(0, event.offset) + event.delta,
        ...(event.prefill ? { prefill: event.prefill } : {}),
      };
      return { ...state, writing: { ...state.writing, [event.summaryId]: { ...parts, [key]: part } } };
    }
    case 'document-answer': {
      const answers = { ...state.answers };
      for (const documentId of event.answer.documentIds) {
        answers[documentId] = put(answers[documentId] ?? [], event.answer);
      }
      const { [event.answer.id]: _before, ...answering } = state.answering;
      const running = event.answer.state === 'running' || event.answer.state === 'waiting';
      return { ...state, answers, answering: running ? state.answering : answering };
    }
    case 'document-answer-delta': {
      const before = state.answering[event.answerId] ?? '';
      const text = before.slice(0, event.offset) + event.delta;
      return { ...state, answering: { ...state.answering, [event.answerId]: text } };
    }
  }
}
