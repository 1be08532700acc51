/**
 * What one dense run over a text tells of each head: INT8 scales, mean keys, ranges, and the attention mass that a row
 * loses when it keeps only its best keys. Windows of text are observed one by one and then combined.
 */
import * as v from 'valibot';
import type { NativeAddon } from '../../../native/js/index.ts';
import { HeadMemory } from '../attention/head-memory.ts';
import { keepCount } from '../attention/keep-count.ts';
import { at } from '../attention/layer-views.ts';
import type { AttentionPass } from '../attention/pass.ts';
import { DENSE } from '../attention/rules.ts';
import { exactScale } from '../attention/scale-buckets.ts';
import { type AttentionCalibration, StaticRanges } from '../model/attention-calibration.ts';
import type { SharedModel } from '../session/shared-model.ts';

/** Ratios at which the lost mass is measured (reference/experiments/ratios.py). */
export const RATIO_GRID = [0.0125, 0.025, 0.05, 0.1, 0.2, 0.4, 0.7, 1];
/** Rows with fewer keys say little about a ratio, since they keep a floor of keys anyway. */
const LEAST_KEYS = 64;

const perHead = v.array(v.array(v.number()));
const Sum = v.object({ sum: v.number(), count: v.number() });

/** Sums over one window; plain data, so that a calibration that was broken off can keep them. */
export const WindowStatistics = v.object({
  tokens: v.number(),
  lambdaQ: Sum,
  lambdaK: Sum,
  /** Greatest exact scale, [nLayer][nHead] and [nLayer][nHeadKv]. */
  headLambdaQ: perHead,
  headLambdaK: perHead,
  /** Sum over the window's keys, [nLayer][nHeadKv][headDim]. */
  keySum: v.array(perHead),
  /** Lost mass summed over `massRows` rows, [nLayer][nHead][RATIO_GRID]. */
  massSum: v.array(perHead),
  massRows: v.number(),
  ranges: v.array(StaticRanges),
});
export type WindowStatistics = v.InferOutput<typeof WindowStatistics>;

export class AttentionObserver {
  private readonly native: NativeAddon;
  private readonly memory: HeadMemory;
  private readonly everyNth: number;
  private readonly order: Int32Array;
  private readonly weights: Float32Array;
  private readonly bits = new Int32Array(1);
  private readonly float = new Float32Array(this.bits.buffer);
  private window: WindowStatistics;
  /** Keys in the sums of each layer. */
  private counted: number[] = [];

  /** @param everyNth positions that are multiples of it have their lost mass and greatest score measured */
  constructor(native: NativeAddon, model: SharedModel, everyNth: number) {
    this.native = native;
    this.memory = new HeadMemory(model);
    this.everyNth = everyNth;
    this.order = new Int32Array(model.capacity);
    this.weights = new Float32Array(model.capacity);
    this.window = emptyWindow(model);
  }

  /**
   * Notes layer `layer` of a pass of `rows` rows at nPast, whose attention has been done. Passes of a window come in order;
   * the first one that is told counts all keys up to its end.
   */
  observe(layer: number, rows: number, nPast: number): void {
    const { memory, native, window } = this;
    const { nHead, nHeadKv, headDim } = memory.model.shape;
    const pass = { layer, rows, nPast, rule: DENSE };
    const ranges = at(window.ranges, layer);
    const keys = nPast + rows;
    const counted = this.counted[layer] ?? 0;
    this.counted[layer] = keys;
    window.tokens = keys;
    for (let kvHead = 0; kvHead < nHeadKv; kvHead++) {
      const views = memory.kv(layer, kvHead);
      const k = views.k.subarray(0, keys * headDim);
      const added = k.subarray(counted * headDim);
      const lambda = exactScale(native.maxAbs(k));
      note(window.lambdaK, lambda);
      raise(at(window.headLambdaK, layer), kvHead, lambda);
      addRows(at(at(window.keySum, layer), kvHead), added);
      ranges.k = Math.max(ranges.k, native.maxAbs(added));
      ranges.v = Math.max(ranges.v, native.maxAbs(views.v.subarray(counted * headDim, keys * headDim)));
    }
    for (let head = 0; head < nHead; head++) {
      const most = native.maxAbs(memory.queries(pass, head, 0, rows));
      note(window.lambdaQ, exactScale(most));
      raise(at(window.headLambdaQ, layer), head, exactScale(most));
      ranges.q = Math.max(ranges.q, most);
      for (let row = 0; row < rows; row++) {
        const position = nPast + row;
        if (position < LEAST_KEYS || position % this.everyNth !== 0) continue;
        if (layer === 0 && head === 0) window.massRows++;
        this.observeRow(pass, head, row);
      }
    }
    ranges.out = Math.max(ranges.out, native.maxAbs(memory.outputs(0, 0, rows, nHead)));
  }

  /** What was observed since the last call. */
  take(): WindowStatistics {
    const { window } = this;
    this.window = emptyWindow(this.memory.model);
    this.counted = [];
    return window;
  }

