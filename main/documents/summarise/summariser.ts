/**
 * Summarises a document section by section, then puts the sections together. What is done stays done: it can be stopped
 * after any section and go on later, and one section can be done again.
 */

import type { DocumentPage } from '../../../contract/documents.ts';
import { AppError } from '../../../contract/errors.ts';
import type { CitedPoint, SummaryOptions, SummarySection } from '../../../contract/summaries.ts';
import { citationOf } from '../citations/citation.ts';
import { PlaceFinder } from '../citations/place-finder.ts';
import { pointsOf } from '../citations/points.ts';
import { answerTokens, combinePrompt, summaryPrompt } from '../prompts/summary.ts';
import { cleanAnswer, isUseless } from './answers.ts';
import type { Generated, SummaryModel } from './model.ts';
import type { PreparedSummary } from './plan.ts';
import type { Section } from './split.ts';

/** An extract in place of a summary that failed. In UTF-16 code units. */
const EXTRACT = 400;

export interface SummariserOptions {
  readonly documentId: string;
  /** Where it is given, what was read of the sections is kept for the next summary. */
  readonly sha256?: string;
  readonly prepared: PreparedSummary;
  readonly options: SummaryOptions;
  readonly model: SummaryModel;
  /** Of the document, in order. */
  readonly pages: readonly DocumentPage[];
}

export interface SummaryListener {
  /** A section began, ended or failed. */
  section(index: number, section: SummarySection): void;
  /** New text of a section, or of the whole (null). `restart`: what came before is dropped. */
  delta(index: number | null, text: string, restart: boolean): void;
  prefill(index: number | null, done: number, total: number): void;
  /** Measured, after each answer. */
  measured(generated: Generated): void;
}

export interface WholeSummary {
  readonly text: string;
  readonly points: CitedPoint[];
  /** An answer that it is made of was cut by its length limit. */
  readonly cut: boolean;
  /** The model made no whole of the sections: they stand one after another. */
  readonly joined: boolean;
}

export class Summariser {
  readonly #options: SummariserOptions;
  readonly #finders = new Map<number, PlaceFinder>();

  constructor(options: SummariserOptions) {
    this.#options = options;
  }

