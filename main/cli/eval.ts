/**
 * `eval recall`, `eval perplexity`, `eval needle`: the quality of attention against `full`; `eval linear`: of weights;
 * `eval flavours`: of graphs for devices; `eval documents`: of summaries.
 */
import { basename } from 'node:path';
import { loadNative } from '../../native/js/load.ts';
import type { Engine } from '../engine/engine.ts';
import { ALL, type Configuration, FULL, parseConfiguration, shipped } from '../engine/eval/configurations.ts';
import { divergenceFigures, measureDivergence } from '../engine/eval/divergence.ts';
import { measureNeedle, needleFigures } from '../engine/eval/needle.ts';
import { measurePerplexity, perplexityFigures } from '../engine/eval/perplexity.ts';
import { measureRecall, recallFigures } from '../engine/eval/recall.ts';
import { type EvalText, HELD_OUT, heldOutTexts } from '../engine/eval/texts.ts';
import { evaluateDocuments } from './eval-documents.ts';
import { evaluateFlavours } from './eval-flavours.ts';
import { linearSpeed, loadExact } from './eval-linear.ts';
import { Report } from './eval-report.ts';
import { EXIT } from './exit.ts';
import { readText } from './inputs.ts';
import type { Interrupt } from './interrupt.ts';
import type { OptionValues } from './options.ts';
import { print, printJson } from './output.ts';
import { usage } from './parse.ts';
import { loadModel, withEngine } from './session.ts';

/** Prints rows as they come and figures at the end, or with --json one object {rows, figures}. Returns the exit code. */
export function evaluate(args: readonly string[], values: OptionValues, interrupt: Interrupt): Promise<number> {
  const [command = ''] = args;
  if (command !== 'documents') refuse(command, values, ['sizes', 'modes', 'languages', 'style', 'length', 'ctx']);
  switch (command) {
    case 'perplexity':
      return perplexity(values, interrupt);
    case 'recall':
      return recall(values, interrupt);
    case 'needle':
      return needle(values, interrupt);
    case 'linear':
      return linear(values, interrupt);
    case 'flavours':
      return flavours(values, interrupt);
    case 'documents':
      refuse('documents', values, ['flavour', 'ratio', 'mode', 'config', 'depths', 'tokens', 'text']);
      return evaluateDocuments(values, interrupt);
    default:
      throw usage(
        `"eval ${command}" is not a command.`,
        'Use: eval recall, eval perplexity, eval needle, eval linear, eval flavours, eval documents.',
      );
  }
}

function perplexity(values: OptionValues, { signal }: Interrupt): Promise<number> {
  refuse('perplexity', values, ['flavour', 'ratio', 'depths']);
  const configurations = configurationsOf(values, ALL);
  const tokens = oneLength(values) ?? 2048;
  return run(values, signal, tokens, async (engine, report) => {
    const texts = await textsOf(values, ['prose', 'technical', 'code']);
    const onRow = report.row<{ text: string; config: string; perplexity: number; ratio: number }>((row) => [
      row.text,
      row.config,
      row.perplexity.toFixed(3),
      row.ratio.toFixed(4),
    ]);
    const rows = await measurePerplexity(engine.model, {
      texts,
      configurations,
      tokens,
      signal,
      onProgress: report.progress,
      onRow,
    });
    return { rows, figures: perplexityFigures(rows) };
  });
}

function recall(values: OptionValues, { signal }: Interrupt): Promise<number> {
  refuse('recall', values, ['flavour', 'mode', 'config', 'depths']);
  const tokens = oneLength(values) ?? 2048;
  return run(values, signal, tokens, async (engine, report) => {
    const texts = await textsOf(values, ['prose', 'technical', 'code']);
    const onRow = report.row<{ text: string; scorer: string; recall: number; kept: number }>((row) => [
      row.text,
      row.scorer,
      row.recall.toFixed(4),
      row.kept.toFixed(4),
    ]);
    const rows = await measureRecall(engine.model, {
      native: loadNative(),
      texts,
      tokens,
      ratio: values.ratio ?? 0.2,
      signal,
      onProgress: report.progress,
      onRow,
    });
    return { rows, figures: recallFigures(rows) };
  });
}