  private observeRow(pass: AttentionPass, head: number, row: number): void {
    const { memory, window } = this;
    const { headDim } = memory.model.shape;
    const { scale } = memory.model;
    const visible = pass.nPast + row + 1;
    const { k } = memory.kv(pass.layer, memory.kvHeadOf(head));
    const order = this.order.subarray(0, visible);
    const q = memory.queries(pass, head, row, row + 1);
    this.native.scoreOrder(q, k.subarray(0, visible * headDim), order, {
      rows: 1,
      nPast: visible - 1,
      headDim,
      ld: visible,
      scale,
    });
    order.sort();
    const greatest = this.score(visible - 1);
    const ranges = at(window.ranges, pass.layer);
    ranges.scores = Math.max(ranges.scores, Math.abs(greatest), Math.abs(this.score(0)));
    let total = 0;
    for (let i = 0; i < visible; i++) {
      const weight = Math.exp(this.score(i) - greatest);
      this.weights[i] = weight;
      total += weight;
    }
    // From the smallest weight up, the running sum is the mass that is lost by keeping the rest.
    const sums = at(at(window.massSum, pass.layer), head);
    let lost = 0;
    let dropped = 0;
    for (let g = RATIO_GRID.length - 1; g >= 0; g--) {
      const toDrop = visible - keepCount(at(RATIO_GRID, g), visible);
      for (; dropped < toDrop; dropped++) lost += this.weights[dropped] ?? 0;
      sums[g] = at(sums, g) + lost / total;
    }
  }

  /** The score behind entry `i` of the sorted integers, which order like the float's bits with negative ones mirrored. */
  private score(i: number): number {
    const order = this.order[i] ?? 0;
    this.bits[0] = order >= 0 ? order : -0x80000000 - order;
    return this.float[0] ?? 0;
  }
}

/** What a calibration is of: the model's file and the text. */
export type Origin = Pick<AttentionCalibration, 'sourceSha256' | 'textSha256'>;

/** Combines the windows of one text, at least one, into a calibration. Without a row of 64 keys no mass counts as lost. */
export function combine(windows: readonly WindowStatistics[], origin: Origin): AttentionCalibration {
  const sum = (of: (window: WindowStatistics) => number) => windows.reduce((total, w) => total + of(w), 0);
  const most = (of: (window: WindowStatistics) => number) => Math.max(...windows.map(of));
  const tokens = sum((w) => w.tokens);
  const massRows = Math.max(
    1,
    sum((w) => w.massRows),
  );
  const [first] = windows;
  if (first === undefined) throw new RangeError('nothing was observed');
  const maxima = (of: (window: WindowStatistics) => number[][]) =>
    of(first).map((heads, l) => heads.map((_, h) => most((w) => at(at(of(w), l), h))));
  const means = (of: (window: WindowStatistics) => number[][][], count: number) =>
    of(first).map((heads, l) =>
      heads.map((list, h) => list.map((_, i) => sum((w) => at(at(at(of(w), l), h), i)) / count)),
    );
  return {
    formatVersion: 1,
    ...origin,
    tokens,
    meanLambdaQ: sum((w) => w.lambdaQ.sum) / sum((w) => w.lambdaQ.count),
    meanLambdaK: sum((w) => w.lambdaK.sum) / sum((w) => w.lambdaK.count),
    headLambdaQ: maxima((w) => w.headLambdaQ),
    headLambdaK: maxima((w) => w.headLambdaK),
    meanKey: means((w) => w.keySum, tokens),
    lostMass: { grid: RATIO_GRID, mass: means((w) => w.massSum, massRows) },
    staticRanges: first.ranges.map((_, l) => {
      const range = (name: keyof StaticRanges) => most((w) => at(w.ranges, l)[name]);
      return { q: range('q'), k: range('k'), v: range('v'), scores: range('scores'), out: range('out') };
    }),
  };
}

function emptyWindow(model: SharedModel): WindowStatistics {
  const { nLayer, nHead, nHeadKv, headDim } = model.shape;
  const layers = <T>(make: () => T) => Array.from({ length: nLayer }, make);
  const zeros = (length: number) => new Array<number>(length).fill(0);
  return {
    tokens: 0,
    lambdaQ: { sum: 0, count: 0 },
    lambdaK: { sum: 0, count: 0 },
    headLambdaQ: layers(() => zeros(nHead)),
    headLambdaK: layers(() => zeros(nHeadKv)),
    keySum: layers(() => Array.from({ length: nHeadKv }, () => zeros(headDim))),
    massSum: layers(() => Array.from({ length: nHead }, () => zeros(RATIO_GRID.length))),
    massRows: 0,
    ranges: layers(() => ({ q: 0, k: 0, v: 0, scores: 0, out: 0 })),
  };
}

function note(mean: { sum: number; count: number }, value: number): void {
  mean.sum += value;
  mean.count++;
}

function raise(list: number[], index: number, value: number): void {
  list[index] = Math.max(at(list, index), value);
}

/** sums [headDim] += the rows of `keys` [rows, headDim] */
function addRows(sums: number[], keys: Float32Array): void {
  for (let i = 0; i < keys.length; i++) {
    const d = i % sums.length;
    sums[d] = (sums[d] ?? 0) + (keys[i] ?? 0);
  }
}
