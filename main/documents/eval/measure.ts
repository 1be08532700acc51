/** `eval documents`: summarises the documents of the suite in each mode and scores what comes out. */
import { AppError } from '../../../contract/errors.ts';
import type { SummaryOptions } from '../../../contract/summaries.ts';
import { PlaceFinder } from '../citations/place-finder.ts';
import type { PromptLanguage } from '../prompts/language.ts';
import { countBlocks } from '../summarise/count.ts';
import type { SummaryModel } from '../summarise/model.ts';
import { prepareSummary } from '../summarise/plan.ts';
import { Summariser, type SummaryListener } from '../summarise/summariser.ts';
import { type CitationCounts, countCitations, coverageOf, isIn, tells } from './score.ts';
import { type EvalDocument, type EvalSize, evalDocument } from './suite.ts';

export interface DocumentEval {
  readonly languages: readonly PromptLanguage[];
  readonly sizes: readonly EvalSize[];
  /** Each mode with the model as it attends in it. */
  readonly modes: readonly { readonly name: string; readonly model: SummaryModel }[];
  readonly options: SummaryOptions;
  readonly signal: AbortSignal;
  /** `label` says what is being summarised; in tokens of the document. */
  readonly onProgress: (label: string, done: number, total: number) => void;
  readonly onRow: (row: DocumentRow) => void;
}

export interface DocumentRow extends CitationCounts {
  readonly language: PromptLanguage;
  readonly size: EvalSize;
  readonly mode: string;
  readonly tokens: number;
  readonly sections: number;
  /** Sections for which the model gave no summary, twice. */
  readonly failed: number;
  /** Share of the text that was in a prompt. */
  readonly coverage: number;
  readonly facts: number;
  /** Facts that are told by the summary of the section that they stand in, and by the summary of the whole. */
  readonly inSections: number;
  readonly inWhole: number;
  /** Sentences with a known place or none: how many there are of each, cited right, and cited although the text does not say so. */
  readonly claims: number;
  readonly claimsRight: number;
  readonly falseClaims: number;
  readonly falseCited: number;
  readonly seconds: number;
  /** Of reading prompts alone. */
  readonly prefillSeconds: number;
}

/** Rows by document and mode. Throws AppError, 'cancelled' where it was stopped. */
export async function measureDocuments(asked: DocumentEval): Promise<DocumentRow[]> {
  const rows: DocumentRow[] = [];
  const [first] = asked.modes;
  if (first === undefined) return rows;
  for (const language of asked.languages) {
    for (const size of asked.sizes) {
      const document = await evalDocument(language, size, (texts) => first.model.countTokens(texts));
      for (const mode of asked.modes) {
        if (asked.signal.aborted) throw new AppError('cancelled', 'It was stopped.');
        const row = await measureOne(document, mode, asked);
        asked.onRow(row);
        rows.push(row);
      }
    }
  }
  return rows;
}

async function measureOne(
  document: EvalDocument,
  { name, model }: DocumentEval['modes'][number],
  { options, signal, onProgress }: DocumentEval,
): Promise<DocumentRow> {
  const { language, size, pages, facts } = document;
  const prompts: string[] = [];
  const watched: SummaryModel = {
    name: model.name,
    contextSize: model.contextSize,
    countTokens: (texts) => model.countTokens(texts),
    countPrompt: (turns) => model.countPrompt(turns),
    generate: (turns, more) => {
      prompts.push(...turns.map(({ content }) => content));
      return model.generate(turns, more);
    },
  };
  const blocks = await countBlocks(document, watched);
  const prepared = await prepareSummary({ pages, blocks }, options, watched, undefined);
  const summariser = new Summariser({
    documentId: 'eval',
    prepared,
    options,
    model: watched,
    pages,
  });
  let prefillSeconds = 0;
  let done = 0;
  const label = `${language} ${size} ${name}`;
  const listener: SummaryListener = {
    section: (_, { state, tokens }) => {
      if (state === 'done' || state === 'failed') done += tokens;
      onProgress(label, done, prepared.plan.documentTokens);
    },
    delta: () => undefined,
    prefill: () => undefined,
    measured: (generated) => {
      prefillSeconds += generated.prefillSeconds;
    },
  };
  const begun = performance.now();
  const sections = await summariser.run(summariser.waiting(), listener, signal);
  const whole = await summariser.combine(sections, listener, signal);
  const seconds = (performance.now() - begun) / 1000;
  const inSections = facts.filter((fact) =>
    sections.some(
      ({ state, text }, index) =>
        state === 'done' && isIn(prepared.sections[index]?.blocks ?? [], fact) && tells(text, fact),
    ),
  );
  // The whole of one section is that section.
  const points =
    sections.length === 1 ? whole.points : [...sections.flatMap((section) => section.points), ...whole.points];
  return {
    language,
    size,
    mode: name,
    tokens: prepared.plan.documentTokens,
    sections: sections.length,
    failed: sections.filter(({ state }) => state === 'failed').length,
    coverage: coverageOf(pages, prompts),
    facts: facts.length,
    inSections: inSections.length,
    inWhole: facts.filter((fact) => tells(whole.text, fact)).length,
    ...countCitations(points, facts, pages),
    ...judgeClaims(document, new PlaceFinder(blocks)),
    seconds,
    prefillSeconds,
  };
}

function judgeClaims({ claims }: EvalDocument, finder: PlaceFinder) {
  const judged = claims.map(({ text, page }) => ({ page, cited: finder.find(text)[0]?.passage.page }));
  const real = judged.filter(({ page }) => page !== undefined);
  const invented = judged.filter(({ page }) => page === undefined);
  return {
    claims: real.length,
    claimsRight: real.filter(({ page, cited }) => page === cited).length,
    falseClaims: invented.length,
    falseCited: invented.filter(({ cited }) => cited !== undefined).length,
  };
}

/** Flat figures: shares, and seconds per 1,000 tokens of the document. A share of nothing is left out. */
export function documentFigures(rows: readonly DocumentRow[]): Record<string, number> {
  const figures: Record<string, number> = {};
  for (const row of rows) {
    const at = `documents_${row.language}_${row.size}_${row.mode.replaceAll('-', '_')}`;
    const share = (name: string, part: number, of: number) => {
      if (of > 0) figures[`${at}_${name}`] = part / of;
    };
    figures[`${at}_coverage`] = row.coverage;
    share('sections_failed', row.failed, row.sections);
    share('facts_in_sections', row.inSections, row.facts);
    share('facts_in_whole', row.inWhole, row.facts);
    share('citations_right', row.right, row.cited);
    share('citations_unsupported', row.unsupported, row.allCited);
    share('claims_right', row.claimsRight, row.claims);
    share('claims_false_cited', row.falseCited, row.falseClaims);
    share('seconds_per_1k', row.seconds * 1000, row.tokens);
    share('prefill_seconds_per_1k', row.prefillSeconds * 1000, row.tokens);
  }
  return figures;
}
