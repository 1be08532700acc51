/**
 * Measures a profile on the calling thread, in well under a minute. Keys, queries and values are random, the worst case for
 * the gather of kept keys: shadow attention on real text is at least as fast as its profile says.
 */
import type { Progress } from '../../../contract/engine.ts';
import { AppError } from '../../../contract/errors.ts';
import { type NativeAddon, packedBytes } from '../../../native/js/index.ts';
import { keepCount } from '../attention/keep-count.ts';
import { COST_ROWS } from '../attention/planner/costs.ts';
import type { Profile, ProfileKey } from './profile.ts';

const KEYS = [256, 512, 1024, 2048, 4096, 8192];
const SHARES = [0.05, 0.1, 0.2, 0.4];
const HEAD_DIM = 64;
/** Query heads of a KV head, as in many small models; they share the preparation of its keys. */
const GROUP = 3;
const ROUNDS = 15;
/** A slow machine gets fewer rounds, never a longer wait. */
const MOST_MS = 50_000;
const ROWS = COST_ROWS;

export interface MeasureOptions {
  keys?: readonly number[];
  rounds?: number;
  onProgress?: (progress: Progress) => void;
  signal?: AbortSignal;
}

/**
 * Least times of interleaved rounds: what a call takes where no other program takes the core away meanwhile. Throws
 * AppError 'cancelled' soon after the signal has fired.
 */
export async function measureProfile(
  native: NativeAddon,
  key: ProfileKey,
  { keys = KEYS, rounds = ROUNDS, onProgress, signal }: MeasureOptions = {},
): Promise<Profile> {
  const steps = keys.flatMap((length) => stepsFor(native, length));
  const times = steps.map(() => Number.POSITIVE_INFINITY);
  const started = performance.now();
  // The first round warms caches and pages and is not counted.
  for (let round = 0; round <= rounds; round++) {
    const elapsed = performance.now() - started;
    if (round > 1 && elapsed * ((round + 1) / round) > MOST_MS) break;
    for (const [i, step] of steps.entries()) {
      await new Promise((resolve) => setImmediate(resolve));
      if (signal?.aborted) throw new AppError('cancelled', 'Measuring was stopped; nothing was kept.');
      onProgress?.({ stage: 'profile', done: round * steps.length + i, total: (rounds + 1) * steps.length });
      const before = performance.now();
      step.run();
      const ms = (performance.now() - before) / step.heads;
      if (round > 0) times[i] = Math.min(times[i] ?? ms, ms);
    }
  }
  const least = new Map(steps.map(({ name }, i) => [name, times[i] ?? 0]));
  const perKey = (stage: Stage) => keys.map((length) => least.get(nameOf(stage, length)) ?? 0);
  const perShare = (stage: Stage) =>
    keys.map((length) => SHARES.map((share) => least.get(nameOf(stage, length, share)) ?? 0));
  return {
    formatVersion: 1,
    key,
    measured: new Date().toISOString(),
    rows: ROWS,
    headDim: HEAD_DIM,
    keys: [...keys],
    shares: SHARES,
    ms: {
      full: perKey('full'),
      pilot: perKey('pilot'),
      topk: perShare('topk'),
      select: perShare('select'),
      sparse: perShare('sparse'),
      shadow: perShare('shadow'),
    },
  };
}

type Stage = keyof Profile['ms'];

interface Step {
  name: string;
  /** Heads that one run computes. */
  heads: number;
  run(): void;
}

