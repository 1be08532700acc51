import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Progress } from '../../../contract/engine.ts';
import { type CalibrateRequest, Engine, type JobHooks } from '../engine.ts';
import type { AttentionCalibration } from '../model/attention-calibration.ts';
import { openBundle } from '../model/bundle.ts';
import { type PlainLayer, plainLogits } from '../testdata/plain-llama.ts';
import { refusal } from '../testdata/refusal.ts';
import { tempDir } from '../testdata/temp-dir.ts';
import { type TinyLlamaOptions, writeTinyLlama } from '../testdata/tiny-llama.ts';
import { createTokenizer } from '../tokenizer/create-tokenizer.ts';

const MODEL: TinyLlamaOptions = { context: 160, seed: 11 };
const [LAYERS, HEADS, KV_HEADS, DIM] = [2, 4, 2, 16] as const;
const TEXT = readFileSync(path.join(__dirname, '..', '..', '..', 'resources', 'calibration.txt'), 'utf8').slice(0, 560);

const dir = tempDir();
const gguf = path.join(dir, 'tiny.gguf');
const folder = path.join(dir, 'bundles', 'tiny');
const result = path.join(folder, 'attention.json');
const unfinished = path.join(folder, 'attention-unfinished.json');

async function calibrate(change: Partial<CalibrateRequest> = {}, hooks: JobHooks = {}): Promise<AttentionCalibration> {
  const engine = new Engine({ modelsDir: dir, bundlesDir: path.join(dir, 'bundles') });
  try {
    return await engine.calibrate({ model: 'tiny', weights: 'exact', text: TEXT, threads: 1, ...change }, hooks);
  } finally {
    await engine.close();
  }
}

/** Token windows as the calibration takes them: the context's length, from start to end. */
function windows(): number[][] {
  const bundle = openBundle(path.join(folder, 'exact'));
  const ids = createTokenizer(bundle.tokenizerSource()).encode(TEXT, { addSpecial: true });
  bundle.close();
  const count = Math.min(3, Math.floor(ids.length / 160));
  expect(count).toBeGreaterThan(1);
  return Array.from({ length: count }, (_, i) => {
    const start = Math.floor((i * (ids.length - 160)) / (count - 1));
    return ids.slice(start, start + 160);
  });
}

let whole: AttentionCalibration;
beforeAll(async () => {
  writeTinyLlama(gguf, MODEL);
  whole = await calibrate({ model: gguf });
});

/** Mean negative log likelihood of a window in float64. */
function plainLoss(ids: readonly number[], attended?: (layer: number, attention: PlainLayer) => void): number {
  const logits = plainLogits(MODEL, ids, attended);
  const losses = ids.slice(1).map((target, p) => {
    const row = logits[p] ?? new Float64Array();
    const most = Math.max(...row);
    return most + Math.log(row.reduce((sum, x) => sum + Math.exp(x - most), 0)) - (row[target] ?? Number.NaN);
  });
  return losses.reduce((sum, x) => sum + x, 0) / losses.length;
}

describe('importance', () => {
  it('is the loss that a float64 model gains without a head or a layer', () => {
    const zeroed =
      (layer: number, first: number, end: number) =>
      (l: number, { out }: PlainLayer) => {
        if (l === layer) for (const row of out) row.fill(0, first, end);
      };
    const all = windows();
    const base = all.map((ids) => plainLoss(ids));
    for (let layer = 0; layer < LAYERS; layer++) {
      const increase = (first: number, end: number) =>
        all.reduce((sum, ids, w) => sum + plainLoss(ids, zeroed(layer, first, end)) - (base[w] ?? 0), 0) / all.length;
      expect(whole.importance?.layer[layer]).toBeCloseTo(increase(0, HEADS * DIM), 4);
      for (let head = 0; head < HEADS; head++) {
        expect(whole.importance?.head[layer]?.[head]).toBeCloseTo(increase(head * DIM, (head + 1) * DIM), 4);
      }
    }
    expect(Math.max(...(whole.importance?.layer.map(Math.abs) ?? []))).toBeGreaterThan(0.01);
  });
});

