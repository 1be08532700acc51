/**
 * `shadow` with a pilot device, as the CPU's threads do it: codes for the device, then for each head in the order of the plan
 * selection from the device's scores and float attention over the kept keys. One per thread.
 */
import type { NativeAddon } from '../../../../native/js/index.ts';
import { OUTPUT_STEPS, ZERO_POINT } from '../../graph/pilot.ts';
import { stageClock } from '../../telemetry/trace-log.ts';
import { attendDense } from '../dense.ts';
import type { HeadMemory } from '../head-memory.ts';
import { fillKeepCounts } from '../keep-count.ts';
import { attendKept, grown } from '../kept-keys.ts';
import { type AttentionPass, TILE_ROWS } from '../pass.ts';
import { scoreRange } from '../pilot/backend.ts';
import { KeyCodes } from '../pilot/key-codes.ts';
import { LaunchBoard } from '../pilot/launch-board.ts';
import { keyLength, type PilotBuffers, PilotMemory } from '../pilot/pilot-memory.ts';
import { headScale } from '../pilot/scales.ts';
import { bucketIndex, exactScale } from '../scale-buckets.ts';

/**
 * Greatest cosine between a query and a smoothed key that need not saturate, under each head's own scales. On the golden heads a
 * row's greatest is 0.2 to 0.48.
 */
const MOST_COSINE = 0.4;
const MOST_CODE = 127;

export class DevicePilot {
  private readonly native: NativeAddon;
  private readonly memory: HeadMemory;
  private readonly pilot: PilotMemory;
  private readonly keyCodes: KeyCodes;
  private readonly board: LaunchBoard;
  private readonly counts = new Int32Array(TILE_ROWS);
  private readonly kept = new Int32Array(TILE_ROWS);
  private readonly tails = new Float32Array(TILE_ROWS);
  private readonly scaled: Float32Array;
  private readonly codes: Int8Array;
  private indices = new Int32Array(0);

  constructor(native: NativeAddon, memory: HeadMemory, buffers: PilotBuffers) {
    const { model } = memory;
    this.native = native;
    this.memory = memory;
    this.pilot = new PilotMemory(model, buffers);
    this.keyCodes = new KeyCodes(native, model, this.pilot, buffers);
    this.board = new LaunchBoard(buffers.board);
    this.scaled = new Float32Array(model.chunkSize * model.shape.headDim);
    this.codes = new Int8Array(this.scaled.length);
  }

  /** Codes of a KV head's new keys and of its group's queries, sums of V, and copies for the sparse step. */
  prepare(pass: AttentionPass, kvHead: number): void {
    this.memory.recordCodes(pass, kvHead, () => this.code(pass, kvHead));
  }

  private code(pass: AttentionPass, kvHead: number): void {
    const { native, memory } = this;
    const { model, group } = memory;
    const { headDim } = model.shape;
    const k = memory.kv(pass.layer, kvHead).k.subarray(0, (pass.nPast + pass.rows) * headDim);
    // For the sums of V; the packed keys serve the native pilot should the device fail.
    if (pass.rule.tail) memory.updateKeys(native, pass, kvHead);
    const heads = Array.from({ length: group }, (_, i) => kvHead * group + i);
    if (pass.rule.scale === 'exact') this.codeExactly(pass, kvHead, heads, k);
    else this.codeInBuckets(pass, kvHead, heads, k);

    memory.copyBf16(native, pass.layer, kvHead, pass.nPast + pass.rows);
  }

  /**
   * Output of the head at a place of the plan for a tile of rows, as soon as its scores are there. Throws PilotFault.
   */
  attend(pass: AttentionPass, place: number, tile: number): void {
    this.memory.recorder.wait(() => this.board.awaitScores(place));
    const first = tile * TILE_ROWS;
    const end = Math.min(first + TILE_ROWS, pass.rows);
    const head = this.pilot.order[place] ?? 0;
    const sparseEnd = Math.max(first, Math.min(end, pass.rule.denseFrom));
    if (sparseEnd > first) this.attendSparse(pass, place, head, first, sparseEnd);
    if (end > sparseEnd) attendDense(this.native, this.memory, pass, head, sparseEnd, end);
  }

