/** `bench attention`, `bench prefill`, `bench decode`, `bench pipeline`: speed, every contestant in turn within one run. */
import { loadNative } from '../../native/js/load.ts';
import { benchAttention, isBenchLength } from '../bench/attention/bench-attention.ts';
import { attentionFigures } from '../bench/attention/figures.ts';
import { benchDecode, decodeFigures } from '../bench/decode.ts';
import type { Llama } from '../bench/llama.ts';
import { ANY_BATCH_SIZE, BATCH_SIZES, type LlamaRequest, withLlamas } from '../bench/llama-contestants.ts';
import { describeMachine } from '../bench/machine.ts';
import { benchPrefill, prefillFigures } from '../bench/prefill.ts';
import { type Report, reportText, writePlots } from '../bench/report.ts';
import { sampleIds } from '../bench/sample-text.ts';
import type { Engine } from '../engine/engine.ts';
import { FULL, parseConfiguration, shipped } from '../engine/eval/configurations.ts';
import { benchPipeline } from './bench-pipeline.ts';
import {
  attentionPlots,
  attentionTable,
  decodePlots,
  decodeTable,
  prefillPlots,
  prefillTable,
} from './bench-tables.ts';
import { EXIT } from './exit.ts';
import type { Interrupt } from './interrupt.ts';
import type { OptionName, OptionValues } from './options.ts';
import { note, print, printJson } from './output.ts';
import { usage } from './parse.ts';
import { loadModel, withEngine } from './session.ts';

const DEFAULT_NS = [1024, 2048, 4096, 8192];
const DEFAULT_PROMPTS = [1024, 2048, 4096, 8000];
const DEFAULT_CONTEXTS = [128, 1024, 4096];
/** Tokens beyond the longest prompt: what a decode run and llama.cpp's own rounding need. */
const ROOM = 64;

/** Prints a table and figures, or with --json one object {command, machine, rows, figures}. Returns the exit code. */
export function bench(args: readonly string[], values: OptionValues, interrupt: Interrupt): Promise<number> {
  switch (args[0]) {
    case 'attention':
      return attention(values, interrupt);
    case 'prefill':
      return prefill(values, interrupt);
    case 'decode':
      return decode(values, interrupt);
    case 'pipeline':
      refuse('pipeline', values, ['tokens', 'rounds', 'mode', 'config', 'llama', 'plots', 'threads']);
      return benchPipeline(values, interrupt);
    default:
      throw usage(
        `"bench ${args[0]}" is not a command.`,
        'Use: bench attention, bench prefill, bench decode, bench pipeline.',
      );
  }
}

function attention(values: OptionValues, { signal }: Interrupt): Promise<number> {
  refuse('attention', values, ['tokens', 'mode', 'llama', 'layers']);
  const ns = values.n ?? DEFAULT_NS;
  const odd = ns.find((n) => !isBenchLength(n));
  if (odd !== undefined) throw usage(`--n ${odd} is not allowed.`, 'Give multiples of 128 from 256.');
  return withModel(values, { signal, ctx: Math.max(...ns), threads: values.threads ?? 1 }, async (engine, threads) => {
    const rows = await benchAttention({
      native: loadNative(),
      model: engine.model,
      ns,
      threads,
      rounds: values.rounds ?? 9,
      configurations: (values.config ?? []).map(parseConfiguration),
      note,
      signal,
    });
    return { rows, figures: attentionFigures(rows), table: attentionTable(rows), plots: attentionPlots(rows) };
  });
}

function prefill(values: OptionValues, { signal }: Interrupt): Promise<number> {
  refuse('prefill', values, ['n', 'layers']);
  const tokens = values.tokens ?? DEFAULT_PROMPTS;
  const configurations = [...new Set(values.mode ?? (['full', 'shadow'] as const))].map((mode) =>
    mode === 'full' ? FULL : shipped(mode),
  );
  configurations.push(...(values.config ?? []).map(parseConfiguration));
  return withModel(values, { signal, ctx: Math.max(...tokens), threads: values.threads ?? 2 }, (engine, threads) =>
    against(engine, values, { contexts: tokens, threads, signal, batchSizes: BATCH_SIZES }, async (llamas) => {
      const rounds = values.rounds ?? 3;
      const rows = await benchPrefill({ engine, configurations, llamas, tokens, rounds, note, signal });
      return { rows, figures: prefillFigures(rows), table: prefillTable(rows), plots: prefillPlots(rows) };
    }),
  );
}

function decode(values: OptionValues, { signal }: Interrupt): Promise<number> {
  refuse('decode', values, ['n', 'mode', 'config', 'layers']);
  const contexts = values.tokens ?? DEFAULT_CONTEXTS;
  const ctx = Math.max(...contexts) + ROOM;
  return withModel(values, { signal, ctx, threads: values.threads ?? 2 }, (engine, threads) =>
    against(engine, values, { contexts, threads, signal, batchSizes: ANY_BATCH_SIZE }, async (llamas) => {
      const rounds = values.rounds ?? 5;
      const rows = await benchDecode({ model: engine.model, llamas, contexts, rounds, note, signal });
      return { rows, figures: decodeFigures(rows), table: decodeTable(rows), plots: decodePlots(rows) };
    }),
  );
}

interface Result {
  rows: readonly object[];
  figures: Record<string, number>;
  table: readonly Record<string, string>[];
  plots: Parameters<typeof writePlots>[1];
}

/** Loads the model, runs the bench, prints. */
async function withModel(
  values: OptionValues,
  { signal, ctx, threads }: { signal: AbortSignal; ctx: number; threads: number },
  run: (engine: Engine, threads: number) => Promise<Result>,
): Promise<number> {
  return withEngine(async (engine) => {
    await loadModel(engine, { ...values, ctx, threads }, signal);
    const native = loadNative();
    const machine = describeMachine(native);
    const { rows, figures, table, plots } = await run(engine, threads);
    const report: Report = { command: `shadownpu ${process.argv.slice(2).join(' ')}`, machine, rows, figures };
    if (values.plots !== undefined) for (const file of writePlots(values.plots, plots)) note(`Drawn: ${file}`);
    if (values.json) printJson(report);
    else print(reportText(report, table));
    return EXIT.ok;
  });
}

/** Runs `work` with llama.cpp's contestants where --llama asks for them, else with none. */
async function against<T>(
  engine: Engine,
  { llama }: OptionValues,
  { contexts, ...request }: { contexts: readonly number[] } & Pick<LlamaRequest, 'threads' | 'batchSizes' | 'signal'>,
  work: (llamas: ReadonlyMap<string, Llama>) => Promise<T>,
): Promise<T> {
  if (!llama) return work(new Map());
  const longest = Math.max(...contexts);
  const ids = await sampleIds(engine.model.tokenizer, longest);
  const { manifest } = engine.model.bundle;
  const file = (await engine.models()).find(({ id }) => id === manifest.id)?.sourcePath ?? manifest.source.fileName;
  return withLlamas({ ...request, file, ids, contextSize: longest + ROOM, note }, work);
}

function refuse(command: string, values: OptionValues, names: readonly OptionName[]): void {
  const given = names.find((name) => values[name] !== undefined);
  if (given !== undefined) throw usage(`--${given} means nothing to "bench ${command}".`, 'Leave it out.');
}
