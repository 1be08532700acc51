/**
 * What the flavours of device graphs lose: each runs a text with full attention on the processor, by the very graphs that a
 * device would get, and its predictions are compared with those of the exact and the fast weights.
 */
import type { NativeAddon, Session } from '../../../native/js/index.ts';
import { BlockIo } from '../attention/block-io.ts';
import type { Job } from '../attention/job-board.ts';
import { at } from '../attention/layer-views.ts';
import { DENSE } from '../attention/rules.ts';
import { TaskRunner } from '../attention/task-runner.ts';
import type { DeviceGraphs } from '../device/device-graphs.ts';
import { openGraph } from '../device/open-graph.ts';
import { Breath } from '../session/breath.ts';
import { Forward, type JobRunner } from '../session/forward.ts';
import type { LoadedModel } from '../session/loaded-model.ts';
import { ropeTables } from '../session/rope-table.ts';
import { denseModel, type SharedModel } from '../session/shared-model.ts';
import { divergence, likeliest } from './divergence.ts';
import { logitRows, logSumExp } from './logit-rows.ts';
import { type EvalText, firstTokens } from './texts.ts';

export interface FlavourRow {
  text: string;
  /** A flavour, or `fast` for the bundle's own graphs. */
  flavour: string;
  tokens: number;
  perplexity: number;
  /** Perplexity over that of the exact and of the fast weights. */
  ratio: number;
  ratioFast: number;
  /** Mean Kullback-Leibler divergence of the next token's probabilities from theirs, in nats. */
  kl: number;
  klFast: number;
  /** Share of the tokens after which the exact weights find the same next token likeliest. */
  top1: number;
}

export interface FlavourRun {
  native: NativeAddon;
  texts: readonly EvalText[];
  /** Tokens of each text, 2 to the context of both models. Logits of two runs are kept: 2 * tokens * nVocab floats. */
  tokens: number;
  /** Made from the fast model's bundle. */
  graphs: readonly DeviceGraphs[];
  onProgress?: (label: string, done: number, total: number) => void;
  onRow?: (row: FlavourRow) => void;
  signal?: AbortSignal;
}

/** Rows by text, `fast` first. Throws AppError as firstTokens and Forward.pass do. */
export async function measureFlavours(exact: LoadedModel, fast: LoadedModel, run: FlavourRun): Promise<FlavourRow[]> {
  const texts = run.texts.map((text) => ({ name: text.name, ids: firstTokens(fast, text, run.tokens) }));
  const breath = new Breath(run.signal);
  const rows: FlavourRow[] = [];
  const total = texts.length * (run.graphs.length + 1);
  for (const { name, ids } of texts) {
    const wanted = await copies(logitRows(exact, ids, DENSE, breath));
    const bundles = await copies(logitRows(fast, ids, DENSE, breath));
    const add = async (flavour: string, logits: AsyncIterable<Float32Array>) => {
      const row = { text: name, flavour, tokens: ids.length, ...(await compare(ids, logits, wanted, bundles)) };
      rows.push(row);
      run.onRow?.(row);
      run.onProgress?.(`${name}, ${flavour}`, rows.length, total);
    };
    await add('fast', each(bundles));
    for (const graphs of run.graphs) await add(graphs.flavour, flavourLogits(run.native, fast, graphs, ids, breath));
  }
  return rows;
}

/** `FLAVOUR_vs_exact`, `FLAVOUR_kl`: means over the texts. */
export function flavourFigures(rows: readonly FlavourRow[]): Record<string, number> {
  const figures: Record<string, number> = {};
  for (const flavour of new Set(rows.map((row) => row.flavour))) {
    const own = rows.filter((row) => row.flavour === flavour);
    const mean = (of: (row: FlavourRow) => number) => own.reduce((sum, row) => sum + of(row), 0) / own.length;
    figures[`${flavour}_vs_exact`] = mean(({ ratio }) => ratio);
    figures[`${flavour}_kl`] = mean(({ kl }) => kl);
  }
  return figures;
}

