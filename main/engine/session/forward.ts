/**
 * One pass of tokens through the model: embedding, then per layer projections (block graph), rotary embedding, attention,
 * and at the end the output matrix. Writes K and V of the new positions into the cache's memory; who calls it decides
 * whether they count (KvCache.append) or not. Runs on the engine thread.
 */
import { AppError } from '../../../contract/errors.ts';
import { phrase } from '../../../contract/phrase.ts';
import type { NativeAddon, Session } from '../../../native/js/index.ts';
import { BlockIo } from '../attention/block-io.ts';
import type { Job } from '../attention/job-board.ts';
import { at } from '../attention/layer-views.ts';
import type { AttentionPass } from '../attention/pass.ts';
import { TILE_ROWS } from '../attention/pass.ts';
import type { DevicePipeline } from '../attention/pipeline/device-pipeline.ts';
import { type AttentionRule, DENSE, isDense, isFused } from '../attention/rules.ts';
import type { Bundle } from '../model/bundle.ts';
import { windowOf } from '../model/config.ts';
import { StageRecorder } from '../telemetry/stage-recorder.ts';
import { ENGINE_LANE, LINEAR_LANE, stageClock, TraceLog } from '../telemetry/trace-log.ts';
import type { Breath } from './breath.ts';
import type { BlockTensors } from './device-host.ts';
import type { DeviceParts, LinearPart } from './device-parts.ts';
import type { SharedModel } from './shared-model.ts';

/** Does jobs: the worker pool, or the calibration's single thread with its taps. */
export interface JobRunner {
  readonly threads: number;
  run(job: Job): void;
}

/** Fewer rows than this in a slice are not worth a thread: the weights are read once per slice. */
const MIN_SLICE_ROWS = 16;
/** Keys below which one position's attention is done by one thread: a wake-up costs more. */
const MIN_SHARED_KEYS = 512;

export class Forward {
  private readonly native: NativeAddon;
  private readonly model: SharedModel;
  private readonly bundle: Bundle;
  private readonly head: Session;
  private readonly jobs: JobRunner;
  private readonly rope: readonly Float32Array[];
  private readonly pilot: DevicePipeline | undefined;
  private readonly x: [Float32Array, Float32Array];
  private readonly qkv: Float32Array;
  private readonly q: Float32Array;
  private readonly kv: { k: Float32Array; v: Float32Array }[];
  private readonly recorder: StageRecorder;
  private readonly log: TraceLog;
  private readonly blockIo: BlockIo;
  /** Linear parts that run on devices; absent: none. */
  devices: DeviceParts | undefined;

  constructor(parts: {
    native: NativeAddon;
    model: SharedModel;
    bundle: Bundle;
    head: Session;
    jobs: JobRunner;
    /** ropeTables */
    rope: readonly Float32Array[];
    /** Absent where no request can ask for a pilot device. */
    pilot?: DevicePipeline;
  }) {
    const { model } = parts;
    this.native = parts.native;
    this.model = model;
    this.bundle = parts.bundle;
    this.head = parts.head;
    this.jobs = parts.jobs;
    this.rope = parts.rope;
    this.pilot = parts.pilot;
    this.recorder = new StageRecorder(model, ENGINE_LANE);
    this.log = new TraceLog(model.trace);
    this.blockIo = new BlockIo(model);
    this.x = [new Float32Array(model.activations.x[0]), new Float32Array(model.activations.x[1])];
    this.qkv = new Float32Array(model.activations.qkv);
    this.q = new Float32Array(model.activations.q);
    this.kv = model.kv.k.map((k, layer) => ({ k: new Float32Array(k), v: new Float32Array(at(model.kv.v, layer)) }));
  }

  get chunkSize(): number {
    return this.model.chunkSize;
  }