  /** Sections that nothing has been done about. */
  waiting(): SummarySection[] {
    return this.#options.prepared.plan.sections.map((planned) => ({
      ...planned,
      state: 'waiting',
      text: '',
      points: [],
    }));
  }

  /**
   * Goes through the sections of `before` that are not done and returns all. A section that fails is marked and the others
   * go on; one that is stopped waits again. Throws AppError 'cancelled', and those after which no section could work.
   */
  async run(
    before: readonly SummarySection[],
    listener: SummaryListener,
    signal: AbortSignal,
  ): Promise<SummarySection[]> {
    const done = [...before];
    for (const [index, section] of this.#options.prepared.sections.entries()) {
      if (done[index]?.state === 'done') continue;
      done[index] = await this.redo(index, section, listener, signal);
    }
    return done;
  }

  /** Does one section, whatever it was before. */
  async redo(index: number, section: Section, listener: SummaryListener, signal: AbortSignal): Promise<SummarySection> {
    const planned = { title: section.title, pages: [...section.pages] as [number, number], tokens: section.tokens };
    const tell = (result: SummarySection) => {
      listener.section(index, result);
      return result;
    };
    tell({ ...planned, state: 'running', text: '', points: [] });
    const begun = Date.now();
    const text = textOf(section);
    const { options, prepared } = this.#options;
    try {
      const answer = await this.#ask(index, summaryPrompt(text, options, prepared.language), text, listener, signal);
      const seconds = (Date.now() - begun) / 1000;
      return tell({
        ...planned,
        state: 'done',
        text: answer.text,
        points: this.#cite(answer.text, index),
        seconds,
        ...(answer.cut ? { cut: true } : {}),
      });
    } catch (thrown) {
      const error = AppError.from(thrown);
      if (error.kind === 'cancelled') {
        tell({ ...planned, state: 'waiting', text: '', points: [] });
        throw error;
      }
      if (endsAll(error)) throw error;
      const { detail: _, ...info } = error.toInfo();
      return tell({ ...planned, state: 'failed', text: extractOf(text), points: [], error: info });
    }
  }

  /**
   * The whole from the sections. Lists of sections are put together as they are; sentences are written anew by the model,
   * and where it cannot do that, the sections stand one after another.
   */
  async combine(
    sections: readonly SummarySection[],
    listener: SummaryListener,
    signal: AbortSignal,
  ): Promise<WholeSummary> {
    const made = sections.filter(({ state }) => state === 'done');
    const [only] = made;
    if (only === undefined) return { text: '', points: [], cut: false, joined: false };
    if (made.length === 1) return { text: only.text, points: only.points, cut: only.cut === true, joined: false };
    if (this.#options.options.style === 'structured' || this.#options.options.style === 'action-items')
      return assembled(made);
    try {
      const { text, cut } = await this.#reduce(made.map(noteOf), listener, signal);
      return { text, points: this.#cite(text, null), cut, joined: false };
    } catch (thrown) {
      const error = AppError.from(thrown);
      if (error.kind === 'cancelled' || endsAll(error)) throw error;
      return { ...assembled(made), joined: true };
    }
  }

  /** Puts notes together until one prompt holds them, then writes the whole from these. */
  async #reduce(
    notes: readonly string[],
    listener: SummaryListener,
    signal: AbortSignal,
  ): Promise<{ text: string; cut: boolean }> {
    const { model, options, prepared } = this.#options;
    let left = notes;
    let cut = false;
    for (;;) {
      const groups = await groupsOf(left, prepared.room, model);
      const last = groups.length === 1;
      // No two notes fit one prompt: they stay as they are.
      if (!last && groups.length === left.length) return { text: left.join('\n\n'), cut };
      const next: string[] = [];
      for (const group of groups) {
        const prompt = combinePrompt(group, options, prepared.language);
        const answer = await this.#ask(last ? null : undefined, prompt, group, listener, signal);
        next.push(answer.text);
        cut ||= answer.cut;
      }
      if (last) return { text: next[0] ?? '', cut };
      left = next;
    }
  }

  /** Asks, and once more where the answer is of no use. Throws AppError 'bad-input' where it is again. */
  async #ask(
    index: number | null | undefined,
    turns: ReturnType<typeof summaryPrompt>,
    source: string,
    listener: SummaryListener,
    signal: AbortSignal,
  ): Promise<{ text: string; cut: boolean }> {
    const { model, options, sha256, prepared } = this.#options;
    const ofText = typeof index === 'number' && sha256 !== undefined;
    for (const attempt of [1, 2]) {
      let restart = true;
      const generated = await model.generate(turns, {
        maxTokens: answerTokens(options.length),
        attempt,
        ...(ofText ? { keep: { documents: [sha256], tokens: prepared.plan.documentTokens } } : {}),
        signal,
        onDelta: (text) => {
          if (index !== undefined) listener.delta(index, text, restart);
          restart = false;
        },
        onPrefill: (done, total) => {
          if (index !== undefined) listener.prefill(index, done, total);
        },
      });
      listener.measured(generated);
      const text = cleanAnswer(generated.text, generated.cut);
      if (!isUseless(text, source)) return { text, cut: generated.cut };
    }
    throw new AppError('bad-input', 'The model gave no summary of this section, twice.', {
      action: 'Try this section again, or choose a larger model.',
    });
  }

  /** `index` null: anywhere in the document. */
  #cite(text: string, index: number | null): CitedPoint[] {
    const { documentId, pages } = this.#options;
    const finder = this.#finder(index);
    return pointsOf(text).map((point) => ({
      text: point,
      citations: finder
        .find(point)
        .map(({ passage: { page }, range, score }) => citationOf(documentId, pages, { page, range, score })),
    }));
  }

  #finder(index: number | null): PlaceFinder {
    const { sections } = this.#options.prepared;
    const key = index ?? -1;
    const known = this.#finders.get(key);
    if (known) return known;
    const passages = index === null ? sections.flatMap(({ blocks }) => blocks) : (sections[index]?.blocks ?? []);
    const finder = new PlaceFinder(passages);
    this.#finders.set(key, finder);
    return finder;
  }
}

function textOf({ overlap, blocks }: Section): string {
  return [...overlap, ...blocks].map(({ text }) => text).join('\n\n');
}

function noteOf({ title, text }: SummarySection): string {
  return title === '' ? text : `${title}\n${text}`;
}

/** Consecutive notes in texts of at most `room` tokens. One note alone may be longer: the model then refuses it. */
async function groupsOf(notes: readonly string[], room: number, model: SummaryModel): Promise<string[]> {
  const counts = await model.countTokens(notes);
  const groups: string[][] = [];
  let tokens = Infinity;
  for (const [index, note] of notes.entries()) {
    const own = (counts[index] ?? 0) + 2;
    if (tokens + own > room) {
      groups.push([]);
      tokens = 0;
    }
    groups.at(-1)?.push(note);
    tokens += own;
  }
  return groups.map((group) => group.join('\n\n'));
}

function assembled(sections: readonly SummarySection[]): WholeSummary {
  const told = sections.filter(({ text }) => !isNone(text));
  return {
    text: told.map(({ title, text }) => (title === '' ? text : `## ${title}\n\n${text}`)).join('\n\n'),
    points: told.flatMap(({ points }) => points),
    cut: false,
    joined: false,
  };
}

/** The answer that there is nothing to list. */
function isNone(text: string): boolean {
  return /^(?:none|无)[.。]?$/i.test(text.trim());
}

function extractOf(text: string): string {
  return text.length <= EXTRACT ? text : `${text.slice(0, EXTRACT).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Without a model, an engine or a place to keep what is done the other sections would fail as well. */
function endsAll({ kind }: AppError): boolean {
  return (
    kind === 'engine-crashed' || kind === 'model-missing' || kind === 'device-unusable' || kind === 'storage-failed'
  );
}