async function compare(
  ids: readonly number[],
  logits: AsyncIterable<Float32Array>,
  exact: readonly Float32Array[],
  fast: readonly Float32Array[],
): Promise<Omit<FlavourRow, 'text' | 'flavour' | 'tokens'>> {
  const nll = { own: 0, exact: 0, fast: 0 };
  const sums = { kl: 0, klFast: 0, same: 0 };
  let position = 0;
  for await (const own of logits) {
    const wanted = at(exact, position);
    const bundles = at(fast, position);
    sums.kl += divergence(wanted, own);
    sums.klFast += divergence(bundles, own);
    if (likeliest(wanted) === likeliest(own)) sums.same++;
    position++;
    // Nothing follows the last token.
    const next = ids[position];
    if (next === undefined) break;
    const loss = (values: Float32Array) => logSumExp(values) - (values[next] ?? Number.NaN);
    nll.own += loss(own);
    nll.exact += loss(wanted);
    nll.fast += loss(bundles);
  }
  const last = ids.length - 1;
  return {
    perplexity: Math.exp(nll.own / last),
    ratio: Math.exp((nll.own - nll.exact) / last),
    ratioFast: Math.exp((nll.own - nll.fast) / last),
    kl: sums.kl / position,
    klFast: sums.klFast / position,
    top1: sums.same / position,
  };
}

/** Logits after each of `ids`, computed by a flavour's prefill graphs and the bundle's head. */
async function* flavourLogits(
  native: NativeAddon,
  fast: LoadedModel,
  graphs: DeviceGraphs,
  ids: readonly number[],
  breath: Breath,
): AsyncGenerator<Float32Array, void> {
  const { bundle } = fast;
  const { config } = bundle.manifest;
  const sessions: Session[] = [];
  const open = (paths: readonly string[], openOne: (path: string) => Session) =>
    paths.map((path) => {
      const session = openOne(path);
      sessions.push(session);
      return session;
    });
  const own = (path: string) => openGraph(native, bundle, path);
  const flavour = (path: string) => native.openSession(path, { threads: 1, config: { ...graphs.sessionConfig } });
  try {
    const model = denseModel(config, ids.length, graphs.chunk);
    const jobs = new StaticBlocks(native, model, {
      own: open(bundle.blockPaths, own),
      flavour: open(
        graphs.blocks.map(({ prefill }) => prefill),
        flavour,
      ),
    });
    const head = at(open([bundle.headPath], own), 0);
    const forward = new Forward({ native, model, bundle, head, jobs, rope: ropeTables(config, ids.length) });
    for (let nPast = 0; nPast < ids.length; ) {
      jobs.onFlavour = nPast > 0;
      const end = nPast === 0 ? graphs.cpuTokens : Math.min(nPast + graphs.chunk, ids.length);
      await forward.pass(ids.slice(nPast, end), nPast, DENSE, breath);
      for (let row = 0; row < end - nPast; row++) {
        await breath.take();
        yield forward.logits(row, 1);
      }
      nPast = end;
    }
  } finally {
    for (const session of sessions) session.close();
  }
}

/** Does the jobs of a pass on this thread: linear ones by graphs of one static number of rows, short passes padded. */
class StaticBlocks implements JobRunner {
  readonly threads = 1;
  /** Whether the flavour's graphs or the bundle's own run. */
  onFlavour = false;
  private readonly model: SharedModel;
  private readonly sessions: { own: Session[]; flavour: Session[] };
  private readonly blockIo: BlockIo;
  private readonly attention: TaskRunner;

  constructor(native: NativeAddon, model: SharedModel, sessions: { own: Session[]; flavour: Session[] }) {
    this.model = model;
    this.sessions = sessions;
    this.blockIo = new BlockIo(model);
    this.attention = new TaskRunner(native, model);
  }

  run(job: Job): void {
    if (job.kind !== 'linear') {
      for (let task = 0; task < job.tasks; task++) this.attention.run(job, task);
      return;
    }
    // The buffers hold a whole chunk: rows beyond the pass are computed for nothing.
    const rows = this.onFlavour ? this.model.chunkSize : job.rows;
    const { inputs, outputs } = this.blockIo.tensors(job.block, 0, rows);
    at(this.onFlavour ? this.sessions.flavour : this.sessions.own, job.block).run(inputs, outputs);
  }
}

async function copies(logits: AsyncIterable<Float32Array>): Promise<Float32Array[]> {
  const all: Float32Array[] = [];
  for await (const row of logits) all.push(row.slice());
  return all;
}

async function* each<T>(values: readonly T[]): AsyncGenerator<T, void> {
  yield* values;
}
