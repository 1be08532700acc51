/** `shadow` as in the paper: INT8 scores under a bucket's scales, exact top-k, float attention over the kept keys. */
import type { NativeAddon } from '../../../../native/js/index.ts';
import type { HeadMemory } from '../head-memory.ts';
import { fillKeepCounts } from '../keep-count.ts';
import { attendKept, grown } from '../kept-keys.ts';
import { type AttentionPass, type ModeAttention, TILE_ROWS } from '../pass.ts';
import { headScale, type ScaleChoice } from '../pilot/scales.ts';
import { exactScale } from '../scale-buckets.ts';

export class PilotTopk implements ModeAttention {
  private readonly native: NativeAddon;
  private readonly memory: HeadMemory;
  private readonly counts = new Int32Array(TILE_ROWS);
  private scores = new Int32Array(0);
  private indices = new Int32Array(0);

  constructor(native: NativeAddon, memory: HeadMemory) {
    this.native = native;
    this.memory = memory;
  }

  prepare(pass: AttentionPass, kvHead: number): void {
    this.memory.recordCodes(pass, kvHead, () => this.code(pass, kvHead));
  }

  /** Codes of a KV head's keys and of its group's queries. */
  private code(pass: AttentionPass, kvHead: number): void {
    const { native, memory } = this;
    const { model, group } = memory;
    const { headDim } = model.shape;
    const views = memory.kv(pass.layer, kvHead);
    const state = memory.state(pass.layer, kvHead);
    const keys = pass.nPast + pass.rows;

    const fresh = native.maxAbs(views.k.subarray(state.maxRows * headDim, keys * headDim));
    state.setMax(Math.max(state.maxAbs, fresh), keys);
    const lambdaK = lambdaOf(pass.rule, exactScale(state.maxAbs), model.meanLambdaK);
    const from = lambdaK === state.lambda ? state.quantizedRows : 0;
    native.quantize(
      views.k.subarray(from * headDim, keys * headDim),
      views.k8.subarray(from * headDim, keys * headDim),
      lambdaK,
    );
    state.lambda = lambdaK;
    state.quantizedRows = keys;

    memory.copyBf16(native, pass.layer, kvHead, keys);

    for (let head = kvHead * group; head < (kvHead + 1) * group; head++) {
      const q = memory.queries(pass, head, 0, pass.rows);
      const lambdaQ = lambdaOf(pass.rule, exactScale(native.maxAbs(q)), model.meanLambdaQ);
      native.quantize(q, memory.codes(pass, head, 0, pass.rows), lambdaQ);
    }
  }

  attend(pass: AttentionPass, head: number, first: number, end: number): void {
    const { native, memory } = this;
    const { model } = memory;
    const { headDim } = model.shape;
    const views = memory.kv(pass.layer, memory.kvHeadOf(head));
    const rows = end - first;
    const nPast = pass.nPast + first;
    const keys = pass.nPast + end;

    fillKeepCounts(this.counts, { ratio: memory.ratio(pass, head), minKeys: pass.rule.minKeys, nPast, rows });
    const counts = this.counts.subarray(0, rows);
    // Counts never fall from row to row, so the last is the widest.
    const indexLd = counts[rows - 1] ?? 0;
    this.scores = grown(this.scores, rows * keys);
    this.indices = grown(this.indices, rows * indexLd);

    const codes = memory.codes(pass, head, first, end);
    const k8 = views.k8.subarray(0, keys * headDim);
    const { recorder } = memory;
    const place = { layer: pass.layer, head, heads: 1, position: nPast, rows };
    recorder.time('pilot', place, () => native.pilot(codes, k8, this.scores, { rows, keys, headDim, ld: keys }));
    const kept = { indices: this.indices, counts, indexLd };
    recorder.time('topk', place, () => {
      native.topk(this.scores, counts, this.indices, { rows, nPast, ld: keys, indexLd });
      memory.keptCounts.count(pass.layer, head, nPast, first, kept);
    });

    const q = memory.queries(pass, head, first, end);
    const out = memory.outputs(head, first, end);
    const shape = { rows, nPast, outStride: memory.outStride };
    recorder.time('sparse', place, () => attendKept(native, model, views, q, kept, out, shape));
  }
}

/** INT8 scale of one side of a head: its own, or that of the bucket that the rule takes. */
function lambdaOf(rule: ScaleChoice, exact: number, mean: number): number {
  return rule.scale === 'exact' ? exact : headScale(rule, exact, mean).lambda;
}