  /**
   * Runs `ids` (1 to chunkSize tokens) at positions nPast .. through all layers.
   * Throws AppError 'cancelled', 'numeric-fault' that names the layer, or 'model-invalid' where the model lacks what the
   * mode needs. `attended` is called once a layer's attention is done: its outputs are then in `att`, and the residual
   * that they will be added to in x[layer % 2] (shared-model.ts).
   */
  async pass(
    ids: readonly number[],
    nPast: number,
    rule: AttentionRule,
    breath: Breath,
    attended?: (layer: number) => void,
  ): Promise<void> {
    if (rule.mode === 'npu-full' && this.model.staticRanges.length !== this.model.shape.nLayer) throw noRanges();
    await this.through('linear', ids, nPast, rule, breath, attended);
  }

  /** Runs a generated token at position nPast through all layers; it attends densely. Throws AppError as `pass`. */
  async step(id: number, nPast: number, breath: Breath): Promise<void> {
    const start = stageClock();
    await this.through('decode', [id], nPast, DENSE, breath);
    this.log.add(ENGINE_LANE, 'decode', { position: nPast, rows: 1 }, start, stageClock());
  }

  /**
   * The rest of a pass from the attention outputs of `layer` on, which the caller has put into `att`, with the residual in
   * x[layer % 2]. K and V of the layers after it are computed anew. Throws AppError as `pass`.
   */
  async resume({ layer, rows, nPast, rule }: AttentionPass, breath: Breath): Promise<void> {
    await this.linear('linear', layer + 1, rows, nPast, breath);
    await this.layers('linear', { layer: layer + 1, rows, nPast, rule }, breath);
  }

  /** Rows [0, rows) of a block on the processor, between what `blockTensors` names. */
  runBlock(block: number, rows: number): void {
    const tasks = Math.max(1, Math.min(this.jobs.threads, Math.floor(rows / MIN_SLICE_ROWS)));
    this.jobs.run({ kind: 'linear', block, rows, tasks });
  }

  /** Where rows [0, rows) of a block lie in the model's memory. */
  blockTensors(block: number, rows: number): BlockTensors {
    return this.blockIo.tensors(block, 0, rows);
  }

  /** Sets what blocks read to zero. */
  clear(): void {
    const { x, att } = this.model.activations;
    for (const buffer of [...x, att]) new Float32Array(buffer).fill(0);
  }

  /** Logits [count, nVocab] of rows first .. first + count - 1 of the last pass. Throws AppError 'numeric-fault'. */
  logits(first: number, count: number): Float32Array {
    const { nEmbd, nLayer } = this.model.shape;
    const vocab = this.bundle.manifest.config.nVocab;
    const hidden = at(this.x, nLayer % 2).subarray(first * nEmbd, (first + count) * nEmbd);
    const logits = new Float32Array(count * vocab);
    const inputs = [{ data: hidden, dims: [count, nEmbd] }];
    const outputs = [{ data: logits, dims: [count, vocab] }];
    const place = { layer: nLayer, rows: count };
    this.recorder.task(() => this.recorder.time('linear', place, () => this.head.run(inputs, outputs)));
    if (!Number.isFinite(this.native.maxAbs(logits))) throw numericFault('the output matrix');
    return logits;
  }

  private async through(
    part: LinearPart,
    ids: readonly number[],
    nPast: number,
    rule: AttentionRule,
    breath: Breath,
    attended?: (layer: number) => void,
  ): Promise<void> {
    const rows = ids.length;
    this.pilot?.forget(nPast);
    this.bundle.readEmbeddingRows(ids, this.x[0]);
    await this.linear(part, 0, rows, nPast, breath);
    await this.layers(part, { layer: 0, rows, nPast, rule }, breath, attended);
  }

  /** Layers from `from.layer` on, whose projections are in qkv, to the end. */
  private async layers(
    part: LinearPart,
    from: AttentionPass,
    breath: Breath,
    attended?: (layer: number) => void,
  ): Promise<void> {
    const { rows, nPast } = from;
    for (let layer = from.layer; layer < this.model.shape.nLayer; layer++) {
      this.rotate(layer, rows, nPast);
      this.attend({ ...from, layer });
      attended?.(layer);
      await breath.take();
      await this.linear(part, layer + 1, rows, nPast, breath);
    }
  }