function needle(values: OptionValues, { signal }: Interrupt): Promise<number> {
  refuse('needle', values, ['flavour', 'ratio']);
  const configurations = configurationsOf(values, [shipped('shadow')]);
  const tokens = oneLength(values) ?? 1535;
  return run(values, signal, tokens + ANSWER_ROOM, async (engine, report) => {
    const texts = await textsOf(values, ['prose', 'technical']);
    const onRow = report.row<{ text: string; config: string; depth: number; right: boolean; answer: string }>((row) => [
      row.text,
      row.config,
      row.depth.toFixed(2),
      row.right ? 'right' : 'wrong',
      JSON.stringify(row.answer),
    ]);
    const rows = await measureNeedle(engine.model, {
      texts,
      configurations,
      tokens,
      depths: values.depths ?? 10,
      signal,
      onProgress: report.progress,
      onRow,
    });
    return { rows, figures: needleFigures(rows) };
  });
}

/** Tokens of the context beyond a needle's prompt. */
const ANSWER_ROOM = 16;

function linear(values: OptionValues, { signal }: Interrupt): Promise<number> {
  refuse('linear', values, ['flavour', 'weights', 'ratio', 'mode', 'config', 'depths']);
  const tokens = oneLength(values) ?? 1024;
  return run({ ...values, weights: 'fast' }, signal, tokens, async (engine, report) => {
    const texts = await textsOf(values, HELD_OUT);
    const onRow = report.row<{ text: string; kl: number; top1: number }>((row) => [
      row.text,
      `KL ${row.kl.toFixed(4)}`,
      `top-1 ${row.top1.toFixed(4)}`,
    ]);
    const exact = await loadExact(engine, values.model, signal);
    try {
      const hooks = { signal, onProgress: report.progress, onRow };
      const rows = await measureDivergence(exact, engine.model, { texts, tokens, ...hooks });
      return { rows, figures: { ...divergenceFigures(rows), ...(await linearSpeed(exact, engine.model, signal)) } };
    } finally {
      await exact.close();
    }
  });
}

function flavours(values: OptionValues, { signal }: Interrupt): Promise<number> {
  refuse('flavours', values, ['weights', 'ratio', 'mode', 'config', 'depths']);
  const tokens = oneLength(values) ?? 512;
  return run({ ...values, weights: 'fast' }, signal, tokens, async (engine, report) => {
    const texts = await textsOf(values, HELD_OUT);
    return evaluateFlavours(engine, values, report, { texts, tokens, signal });
  });
}

async function run(
  values: OptionValues,
  signal: AbortSignal,
  context: number,
  measure: (engine: Engine, report: Report) => Promise<{ rows: object[]; figures: Record<string, number> }>,
): Promise<number> {
  return withEngine(async (engine) => {
    await loadModel(engine, { ...values, ctx: context }, signal);
    const report = new Report(values.json === true);
    try {
      const result = await measure(engine, report);
      report.clear();
      if (values.json) printJson(result);
      else for (const [name, value] of Object.entries(result.figures)) print(`${name}\t${value.toFixed(4)}\n`);
      return EXIT.ok;
    } finally {
      report.clear();
    }
  });
}

/** The file's text, or the held-out ones. */
async function textsOf(values: OptionValues, names: Parameters<typeof heldOutTexts>[0]): Promise<EvalText[]> {
  if (values.text === undefined) return heldOutTexts(names);
  return [{ name: basename(values.text), text: readText(values.text) }];
}

/** What --mode and --config ask for; without both `otherwise`. `full` is measured anyway. */
function configurationsOf(values: OptionValues, otherwise: readonly Configuration[]): readonly Configuration[] {
  const modes = new Set(values.mode ?? []);
  const asked = [...[...modes].map(shipped), ...(values.config ?? []).map(parseConfiguration)];
  return asked.length === 0 ? otherwise : asked.filter(({ name }) => name !== FULL.name);
}

/** The one value of --tokens. */
function oneLength({ tokens }: OptionValues): number | undefined {
  if (tokens === undefined || tokens.length === 1) return tokens?.[0];
  throw usage(`"eval" takes one length, not ${tokens.length}.`, 'Give --tokens one whole number.');
}

function refuse(command: string, values: OptionValues, names: readonly (keyof OptionValues)[]): void {
  const given = names.find((name) => values[name] !== undefined);
  if (given !== undefined) throw usage(`--${given} means nothing to "eval ${command}".`, 'Leave it out.');
}
