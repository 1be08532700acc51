/** `summarize`: summarises whole documents section by section, as the app does. */
import path from 'node:path';
import type { ExtractedDocument } from '../../contract/documents.ts';
import { AppError } from '../../contract/errors.ts';
import type { SummaryOptions, SummarySection } from '../../contract/summaries.ts';
import { citedText, pagesOf } from '../documents/citations/cited-text.ts';
import { countBlocks } from '../documents/summarise/count.ts';
import { prepareSummary } from '../documents/summarise/plan.ts';
import { Summariser } from '../documents/summarise/summariser.ts';
import { writeWhole } from '../write-whole.ts';
import { CommandLineModel } from './engine-model.ts';
import { EXIT } from './exit.ts';
import type { Interrupt } from './interrupt.ts';
import type { OptionValues } from './options.ts';
import { note, ProgressLine, print, printJson } from './output.ts';
import { withReader } from './read-documents.ts';
import { loadModel, withEngine } from './session.ts';

interface FileSummary {
  file: string;
  coverage: { tokensRead: number; tokensTotal: number; share: number };
  sections: { title: string; pages: readonly [number, number]; tokens: number; seconds: number; summary: string }[];
  summary: string;
  citations: { point: string; pages: string[] }[];
  /** What is not in the summary, and why. */
  skipped: { pages: readonly [number, number]; reason: string }[];
}

/** With --json one object for one file, an array for several. Returns the exit code. */
export async function summarize(files: readonly string[], values: OptionValues, interrupt: Interrupt): Promise<number> {
  const options = summaryOptionsOf(values);
  return withReader(async (reader) =>
    withEngine(async (engine) => {
      await loadModel(engine, values, interrupt.signal);
      const model = new CommandLineModel(engine, values);
      const results: FileSummary[] = [];
      for (const file of files) {
        const document = await reader.read(file, {
          signal: interrupt.signal,
          ...(values.password === undefined ? {} : { password: values.password }),
        });
        const result = await summarizeOne(file, document, options, model, interrupt.signal, values.json === true);
        results.push(result);
        if (!values.json && values.out === undefined) print(`${asMarkdown(result)}\n`);
      }
      const value = results.length === 1 ? results[0] : results;
      if (values.out !== undefined) {
        await writeWhole(values.out, [values.json ? `${JSON.stringify(value)}\n` : results.map(asMarkdown).join('\n')]);
      } else if (values.json) printJson(value);
      return EXIT.ok;
    }, values),
  );
}

/** What the options ask of a summary. */
export function summaryOptionsOf(values: OptionValues): SummaryOptions {
  return {
    style: values.style ?? 'key-points',
    length: values.length ?? 'medium',
    language: values.language ?? 'document',
    ...(values.instruction === undefined ? {} : { instruction: values.instruction }),
  };
}

async function summarizeOne(
  file: string,
  document: ExtractedDocument,
  options: SummaryOptions,
  model: CommandLineModel,
  signal: AbortSignal,
  quiet: boolean,
): Promise<FileSummary> {
  const { pages } = document;
  const blocks = await countBlocks(document, model);
  const prepared = await prepareSummary({ pages, blocks }, options, model, undefined);
  const { plan } = prepared;
  if (plan.sections.length === 0) {
    throw new AppError('bad-input', `There is no text in ${path.basename(file)} that can be read.`, {
      action: 'If its pages are pictures of text, it has to go through a text recognition first.',
    });
  }
  note(`${path.basename(file)}: ${plan.documentTokens} tokens, ${plan.sections.length} sections.`);
  const labels = new Map(document.pages.map(({ number, label }) => [number, label]));
  const summariser = new Summariser({
    documentId: file,
    sha256: document.sha256,
    prepared,
    options,
    model,
    label: (page) => labels.get(page),
  });
  const progress = new ProgressLine();
  const listener = {
    section: (index: number, { state, title, seconds }: SummarySection) => {
      progress.clear();
      if (state === 'done' || state === 'failed') {
        const took = seconds === undefined ? '' : `, ${seconds.toFixed(1)} s`;
        note(
          `[${index + 1} of ${plan.sections.length}: ${title || 'untitled'}${state === 'failed' ? ', failed' : took}]`,
        );
      }
    },
    delta: () => undefined,
    prefill: (_: number | null, done: number, total: number) => {
      if (!quiet) progress.show({ stage: 'prefill', done, total });
    },
    measured: () => undefined,
  };
  const sections = await summariser.run(summariser.waiting(), listener, signal);
  const whole = await summariser.combine(sections, listener, signal);
  progress.clear();
  const tokensRead = sections.reduce((sum, { state, tokens }) => sum + (state === 'done' ? tokens : 0), 0);
  return {
    file,
    coverage: { tokensRead, tokensTotal: plan.documentTokens, share: tokensRead / plan.documentTokens },
    sections: sections.map(({ title, pages, tokens, seconds = 0, text, state }) => ({
      title,
      pages,
      tokens,
      seconds,
      summary: state === 'done' ? text : '',
    })),
    summary: whole.text,
    citations: whole.points.map((point) => ({ point: point.text, pages: pagesOf(point) })),
    skipped: [
      ...plan.pagesWithoutText.map((page) => ({
        pages: [page, page] as const,
        reason: document.pages.find(({ number }) => number === page)?.problem ?? 'no text',
      })),
      ...sections
        .filter(({ state }) => state === 'failed')
        .map(({ pages, error }) => ({ pages, reason: error?.message ?? 'failed' })),
    ],
  };
}

function asMarkdown({ file, coverage, summary, citations, skipped }: FileSummary): string {
  const points = citations.map(({ point, pages }) => ({ text: point, pages }));
  const left = skipped.map(({ pages: [from, to], reason }) => `pages ${from}-${to}: ${reason}`);
  return [
    `# ${path.basename(file)}`,
    `Read ${coverage.tokensRead} of ${coverage.tokensTotal} tokens.${left.length === 0 ? '' : ` Left out: ${left.join('; ')}.`}`,
    citedText(summary, points),
    '',
  ].join('\n\n');
}
