/**
 * The quick calibration of an import: runs the exact graphs densely over a text and measures what enters each projection
 * (for SmoothQuant) and the statistics of attention that need no second run. Single thread.
 */
import { createHash } from 'node:crypto';
import type { NativeAddon, Session } from '../../../native/js/index.ts';
import { BlockIo } from '../attention/block-io.ts';
import type { Job } from '../attention/job-board.ts';
import { at } from '../attention/layer-views.ts';
import { DENSE } from '../attention/rules.ts';
import { TaskRunner } from '../attention/task-runner.ts';
import { openGraph } from '../device/open-graph.ts';
import type { Bundle } from '../model/bundle.ts';
import type { CalibrationStats } from '../model/manifest.ts';
import { Breath } from '../session/breath.ts';
import { Forward, type JobRunner } from '../session/forward.ts';
import { ropeTables } from '../session/rope-table.ts';
import { denseModel, type SharedModel } from '../session/shared-model.ts';
import { AttentionObserver, combine, type Origin } from './attention-statistics.ts';

const CHUNK_SIZE = 128;
/** Tokens whose activations are left out: the first carries a massive activation that would drown all others. */
const SKIPPED_TOKENS = 4;
/** Of how many rows one has its lost mass measured: few enough that an import does not wait for it. */
const MASS_EVERY_NTH = 16;

export interface CalibrationRun {
  native: NativeAddon;
  /** The exact bundle; only its embedding, config and names are used. */
  bundle: Bundle;
  /** Block graphs with the extra outputs stat_qkv, stat_out, stat_gate_up [1, channels]. */
  statsBlocks: readonly string[];
  /** Token ids of the calibration text, more than SKIPPED_TOKENS. */
  ids: readonly number[];
  text: string;
  onProgress?: (done: number, total: number) => void;
  signal?: AbortSignal;
}

export async function calibrate(run: CalibrationRun): Promise<CalibrationStats> {
  const { native, bundle, ids } = run;
  const { config } = bundle.manifest;
  const capacity = ids.length;
  const sessions: Session[] = [];
  try {
    for (const path of run.statsBlocks) sessions.push(openGraph(native, bundle, path));
    const model = denseModel(config, capacity, CHUNK_SIZE);
    const observer = new Observer(native, model, sessions);
    // No token is sampled, so the output matrix is never run: any session stands in for it.
    const forward = new Forward({
      native,
      model,
      bundle,
      head: at(sessions, 0),
      jobs: observer,
      rope: ropeTables(config, capacity),
    });
    const breath = new Breath(run.signal);
    for (let nPast = 0; nPast < ids.length; ) {
      const end = nPast === 0 ? SKIPPED_TOKENS : Math.min(nPast + CHUNK_SIZE, ids.length);
      observer.observing = nPast > 0;
      await forward.pass(ids.slice(nPast, end), nPast, DENSE, breath);
      nPast = end;
      run.onProgress?.(nPast, ids.length);
    }
    return observer.stats({
      sourceSha256: bundle.manifest.source.sha256,
      textSha256: createHash('sha256').update(run.text).digest('hex'),
    });
  } finally {
    for (const session of sessions) session.close();
  }
}

/** Which projection's input each extra output describes. */
const CHANNELS = { stat_qkv: 'qkv', stat_out: 'out', stat_gate_up: 'gateUp' } as const;

type ChannelMaxima = CalibrationStats['layers'][number];

/** Does the jobs of a pass on this thread and notes what it sees. */
class Observer implements JobRunner {
  readonly threads = 1;
  observing = false;
  private readonly sessions: Session[];
  private readonly blockIo: BlockIo;
  private readonly attention: TaskRunner;
  private readonly heads: AttentionObserver;
  private readonly layers: ChannelMaxima[];

  constructor(native: NativeAddon, model: SharedModel, sessions: Session[]) {
    const { nLayer, nEmbd, nHead, headDim } = model.shape;
    this.sessions = sessions;
    this.blockIo = new BlockIo(model);
    this.attention = new TaskRunner(native, model);
    this.heads = new AttentionObserver(native, model, MASS_EVERY_NTH);
    this.layers = Array.from({ length: nLayer }, () => ({
      qkv: new Float32Array(nEmbd),
      out: new Float32Array(nHead * headDim),
      gateUp: new Float32Array(nEmbd),
    }));
  }

  run(job: Job): void {
    if (job.kind === 'linear') {
      this.linear(job.block, job.rows);
      return;
    }
    for (let task = 0; task < job.tasks; task++) this.attention.run(job, task);
    if (this.observing) this.heads.observe(job.pass.layer, job.pass.rows, job.pass.nPast);
  }

  stats(origin: Origin): CalibrationStats {
    const attention = combine([this.heads.take()], origin);
    const { textSha256, tokens, meanLambdaQ, meanLambdaK } = attention;
    return { textSha256, tokens, meanLambdaQ, meanLambdaK, layers: this.layers, attention };
  }

  private linear(block: number, rows: number): void {
    const session = at(this.sessions, block);
    const { inputs, outputs } = this.blockIo.tensors(block, 0, rows);
    const extra = session.outputNames.slice(outputs.length).map((name) => {
      const width = sessionWidth(session, name);
      return { name, data: new Float32Array(width), dims: [1, width] };
    });
    session.run(inputs, [...outputs, ...extra]);
    if (!this.observing) return;
    for (const { name, data } of extra) {
      const channel = CHANNELS[name as keyof typeof CHANNELS];
      // A block holds the projections of two layers: the end of layer block - 1 and the start of layer block.
      const maxima = at(this.layers, channel === 'qkv' ? block : block - 1)[channel];
      for (let c = 0; c < data.length; c++) maxima[c] = Math.max(maxima[c] ?? 0, data[c] ?? 0);
    }
  }
}

function sessionWidth(session: Session, output: string): number {
  const entry = session.describe().find((io) => io.name === output);
  const width = entry?.dims[1];
  if (width === undefined || width < 1) throw new RangeError(`graph output ${output} has no fixed width`);
  return width;
}
