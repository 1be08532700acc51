/** Summaries of documents in the app: planned, run section by section, stopped, resumed and kept. */
import { randomUUID } from 'node:crypto';
import type { AppEvent } from '../../contract/channels.ts';
import { AppError } from '../../contract/errors.ts';
import type { Summary, SummaryOptions, SummaryPlan, SummarySection } from '../../contract/summaries.ts';
import { summaryPromptVersion } from '../documents/prompts/summary.ts';
import { coverageOf } from '../documents/summarise/coverage.ts';
import type { Generated, SummaryModel } from '../documents/summarise/model.ts';
import { type PreparedSummary, prepareSummary, type Speed } from '../documents/summarise/plan.ts';
import { Summariser, type SummaryListener } from '../documents/summarise/summariser.ts';
import type { Storage } from '../storage/storage.ts';
import type { CountedDocuments } from './counted-documents.ts';

/** Deltas closer together than this are sent as one, in milliseconds. */
const SHOW_EVERY_MS = 50;

export interface SummaryServiceOptions {
  storage: Storage;
  documents: CountedDocuments;
  openModel: () => Promise<SummaryModel>;
  emit: (event: AppEvent) => void;
  log: (line: string) => void;
}

/** A plan, and who carries it out. */
type Prepared = PreparedSummary & { summariser: Summariser };

export class SummaryService {
  readonly #options: SummaryServiceOptions;
  readonly #running = new Map<string, AbortController>();
  /** Of the last answers, by model. */
  readonly #speeds = new Map<string, Speed>();

  constructor(options: SummaryServiceOptions) {
    this.#options = options;
  }

  /** Throws AppError: no model, or a document that was not read. */
  async plan(documentId: string, options: SummaryOptions): Promise<SummaryPlan> {
    return (await this.#prepare(documentId, options, await this.#options.openModel())).plan;
  }

  /** Returns at once with what will be done; the rest follows as events. */
  async start(documentId: string, options: SummaryOptions): Promise<Summary> {
    const model = await this.#options.openModel();
    const { plan, summariser } = await this.#prepare(documentId, options, model);
    if (plan.sections.length === 0) {
      throw new AppError('bad-input', 'There is no text in this document that can be read.', {
        action: 'If its pages are pictures of text, it has to go through a text recognition first.',
      });
    }
    const sections = summariser.waiting();
    const summary: Summary = {
      id: randomUUID(),
      documentId,
      documentName: this.#options.storage.documents.get(documentId).name,
      options,
      plan,
      state: 'waiting',
      sections,
      text: '',
      points: [],
      coverage: coverageOf(plan, sections),
      model: model.name,
      prompts: summaryPromptVersion(options.style),
      createdAt: Date.now(),
      seconds: 0,
    };
    this.#save(summary);
    void this.#run(summary, summariser);
    return summary;
  }

  /** Keeps what is done. */
  stop(summaryId: string): void {
    this.#running.get(summaryId)?.abort();
  }

  /** Goes on with what is not done, and tries again what failed. Throws AppError where the document changed meanwhile. */
  async resume(summaryId: string): Promise<void> {
    if (this.#running.has(summaryId)) return;
    const summary = this.#options.storage.summaries.get(summaryId);
    const waiting = summary.sections.map(
      (section): SummarySection => (section.state === 'done' ? section : { ...section, state: 'waiting' }),
    );
    await this.#goOn({ ...summary, sections: waiting });
  }

  /** Does one section again, then the whole from the sections. */
  async redo(summaryId: string, index: number): Promise<void> {
    if (this.#running.has(summaryId)) {
      throw new AppError('engine-busy', 'This summary is being made.', { action: 'Stop it first, or wait.' });
    }
    const summary = this.#options.storage.summaries.get(summaryId);
    const sections = summary.sections.map(
      (section, at): SummarySection => (at === index ? { ...section, state: 'waiting' } : section),
    );
    await this.#goOn({ ...summary, sections });
  }

  remove(summaryId: string): void {
    this.stop(summaryId);
    const { documentId } = this.#options.storage.summaries.get(summaryId);
    this.#options.storage.summaries.remove(summaryId);
    this.#options.emit({ type: 'summary-removed', summaryId, documentId });
  }

  /** A document that is removed takes its summaries along. */
  documentRemoved(documentId: string): void {
    for (const { id } of this.#options.storage.summaries.list(documentId)) this.stop(id);
  }

  shutDown(): void {
    for (const abort of this.#running.values()) abort.abort();
  }

  async #goOn(summary: Summary): Promise<void> {
    const model = await this.#options.openModel();
    const { plan, summariser } = await this.#prepare(summary.documentId, summary.options, model);
    const same =
      plan.sections.length === summary.sections.length && plan.documentTokens === summary.plan.documentTokens;
    if (!same) {
      throw new AppError('bad-input', 'The document or the model is not the one that this summary was begun with.', {
        action: 'Start a new summary; this one stays as it is.',
      });
    }
    const { error: _, ...rest } = summary;
    void this.#run({ ...rest, state: 'waiting' }, summariser);
  }

  async #run(begun: Summary, summariser: Summariser): Promise<void> {
    const abort = new AbortController();
    this.#running.set(begun.id, abort);
    let summary: Summary = { ...begun, state: 'running', text: '', points: [], cut: false, joined: false };
    const started = Date.now() - begun.seconds * 1000;
    const save = (change: Partial<Summary>) => {
      summary = { ...summary, ...change, seconds: (Date.now() - started) / 1000 };
      summary.coverage = coverageOf(summary.plan, summary.sections);
      this.#save(summary);
    };
    const listener = this.#listener(summary, (index, section) =>
      save({ sections: summary.sections.map((other, at) => (at === index ? section : other)) }),
    );
    try {
      save({});
      const sections = await summariser.run(summary.sections, listener, abort.signal);
      const whole = await summariser.combine(sections, listener, abort.signal);
      const failed = sections.every(({ state }) => state === 'failed');
      save({ sections, ...whole, state: failed ? 'failed' : 'complete' });
    } catch (thrown) {
      const { detail, ...error } = AppError.from(thrown).toInfo();
      const stopped = error.kind === 'cancelled';
      if (!stopped) this.#options.log(`summary failed: ${error.kind}: ${detail ?? error.message}`);
      try {
        save(stopped ? { state: 'stopped' } : { state: 'failed', error });
      } catch (unsaved) {
        // The next start finds what was saved last; the windows are told what happened all the same.
        const { detail: why, ...info } = AppError.from(unsaved).toInfo();
        this.#options.log(`summary not saved: ${info.kind}: ${why ?? info.message}`);
        this.#options.emit({ type: 'summary', summary: { ...summary, state: 'failed', error: info } });
      }
    } finally {
      this.#running.delete(begun.id);
    }
  }

  #listener({ id, model }: Summary, ended: (index: number, section: SummarySection) => void): SummaryListener {
    const { emit } = this.#options;
    const shown = new Map<number | null, { text: string; sent: number; timer?: NodeJS.Timeout }>();
    const send = (index: number | null) => {
      const part = shown.get(index);
      if (part === undefined) return;
      delete part.timer;
      emit({
        type: 'summary-progress',
        summaryId: id,
        section: index,
        offset: part.sent,
        delta: part.text.slice(part.sent),
      });
      part.sent = part.text.length;
    };
    return {
      section: (index, section) => {
        clearTimeout(shown.get(index)?.timer);
        shown.delete(index);
        ended(index, section);
      },
      delta: (index, text, restart) => {
        const known = shown.get(index);
        if (restart) clearTimeout(known?.timer);
        const part = restart || known === undefined ? { text: '', sent: 0 } : known;
        part.text += text;
        shown.set(index, part);
        if (!('timer' in part)) Object.assign(part, { timer: setTimeout(() => send(index), SHOW_EVERY_MS) });
      },
      prefill: (index, done, total) =>
        emit({
          type: 'summary-progress',
          summaryId: id,
          section: index,
          prefill: { done, total },
          offset: 0,
          delta: '',
        }),
      measured: (generated) => this.#measured(model, generated),
    };
  }