  /** Rows [first, end) of the pass, at most TILE_ROWS. */
  private attendSparse(pass: AttentionPass, place: number, head: number, first: number, end: number): void {
    const { native, memory, pilot, counts, kept, tails } = this;
    const { model } = memory;
    const kvHead = memory.kvHeadOf(head);
    const rows = end - first;
    const nPast = pass.nPast + first;
    const keys = pass.nPast + end;
    const ld = keyLength(pass.nPast + pass.rows);

    const ratio = memory.ratio(pass, head);
    fillKeepCounts(counts, { ratio, minKeys: pass.rule.minKeys, nPast, rows });
    this.indices = grown(this.indices, rows * keys);
    const { steps, bases } = pilot.rowScalesOf(head);
    const scores = pilot.scoresAt(place, 1, ld).subarray(first * ld);
    native.selectKeys(
      scores,
      steps.subarray(first, end),
      bases.subarray(first, end),
      counts,
      this.indices,
      kept,
      tails,
      { rows, nPast, ld, indexLd: keys, exact: pass.rule.exactSelection, reach: pass.rule.reach },
    );

    const chosen = { indices: this.indices, counts: kept.subarray(0, rows), indexLd: keys };
    const about = { layer: pass.layer, head, heads: 1, position: nPast, rows, bucket: pilot.buckets[head] ?? 0 };
    const all = memory.keptCounts.count(pass.layer, head, nPast, first, chosen);
    memory.recorder.add('topk', { ...about, kept: all }, stageClock());
    const prefix = memory.prefixSums(pass, kvHead, first, end);
    attendKept(
      native,
      model,
      memory.kv(pass.layer, kvHead),
      memory.queries(pass, head, first, end),
      chosen,
      memory.outputs(head, first, end),
      { rows, nPast, outStride: memory.outStride },
      pass.rule.tail ? { logMass: tails, prefix } : undefined,
    );
    memory.recorder.add('sparse', about, stageClock());
  }

  /**
   * Each row of Q under the scale at which its greatest score, by the norms of the row and of the keys, just reaches the
   * graph's range: so heads and rows of all ranges can go through one graph.
   */
  private codeExactly(pass: AttentionPass, kvHead: number, heads: readonly number[], k: Float32Array): void {
    const { headDim } = this.memory.model.shape;
    const { lambda: lambdaK, norm, mean } = this.keyCodes.codeExactly(pass, kvHead, k);
    const range = scoreRange(headDim);
    const byte = (lambdaK * range * this.memory.model.scale) / OUTPUT_STEPS;
    for (const head of heads) {
      const q = this.memory.queries(pass, head, 0, pass.rows);
      const { steps, bases } = this.pilot.rowScalesOf(head);
      for (let r = 0; r < pass.rows; r++) {
        let most = 0;
        let squares = 0;
        let constant = 0;
        for (let i = r * headDim; i < (r + 1) * headDim; i++) {
          const x = q[i] ?? 0;
          most = Math.max(most, Math.abs(x));
          squares += x * x;
          constant += x * (mean[i - r * headDim] ?? 0);
        }
        const lambda = Math.max(most / MOST_CODE, (Math.sqrt(squares) * norm * MOST_COSINE) / range) || 1;
        for (let i = r * headDim; i < (r + 1) * headDim; i++) this.scaled[i] = (q[i] ?? 0) / lambda;
        const step = lambda * byte;
        steps[r] = step;
        bases[r] = constant * this.memory.model.scale - ZERO_POINT * step;
      }
      this.codeQueries(head, this.scaled.subarray(0, pass.rows * headDim), 1);
      this.pilot.buckets[head] = 0;
    }
  }

  /** Q and K per tensor under the scales of a bucket. */
  private codeInBuckets(pass: AttentionPass, kvHead: number, heads: readonly number[], k: Float32Array): void {
    const { native, memory, pilot } = this;
    const { model } = memory;
    const bucketK = headScale(pass.rule, exactScale(native.maxAbs(k)), model.meanLambdaK);
    this.keyCodes.codeUnder(bucketK.lambda, pass, kvHead, k);
    for (const head of heads) {
      const q = memory.queries(pass, head, 0, pass.rows);
      const bucketQ = headScale(pass.rule, exactScale(native.maxAbs(q)), model.meanLambdaQ);
      this.codeQueries(head, q, bucketQ.lambda);
      pilot.buckets[head] = bucketIndex(bucketQ, bucketK);
      const step = (bucketQ.lambda * bucketK.lambda * scoreRange(model.shape.headDim) * model.scale) / OUTPUT_STEPS;
      const { steps, bases } = pilot.rowScalesOf(head);
      steps.fill(step, 0, pass.rows);
      bases.fill(-ZERO_POINT * step, 0, pass.rows);
    }
  }

  private codeQueries(head: number, q: Float32Array, lambda: number): void {
    const { codes } = this;
    this.native.quantize(q, codes, lambda);
    const bytes = this.pilot.queryCodes(head);
    for (let i = 0; i < q.length; i++) bytes[i] = (codes[i] ?? 0) + ZERO_POINT;
  }
}