/** Every measured call over `keys` keys, on memory of its own. */
function stepsFor(native: NativeAddon, keys: number): Step[] {
  const rows = ROWS;
  const headDim = HEAD_DIM;
  const nPast = keys - rows;
  const scale = 1 / Math.sqrt(headDim);
  const random = new Random(keys);
  const q = random.normals(GROUP * rows * headDim);
  const k = random.normals(keys * headDim);
  const v = random.normals(keys * headDim);
  const kBf16 = new Uint16Array(k.length);
  const vBf16 = new Uint16Array(v.length);
  native.toBf16(k, kBf16);
  native.toBf16(v, vBf16);
  const q8 = new Int8Array(rows * headDim);
  const k8 = new Int8Array(k.length);
  const lambda = 4 / 127;
  native.quantize(q.subarray(0, q8.length), q8, lambda);
  native.quantize(k, k8, lambda);
  const scores = new Int32Array(rows * keys);
  native.pilot(q8, k8, scores, { rows, keys, headDim, ld: keys });
  // What a device gives: bytes around the middle of the range, the greatest at the top.
  const bytes = Uint8Array.from(scores, (score) => Math.max(0, Math.min(255, 128 + Math.round(score / 1024))));
  const stepNats = new Float32Array(rows).fill(1024 * lambda * lambda * scale);
  const bases = new Float32Array(rows);

  const codes = new Uint8Array(packedBytes(keys, headDim));
  const codeFloats = new Float32Array(3 * headDim);
  const codeInts = new Int32Array(4);
  const prefix = new Float32Array(rows * headDim);
  if (nPast > 0) {
    const past = { rows: nPast, nPast: 0, headDim };
    native.updateKeyCodes(k, v, codes, codeFloats, codeInts, new Float32Array(nPast * headDim), past);
  }
  const [floatsBefore, intsBefore] = [codeFloats.slice(), codeInts.slice()];

  const out = new Float32Array(rows * GROUP * headDim);
  const outStride = GROUP * headDim;
  const indices = new Int32Array(rows * keys);
  const kept = new Int32Array(rows);
  const tails = new Float32Array(rows);
  const stats = new Float64Array(4 + GROUP);

  const steps: Step[] = [
    {
      name: nameOf('full', keys),
      heads: 1,
      run: () =>
        native.fullAttention(q.subarray(0, rows * headDim), k, v, out, { rows, nPast, headDim, outStride, scale }),
    },
    {
      name: nameOf('pilot', keys),
      heads: 1,
      run: () => native.pilot(q8, k8, scores, { rows, keys, headDim, ld: keys }),
    },
  ];
  for (const share of SHARES) {
    const counts = Int32Array.from({ length: GROUP * rows }, (_, i) => keepCount(share, nPast + (i % rows) + 1));
    const headCounts = counts.subarray(0, rows);
    steps.push(
      {
        name: nameOf('topk', keys, share),
        heads: 1,
        run: () => native.topk(scores, headCounts, indices, { rows, nPast, ld: keys, indexLd: keys }),
      },
      {
        name: nameOf('select', keys, share),
        heads: 1,
        run: () =>
          native.selectKeys(bytes, stepNats, bases, headCounts, indices, kept, tails, {
            rows,
            nPast,
            ld: keys,
            indexLd: keys,
            exact: false,
            reach: 0,
          }),
      },
      {
        // Over the keys that the step before has chosen.
        name: nameOf('sparse', keys, share),
        heads: 1,
        run: () =>
          native.sparseAttentionBf16(
            q.subarray(0, rows * headDim),
            kBf16,
            vBf16,
            indices,
            kept,
            out,
            { rows, headDim, indexLd: keys, outStride, scale, nPast },
            tails,
            prefix,
          ),
      },
      {
        name: nameOf('shadow', keys, share),
        heads: GROUP,
        run: () => {
          // As if the chunk were new: its keys are coded, those before it are.
          codeFloats.set(floatsBefore);
          codeInts.set(intsBefore);
          native.updateKeyCodes(k, v, codes, codeFloats, codeInts, prefix, { rows, nPast, headDim });
          native.shadowAttentionBf16(q, codes, codeFloats, codeInts, kBf16, vBf16, prefix, counts, out, stats, {
            rows,
            nPast,
            headDim,
            heads: GROUP,
            qHeadStride: rows * headDim,
            outStride,
            scale,
            reach: 0,
            tail: true,
            share: false,
          });
        },
      },
    );
  }
  return steps;
}

function nameOf(stage: Stage, keys: number, share?: number): string {
  return `${stage} ${keys} ${share ?? ''}`;
}

/** Normally distributed numbers (Box-Muller over a linear congruential generator), the same on every run. */
class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  normals(count: number): Float32Array {
    return Float32Array.from(
      { length: count },
      () => Math.sqrt(-2 * Math.log(1 - this.uniform())) * Math.cos(2 * Math.PI * this.uniform()),
    );
  }

  private uniform(): number {
    this.state = (Math.imul(this.state, 1664525) + 1013904223) >>> 0;
    return this.state / 2 ** 32;
  }
}
