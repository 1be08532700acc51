/** `eval documents`: summaries of whole documents with known facts, in each mode. */
import type { AttentionMode } from '../../contract/engine.ts';
import { type DocumentRow, documentFigures, measureDocuments } from '../documents/eval/measure.ts';
import { EVAL_LANGUAGES } from '../documents/eval/suite.ts';
import { CommandLineModel } from './engine-model.ts';
import { Report } from './eval-report.ts';
import { EXIT } from './exit.ts';
import type { Interrupt } from './interrupt.ts';
import type { OptionValues } from './options.ts';
import { note, print, printJson } from './output.ts';
import { loadModel, withEngine } from './session.ts';
import { summaryOptionsOf } from './summarize.ts';

/** The same answers in every run. */
const SEED = 1;
const MODES: readonly AttentionMode[] = ['full', 'shadow'];

/** Prints as `evaluate` does. Ends with the code of a fault where text of a document was left out. */
export function evaluateDocuments(values: OptionValues, { signal }: Interrupt): Promise<number> {
  return withEngine(async (engine) => {
    await loadModel(engine, values, signal);
    const report = new Report(values.json === true);
    try {
      const rows = await measureDocuments({
        languages: values.languages ?? EVAL_LANGUAGES,
        sizes: values.sizes ?? ['1k', '8k'],
        modes: (values.modes ?? MODES).map((name) => ({
          name,
          model: new CommandLineModel(engine, { ...values, attention: name, seed: SEED }),
        })),
        options: summaryOptionsOf(values),
        signal,
        onProgress: report.progress,
        onRow: report.row<DocumentRow>(cells),
      });
      report.clear();
      const figures = documentFigures(rows);
      if (values.json) printJson({ rows, figures });
      else for (const [name, value] of Object.entries(figures)) print(`${name}\t${value.toFixed(4)}\n`);
      const left = rows.filter(({ coverage }) => coverage < 1);
      for (const { language, size, mode } of left) note(`Text was left out: ${language} ${size} ${mode}.`);
      return left.length === 0 ? EXIT.ok : EXIT.engine;
    } finally {
      report.clear();
    }
  });
}

function cells(row: DocumentRow): string[] {
  return [
    `${row.language} ${row.size} ${row.mode}`,
    `${row.tokens} tokens, ${row.sections} sections${row.failed > 0 ? ` (${row.failed} failed)` : ''}`,
    `read ${(100 * row.coverage).toFixed(1)} %`,
    `facts ${row.inSections} and ${row.inWhole} of ${row.facts}`,
    `citations ${row.right} of ${row.cited} right, ${row.unsupported} of ${row.allCited} unsupported`,
    ...(row.claims === 0
      ? []
      : [`claims ${row.claimsRight} of ${row.claims} right, false ones ${row.falseCited} of ${row.falseClaims} cited`]),
    `${row.seconds.toFixed(1)} s (prompts ${row.prefillSeconds.toFixed(1)} s)`,
  ];
}
