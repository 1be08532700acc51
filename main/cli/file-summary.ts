/** Summary of one file for the command line. What was done before a stop or a fault is kept, and says that it is not all. */
import path from 'node:path';
import type { DocumentPage, ExtractedDocument } from '../../contract/documents.ts';
import { AppError, type ErrorInfo } from '../../contract/errors.ts';
import type { SummaryOptions, SummarySection } from '../../contract/summaries.ts';
import { pagesOf } from '../documents/citations/cited-text.ts';
import { countBlocks } from '../documents/summarise/count.ts';
import { coverageOf } from '../documents/summarise/coverage.ts';
import type { SummaryModel } from '../documents/summarise/model.ts';
import { prepareSummary } from '../documents/summarise/plan.ts';
import { Summariser, type WholeSummary } from '../documents/summarise/summariser.ts';
import { summaryMarkdown, type WrittenSummary } from '../documents/summarise/summary-markdown.ts';

/** What --json prints of a file. */
export interface FileSummary {
  file: string;
  /** False where a stop or a fault ended it before its whole was written; `error` says why. */
  complete: boolean;
  error?: ErrorInfo;
  coverage: { tokensRead: number; tokensTotal: number; share: number };
  sections: {
    title: string;
    pages: readonly [number, number];
    tokens: number;
    seconds: number;
    summary: string;
    cut?: boolean;
  }[];
  summary: string;
  /** It reached its length limit. */
  cut: boolean;
  /** The model made no whole of the parts: they stand one after another. */
  joined: boolean;
  citations: { point: string; pages: string[] }[];
  /** What is not in the summary, and why. */
  skipped: { pages: readonly [number, number]; reason: string }[];
}

/** A file that nothing came of. */
type FailedFile = Pick<FileSummary, 'file' | 'complete'> & { error: ErrorInfo };

export interface MadeSummary {
  readonly json: FileSummary | FailedFile;
  readonly markdown: string;
  /** Why it is not complete. */
  readonly error?: AppError;
}

export interface SummaryProgress {
  planned(tokens: number, sections: number): void;
  /** Done or failed. */
  ended(index: number, of: number, section: SummarySection): void;
  prefill(done: number, total: number): void;
}

/** Throws AppError where nothing came of it: no text, or no part was done. */
export async function summariseFile(
  file: string,
  document: ExtractedDocument,
  options: SummaryOptions,
  model: SummaryModel,
  progress: SummaryProgress,
  signal: AbortSignal,
): Promise<MadeSummary> {
  const { pages, sha256 } = document;
  const blocks = await countBlocks(document, model);
  const prepared = await prepareSummary({ pages, blocks }, options, model, undefined);
  const { plan } = prepared;
  const documentName = path.basename(file);
  if (plan.sections.length === 0) {
    throw new AppError('bad-input', `There is no text in ${documentName} that can be read.`, {
      action: 'If its pages are pictures of text, it has to go through a text recognition first.',
    });
  }
  progress.planned(plan.documentTokens, plan.sections.length);
  const summariser = new Summariser({ documentId: file, sha256, prepared, options, model, pages });
  const sections = summariser.waiting();
  const listener = {
    section: (index: number, section: SummarySection) => {
      sections[index] = section;
      if (section.state === 'done' || section.state === 'failed') progress.ended(index, sections.length, section);
    },
    delta: () => undefined,
    prefill: (_: number | null, done: number, total: number) => progress.prefill(done, total),
    measured: () => undefined,
  };
  let whole: WholeSummary = { text: '', points: [], cut: false, joined: false };
  let error: AppError | undefined;
  try {
    await summariser.run(sections, listener, signal);
    whole = await summariser.combine(sections, listener, signal);
  } catch (thrown) {
    error = AppError.from(thrown);
    if (sections.every(({ state }) => state !== 'done')) throw error;
  }
  const coverage = coverageOf(plan, sections);
  const state = error === undefined ? 'complete' : 'stopped';
  const made = { documentName, options, model: model.name, state, sections, coverage, ...whole } as const;
  return {
    json: asJson(file, made, pages, error),
    markdown: summaryMarkdown(made, document.unit, 'en'),
    ...(error === undefined ? {} : { error }),
  };
}

export function failedFile(file: string, error: AppError): MadeSummary {
  return {
    json: { file, complete: false, error: error.toInfo() },
    markdown: `# ${path.basename(file)}\n\n(${error.message})\n`,
    error,
  };
}

function asJson(
  file: string,
  { sections, coverage, text, points, cut = false, joined = false }: WrittenSummary,
  pages: readonly DocumentPage[],
  error: AppError | undefined,
): FileSummary {
  const { tokensRead, tokensTotal, pagesWithoutText } = coverage;
  const problems = new Map(pages.map(({ number, problem }) => [number, problem]));
  return {
    file,
    complete: error === undefined,
    ...(error === undefined ? {} : { error: error.toInfo() }),
    coverage: { tokensRead, tokensTotal, share: tokensRead / tokensTotal },
    sections: sections.map((section) => ({
      title: section.title,
      pages: section.pages,
      tokens: section.tokens,
      seconds: section.seconds ?? 0,
      summary: section.state === 'done' ? section.text : '',
      ...(section.cut === true ? { cut: true } : {}),
    })),
    summary: text,
    cut,
    joined,
    citations: points.map((point) => ({ point: point.text, pages: pagesOf(point) })),
    skipped: [
      ...pagesWithoutText.map((page) => ({
        pages: [page, page] as const,
        reason: problems.get(page) ?? 'no text',
      })),
      ...sections
        .filter(({ state }) => state !== 'done')
        .map((section) => ({ pages: section.pages, reason: section.error?.message ?? error?.message ?? 'not done' })),
    ],
  };
}