  #measured(model: string, { promptTokens, completionTokens, prefillSeconds, decodeSeconds }: Generated): void {
    const before = this.#speeds.get(model);
    const prefill = promptTokens / prefillSeconds;
    const decode = completionTokens / decodeSeconds;
    // A prompt that was nearly all remembered says nothing about reading.
    const read = promptTokens > 100 && Number.isFinite(prefill) ? prefill : before?.prefill;
    const written = completionTokens > 10 && Number.isFinite(decode) ? decode : before?.decode;
    if (read === undefined || written === undefined) return;
    const mean = (old: number | undefined, now: number) => (old === undefined ? now : 0.7 * old + 0.3 * now);
    this.#speeds.set(model, { prefill: mean(before?.prefill, read), decode: mean(before?.decode, written) });
  }

  #speedOf(model: string): Speed | undefined {
    const known = this.#speeds.get(model);
    if (known) return known;
    const result = this.#options.storage.messages.lastResult(model);
    if (result === undefined) return undefined;
    return { prefill: result.prefill.tokensPerSecond, decode: result.decode.tokensPerSecond };
  }

  async #prepare(documentId: string, options: SummaryOptions, model: SummaryModel): Promise<Prepared> {
    const document = await this.#options.documents.get(documentId, model);
    const prepared = await prepareSummary(document, options, model, this.#speedOf(model.name));
    const { sha256, pages } = document;
    return { ...prepared, summariser: new Summariser({ documentId, sha256, prepared, options, model, pages }) };
  }

  #save(summary: Summary): void {
    // It may have been removed while a section was being made.
    if (this.#options.storage.documents.find(summary.documentId) === undefined) return;
    this.#options.storage.summaries.put(summary);
    this.#options.emit({ type: 'summary', summary });
  }
}
