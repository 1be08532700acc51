/** Questions about documents in the app, answered one after another and kept. */
import { randomUUID } from 'node:crypto';
import type { AppEvent } from '../../contract/channels.ts';
import { AppError } from '../../contract/errors.ts';
import type { DocumentAnswer } from '../../contract/summaries.ts';
import { askDocuments } from '../documents/ask/ask.ts';
import { QUESTION_PROMPTS_VERSION } from '../documents/prompts/question.ts';
import type { SummaryModel } from '../documents/summarise/model.ts';
import type { Storage } from '../storage/storage.ts';
import type { CountedDocuments } from './counted-documents.ts';

export interface DocumentAskerOptions {
  storage: Storage;
  documents: CountedDocuments;
  openModel: () => Promise<SummaryModel>;
  emit: (event: AppEvent) => void;
  log: (line: string) => void;
}

export class DocumentAsker {
  readonly #options: DocumentAskerOptions;
  readonly #running = new Map<string, AbortController>();

  constructor(options: DocumentAskerOptions) {
    this.#options = options;
  }

  /** Returns at once; the answer follows as events. Throws AppError for a document that is not there or was not read. */
  ask(documentIds: readonly string[], question: string): DocumentAnswer {
    for (const documentId of documentIds) this.#options.documents.assertRead(documentId);
    const answer: DocumentAnswer = {
      id: randomUUID(),
      documentIds: [...documentIds],
      question,
      text: '',
      points: [],
      state: 'waiting',
      read: { sections: 0, of: 0 },
      prompts: QUESTION_PROMPTS_VERSION,
      createdAt: Date.now(),
    };
    this.#save(answer);
    void this.#answer(answer);
    return answer;
  }

  stop(answerId: string): void {
    this.#running.get(answerId)?.abort();
  }

  shutDown(): void {
    for (const abort of this.#running.values()) abort.abort();
  }

  async #answer(begun: DocumentAnswer): Promise<void> {
    const { openModel, documents, emit, log } = this.#options;
    const abort = new AbortController();
    this.#running.set(begun.id, abort);
    let answer: DocumentAnswer = { ...begun, state: 'running' };
    let text = '';
    try {
      const model = await openModel();
      const asked = await Promise.all(begun.documentIds.map((id) => documents.get(id, model)));
      const result = await askDocuments(asked, begun.question, model, {
        signal: abort.signal,
        chosen: (read) => {
          answer = { ...answer, read };
          this.#save(answer);
        },
        measured: () => undefined,
        onPrefill: () => undefined,
        onDelta: (delta) => {
          emit({ type: 'document-answer-delta', answerId: begun.id, offset: text.length, delta });
          text += delta;
        },
      });
      this.#save({ ...answer, ...result, state: 'complete' });
    } catch (thrown) {
      const { detail, ...error } = AppError.from(thrown).toInfo();
      const stopped = error.kind === 'cancelled';
      if (!stopped) log(`question about documents failed: ${error.kind}: ${detail ?? error.message}`);
      const ended: DocumentAnswer = stopped
        ? { ...answer, text, state: 'stopped' }
        : { ...answer, text, state: 'failed', error };
      try {
        this.#save(ended);
      } catch (unsaved) {
        // The next start finds what was saved last; the windows are told what happened all the same.
        const { detail: why, ...info } = AppError.from(unsaved).toInfo();
        log(`answer about documents not saved: ${info.kind}: ${why ?? info.message}`);
        emit({ type: 'document-answer', answer: { ...ended, state: 'failed', error: info } });
      }
    } finally {
      this.#running.delete(begun.id);
    }
  }

  #save(answer: DocumentAnswer): void {
    if (answer.documentIds.some((id) => this.#options.storage.documents.find(id) === undefined)) return;
    this.#options.storage.summaries.putAnswer(answer);
    this.#options.emit({ type: 'document-answer', answer });
  }
}
