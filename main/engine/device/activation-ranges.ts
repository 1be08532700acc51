/**
 * Ranges of everything that a quantised graph for a device rounds, measured on the bundle's own graphs over the calibration
 * text. Single thread.
 */
import { copyFile, link, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { NativeAddon, Session } from '../../../native/js/index.ts';
import { BlockIo } from '../attention/block-io.ts';
import type { Job } from '../attention/job-board.ts';
import { at } from '../attention/layer-views.ts';
import { DENSE } from '../attention/rules.ts';
import { TaskRunner } from '../attention/task-runner.ts';
import { blockGraph } from '../graph/blocks.ts';
import type { Bundle } from '../model/bundle.ts';
import { Breath } from '../session/breath.ts';
import { Forward, type JobRunner } from '../session/forward.ts';
import { ropeTables } from '../session/rope-table.ts';
import { denseModel, type SharedModel } from '../session/shared-model.ts';
import type { BundleWeights } from './bundle-weights.ts';
import { openGraph } from './open-graph.ts';

const CHUNK_SIZE = 128;
/**
 * Tokens at the beginning of a prompt that the ranges leave out: the first carries a massive activation that would drown all
 * others. Their rows have to be computed by the bundle's own graphs.
 */
export const LEADING_TOKENS = 4;

/** max |x| per channel of what enters and leaves the projections of a layer. */
export interface LayerRanges {
  /** [nEmbd]: the residual before each normalisation. */
  attnNorm: Float32Array;
  ffnNorm: Float32Array;
  /** [nEmbd]: what enters query, key and value. */
  qkv: Float32Array;
  /** [nHead * headDim] */
  query: Float32Array;
  /** [nHeadKv * headDim] each */
  key: Float32Array;
  value: Float32Array;
  /** [nHead * headDim]: attention's outputs. */
  attention: Float32Array;
  /** [nEmbd]: what the output projection gives. */
  out: Float32Array;
  /** [nEmbd]: what enters gate and up. */
  gateUp: Float32Array;
  /** [nFf] each */
  gate: Float32Array;
  up: Float32Array;
  /** [nFf]: silu(gate) * up. */
  act: Float32Array;
  /** [nEmbd]: what the down projection gives. */
  down: Float32Array;
}

export interface RangeRun {
  native: NativeAddon;
  bundle: Bundle;
  weights: BundleWeights;
  /** Token ids of the calibration text, more than LEADING_TOKENS. */
  ids: readonly number[];
  /** A folder for graphs that exist only during the run; made and removed. */
  scratch: string;
  onProgress?: (done: number, total: number) => void;
  signal?: AbortSignal;
}

/** Runs the text densely through the bundle's graphs. Throws AppError 'cancelled' or 'model-invalid'. */
export async function measureRanges(run: RangeRun): Promise<LayerRanges[]> {
  const { native, bundle, ids } = run;
  const { config } = bundle.manifest;
  const sessions: Session[] = [];
  try {
    for (const path of await writeProbes(run)) sessions.push(openGraph(native, bundle, path));
    const model = denseModel(config, ids.length, CHUNK_SIZE);
    const observer = new Observer(native, model, sessions);
    // No token is sampled, so the output matrix is never run: any session stands in for it.
    const head = at(sessions, 0);
    const rope = ropeTables(config, ids.length);
    const forward = new Forward({ native, model, bundle, head, jobs: observer, rope });
    const breath = new Breath(run.signal);
    for (let nPast = 0; nPast < ids.length; ) {
      const end = nPast === 0 ? LEADING_TOKENS : Math.min(nPast + CHUNK_SIZE, ids.length);
      observer.observing = nPast > 0;
      await forward.pass(ids.slice(nPast, end), nPast, DENSE, breath);
      nPast = end;
      run.onProgress?.(nPast, ids.length);
    }
    return observer.ranges();
  } finally {
    for (const session of sessions) session.close();
    await removeScratch(run.scratch);
  }
}

/** Windows keeps a linked file for as long as anybody has the other name of it mapped; the next run removes it then. */
export async function removeScratch(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
}

/** Writes the block graphs that also give maxima, beside a link to the bundle's weights. */
async function writeProbes({ bundle, weights, scratch }: RangeRun): Promise<string[]> {
  const { config, files, graphs } = bundle.manifest;
  await mkdir(scratch, { recursive: true });
  for (const { name } of files) {
    if (name.endsWith('.bin')) await linkOrCopy(join(bundle.dir, name), join(scratch, name));
  }
  const layers = [];
  for (let i = 0; i < config.nLayer; i++) layers.push(await weights.stored(i));
  const paths = graphs.blocks.map((name) => join(scratch, name));
  for (const [i, path] of paths.entries()) {
    await writeFile(path, blockGraph(config, layers[i - 1] ?? null, layers[i] ?? null, { stats: 'all' }));
  }
  return paths;
}

/** ORT reads external weights only from the graph's own folder. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch {
    await copyFile(from, to);
  }
}

/** Does the jobs of a pass on this thread and notes the maxima. */
class Observer implements JobRunner {
  readonly threads = 1;
  observing = false;
  private readonly model: SharedModel;
  private readonly sessions: Session[];
  private readonly blockIo: BlockIo;
  private readonly attention: TaskRunner;
  /** Maxima by extra output of each block. */
  private readonly maxima: Map<string, Float32Array>[];

  constructor(native: NativeAddon, model: SharedModel, sessions: Session[]) {
    this.model = model;
    this.sessions = sessions;
    this.blockIo = new BlockIo(model);
    this.attention = new TaskRunner(native, model);
    this.maxima = sessions.map(
      (session) =>
        new Map(
          session
            .describe()
            .filter(({ name }) => name.startsWith('stat_'))
            .map(({ name, dims }) => [name, new Float32Array(at(dims, 1))]),
        ),
    );
  }

  run(job: Job): void {
    if (job.kind === 'linear') this.linear(job.block, job.rows);
    else for (let task = 0; task < job.tasks; task++) this.attention.run(job, task);
  }

  ranges(): LayerRanges[] {
    const { nLayer, nHead, nHeadKv, headDim } = this.model.shape;
    const kv = nHeadKv * headDim;
    return Array.from({ length: nLayer }, (_, layer) => {
      const after = at(this.maxima, layer);
      const before = at(this.maxima, layer + 1);
      const qkv = joined(after, 'stat_qkv_y');
      const gateUp = joined(before, 'stat_gate_up_y');
      return {
        attnNorm: get(after, 'stat_attn_norm'),
        ffnNorm: get(before, 'stat_ffn_norm'),
        qkv: get(after, 'stat_qkv'),
        query: qkv.subarray(0, nHead * headDim),
        key: qkv.subarray(nHead * headDim, nHead * headDim + kv),
        value: qkv.subarray(nHead * headDim + kv),
        attention: get(before, 'stat_out'),
        out: get(before, 'stat_out_y'),
        gateUp: get(before, 'stat_gate_up'),
        gate: gateUp.subarray(0, gateUp.length / 2),
        up: gateUp.subarray(gateUp.length / 2),
        act: get(before, 'stat_down'),
        down: get(before, 'stat_down_y'),
      };
    });
  }

  private linear(block: number, rows: number): void {
    const { inputs, outputs } = this.blockIo.tensors(block, 0, rows);
    const maxima = at(this.maxima, block);
    const extra = [...maxima].map(([, { length }]) => ({ data: new Float32Array(length), dims: [1, length] }));
    at(this.sessions, block).run(inputs, [...outputs, ...extra]);
    if (!this.observing) return;
    let i = 0;
    for (const most of maxima.values()) {
      const { data } = at(extra, i++);
      for (let c = 0; c < data.length; c++) most[c] = Math.max(most[c] ?? 0, data[c] ?? 0);
    }
  }
}

/** Channels of the outputs `name`0, `name`1 and so on, one after the other. */
function joined(maxima: ReadonlyMap<string, Float32Array>, name: string): Float32Array {
  const all: number[] = [];
  for (let i = 0; maxima.has(`${name}${i}`); i++) all.push(...get(maxima, `${name}${i}`));
  return Float32Array.from(all);
}

function get(maxima: ReadonlyMap<string, Float32Array>, name: string): Float32Array {
  const found = maxima.get(name);
  if (found === undefined) throw new Error(`a probe has no output ${name}`);
  return found;
}