describe('statistics', () => {
  it('are those of a float64 model', () => {
    const all = windows();
    const layers = all.map((ids) => {
      const seen: PlainLayer[] = [];
      plainLogits(MODEL, ids, (_, attention) => seen.push(attention));
      return seen;
    });
    const most = (rows: Float64Array[], first: number, end: number) =>
      Math.max(...rows.map((row) => Math.max(...row.subarray(first, end).map(Math.abs))));
    const chunks = [
      [0, 128],
      [128, 160],
    ] as const;
    const lambdas: number[] = [];
    for (let layer = 0; layer < LAYERS; layer++) {
      const seen = layers.map((window) => window[layer] as PlainLayer);
      for (let head = 0; head < HEADS; head++) {
        const [from, to] = [head * DIM, (head + 1) * DIM];
        const own = seen.flatMap(({ q }) => chunks.map(([a, b]) => most(q.slice(a, b), from, to) / 127));
        lambdas.push(...own);
        expect(whole.headLambdaQ[layer]?.[head]).toBeCloseTo(Math.max(...own), 6);
        for (const [g, ratio] of whole.lostMass.grid.entries()) {
          const lost = seen.flatMap((window) => lostMasses(window, head, ratio));
          const mean = lost.reduce((sum, x) => sum + x, 0) / lost.length;
          expect(whole.lostMass.mass[layer]?.[head]?.[g]).toBeCloseTo(mean, 5);
        }
      }
      for (let head = 0; head < KV_HEADS; head++) {
        const keys = seen.flatMap(({ k }) => k.map((row) => row.subarray(head * DIM, (head + 1) * DIM)));
        for (let d = 0; d < DIM; d++) {
          const mean = keys.reduce((sum, key) => sum + (key[d] ?? 0), 0) / keys.length;
          expect(whole.meanKey[layer]?.[head]?.[d]).toBeCloseTo(mean, 5);
        }
      }
      const ranges = whole.staticRanges[layer];
      const width = HEADS * DIM;
      expect(ranges?.q).toBeCloseTo(Math.max(...seen.map(({ q }) => most(q, 0, width))), 4);
      expect(ranges?.k).toBeCloseTo(Math.max(...seen.map(({ k }) => most(k, 0, width))), 4);
      expect(ranges?.v).toBeCloseTo(Math.max(...seen.map(({ v }) => most(v, 0, width))), 4);
      expect(ranges?.out).toBeCloseTo(Math.max(...seen.map(({ out }) => most(out, 0, width))), 4);
      const scores = seen.flatMap((window) =>
        measuredRows().flatMap((p) => Array.from({ length: HEADS }, (_, h) => scoresOf(window, h, p).map(Math.abs))),
      );
      expect(ranges?.scores).toBeCloseTo(Math.max(...scores.map((row) => Math.max(...row))), 4);
    }
    expect(whole.meanLambdaQ).toBeCloseTo(lambdas.reduce((sum, x) => sum + x, 0) / lambdas.length, 6);
    expect(whole.tokens).toBe(all.length * 160);
  });
});

function measuredRows(): number[] {
  return Array.from({ length: 160 }, (_, p) => p).filter((p) => p >= 64 && p % 4 === 0);
}

function scoresOf({ q, k }: PlainLayer, head: number, position: number): number[] {
  const kv = Math.floor((head * KV_HEADS) / HEADS) * DIM;
  return k.slice(0, position + 1).map((key) => {
    let sum = 0;
    for (let d = 0; d < DIM; d++) sum += (q[position]?.[head * DIM + d] ?? 0) * (key[kv + d] ?? 0);
    return sum / Math.sqrt(DIM);
  });
}