  private async linear(part: LinearPart, block: number, rows: number, nPast: number, breath: Breath): Promise<void> {
    const { devices } = this;
    const start = stageClock();
    const left = devices
      ? await devices.run(part, block, this.blockTensors(block, rows), { rows, nPast }, breath)
      : rows;
    if (left < rows && part === 'linear') this.noteDevice(block, nPast + left, rows - left, start);
    if (left > 0) this.runBlock(block, left);
    if (block === 0) return;
    const residual = at(this.x, block % 2).subarray(0, rows * this.model.shape.nEmbd);
    if (!Number.isFinite(this.native.maxAbs(residual)))
      throw numericFault(`layer ${block} of ${this.model.shape.nLayer}`);
  }

  /** A block has run on a device since `start`. */
  private noteDevice(layer: number, position: number, rows: number, start: number): void {
    const end = stageClock();
    this.log.add(LINEAR_LANE, 'linear', { layer, position, rows }, start, end);
    this.log.addBusy(LINEAR_LANE, end - start, true);
  }

  private rotate(layer: number, rows: number, nPast: number): void {
    const { nHead, nHeadKv, headDim } = this.model.shape;
    const { k, v } = at(this.kv, layer);
    const shape = {
      rows,
      nPast,
      nHead,
      nHeadKv,
      headDim,
      capacity: this.model.capacity,
      interleaved: this.bundle.manifest.config.ropeInterleaved,
    };
    const qkv = this.qkv.subarray(0, rows * (nHead + 2 * nHeadKv) * headDim);
    const q = this.q.subarray(0, rows * nHead * headDim);
    this.recorder.task(() => {
      this.native.splitRope(qkv, q, k, v, at(this.rope, layer), shape);
      // Part of the block before it, not a launch of its own.
      this.recorder.add('linear', { layer, position: nPast, rows }, stageClock(), 0);
    });
  }

  /** Keys up to which dense attention is at least as fast. The paper's form and device pilots are shown as they are. */
  private crossoverOf(rule: AttentionRule): number {
    return isFused(rule) ? this.model.crossover : 0;
  }

  private attend(pass: AttentionPass): void {
    const { nHead, nHeadKv } = this.model.shape;
    const keys = pass.nPast + pass.rows;
    // With so few keys that every row keeps all of them the pilot has nothing to find.
    // Within a window there are few keys as it is.
    const windowed = windowOf(this.model.shape, pass.layer) > 0;
    const dense = windowed || isDense(pass.rule) || keys <= Math.max(pass.rule.minKeys, this.crossoverOf(pass.rule));
    if (pass.rows === 1 && dense) {
      this.jobs.run({ kind: 'decode', pass, tasks: keys >= MIN_SHARED_KEYS ? nHeadKv : 1 });
      return;
    }
    if (!dense && pass.rule.mode === 'shadow' && pass.rule.pilot !== 'native') {
      if (this.pilot?.attend(pass)) return;
      this.attend({ ...pass, rule: { ...pass.rule, pilot: 'native' } });
      return;
    }
    if (!dense) this.jobs.run({ kind: 'prepare', pass, tasks: nHeadKv });
    const tasks = nHead * Math.ceil(pass.rows / TILE_ROWS);
    this.jobs.run({ kind: 'attend', pass: dense ? { ...pass, rule: DENSE } : pass, tasks });
  }
}

function noRanges(): AppError {
  return new AppError(
    'model-invalid',
    'This model was imported without the INT8 ranges that npu-full attention needs.',
    {
      action: 'Calibrate the model, or remove it and import it again; or choose another attention.',
    },
  );
}

function numericFault(where: string): AppError {
  return new AppError('numeric-fault', phrase`The model produced values that are not numbers in ${where}.`, {
    action: 'Try the exact weights, or import the model again; the file may be damaged.',
  });
}