function lostMasses(window: PlainLayer, head: number, ratio: number): number[] {
  return measuredRows().map((p) => {
    const weights = scoresOf(window, head, p)
      .map((score) => Math.exp(score))
      .sort((a, b) => b - a);
    const kept = Math.min(Math.max(Math.floor(ratio * (p + 1) + 0.5), 1), p + 1);
    const total = weights.reduce((sum, w) => sum + w, 0);
    return weights.slice(kept).reduce((sum, w) => sum + w, 0) / total;
  });
}

describe('a stopped calibration', () => {
  it.each([1, 3, 6, 11, 20])('at step %d goes on and gives the numbers of an unbroken one', async (stopAt) => {
    rmSync(result);
    const progress: Progress[] = [];
    const stop = new AbortController();
    const onProgress = (now: Progress) => {
      progress.push(now);
      if (progress.length === stopAt) stop.abort();
    };
    const error = await refusal(() => calibrate({}, { onProgress, signal: stop.signal }));
    expect(error.kind).toBe('cancelled');
    expect(existsSync(result)).toBe(false);
    const resumed: Progress[] = [];
    expect(await calibrate({}, { onProgress: (now) => resumed.push(now) })).toEqual(whole);
    expect(existsSync(unfinished)).toBe(false);
    const last = resumed.at(-1);
    expect(last?.done).toBe(last?.total);
    expect(last?.secondsLeft).toBe(0);
  });

  it('does not go on with another text', async () => {
    rmSync(result);
    const stop = new AbortController();
    let steps = 0;
    await refusal(() => calibrate({}, { onProgress: () => ++steps === 17 && stop.abort(), signal: stop.signal }));
    expect(JSON.parse(readFileSync(unfinished, 'utf8')).importance[0].length).toBeGreaterThan(0);
    const other = TEXT.toUpperCase();
    const counts: number[] = [];
    const second = await calibrate({ text: other }, { onProgress: ({ done }) => counts.push(done) });
    expect(second.textSha256).not.toBe(whole.textSha256);
    expect(second.importance).not.toEqual(whole.importance);
    // The first step is one chunk's work, not that of what was kept.
    expect(counts[0]).toBe(LAYERS);
  });

  it('starts anew from a damaged file', async () => {
    rmSync(result, { force: true });
    writeFileSync(unfinished, '{"settings": 1');
    expect(await calibrate()).toEqual(whole);
  });
});

it('a finished calibration is not done again', async () => {
  const steps: Progress[] = [];
  expect(await calibrate({}, { onProgress: (now) => steps.push(now) })).toEqual(whole);
  expect(steps).toEqual([]);
});

it('too short a text is refused with what to do', async () => {
  const error = await refusal(() => calibrate({ text: 'A few words.' }));
  expect(error.kind).toBe('bad-input');
  expect(error.action).toContain('longer text');
});

it('gives way to another request, and keeps what it has', async () => {
  rmSync(result);
  const engine = new Engine({ modelsDir: dir, bundlesDir: path.join(dir, 'bundles') });
  try {
    let load: Promise<unknown> | undefined;
    const onProgress = () => {
      load ??= engine.load({ model: gguf, weights: 'exact', threads: 1 });
    };
    const calibration = engine.calibrate({ model: gguf, weights: 'exact', text: TEXT, threads: 1 }, { onProgress });
    const error = await refusal(() => calibration);
    expect(error.kind).toBe('cancelled');
    await load;
    // Only the import's quick part could be there, and that was removed.
    expect(engine.model.attentionCalibration).toBeUndefined();
    const importance = { mode: 'shadow', ratio: 0.5, ratios: 'importance' } as const;
    const ids = Array.from({ length: 150 }, (_, i) => 3 + (i % 250));
    expect((await refusal(() => engine.logits(ids, importance))).action).toContain('Calibrate');
    await engine.calibrate({ model: gguf, weights: 'exact', text: TEXT, threads: 1 });
    const uniform = await engine.logits(ids, { mode: 'shadow', ratio: 0.5, ratios: 'uniform', minKeys: 1 });
    const own = await engine.logits(ids, { ...importance, minKeys: 1 });
    expect(own).not.toEqual(uniform);
  } finally {
    await engine.close();
  }
});
