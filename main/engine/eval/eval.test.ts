/** The measurements on a tiny model, against plain loops and known orders. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadNative } from '../../../native/js/load.ts';
import { keepCount } from '../attention/keep-count.ts';
import { DENSE } from '../attention/rules.ts';
import { Engine } from '../engine.ts';
import { Breath } from '../session/breath.ts';
import type { LoadedModel } from '../session/loaded-model.ts';
import { plainLogits } from '../testdata/plain-llama.ts';
import { seededRandom } from '../testdata/random-tensor.ts';
import { writeTinyLlama } from '../testdata/tiny-llama.ts';
import { checkConfigurations, parseConfiguration, shipped } from './configurations.ts';
import { divergenceFigures, divergenceOver, measureDivergence } from './divergence.ts';
import { isRight, measureNeedle, needleFigures, needlePrompts } from './needle.ts';
import { meanNll, measurePerplexity, perplexityFigures } from './perplexity.ts';
import { measureRecall, recallFigures } from './recall.ts';
import { RecallMeter } from './recall-meter.ts';
import { type HeadChunk, type Scorer, scorers, type Visit, visitBest } from './recall-scorers.ts';
import { firstTokens, HELD_OUT, heldOutTexts } from './texts.ts';

const OPTIONS = { seed: 21, context: 1024 };
const TEXT = {
  name: 'lines',
  text: Array.from({ length: 60 }, (_, i) => `line ${i} of ${(i * 7919) % 97} words`).join('\n'),
};
const native = loadNative();

let dir: string;
let engine: Engine;
let model: LoadedModel;

beforeAll(async () => {
  dir = mkdtempSync(path.join(tmpdir(), 'eval-'));
  const file = path.join(dir, 'tiny.gguf');
  writeTinyLlama(file, OPTIONS);
  engine = new Engine({ modelsDir: dir, bundlesDir: path.join(dir, 'bundles') });
  await engine.load({ model: file, weights: 'exact', threads: 1, contextSize: 1024 });
  model = engine.model;
});
afterAll(async () => {
  await engine.close();
  rmSync(dir, { recursive: true, force: true });
});

test('held-out texts are there and long enough for every measurement', async () => {
  const texts = await heldOutTexts();
  expect(texts.map(({ name }) => name)).toEqual([...HELD_OUT]);
  // A token of the default model is four characters and more of such texts.
  for (const { text } of texts) expect(text.length).toBeGreaterThan(4 * 4096);
});

test('too short a text and too small a context are named', () => {
  expect(() => firstTokens(model, TEXT, 1000)).toThrow(/"lines" has \d+ tokens/);
  expect(() => firstTokens(model, TEXT, 1025)).toThrow(/1025 tokens do not fit/);
});

describe('perplexity', () => {
  test('of full attention equals a plain float64 forward pass, over two chunks and slices of logits', async () => {
    const ids = firstTokens(model, TEXT, 171);
    const logits = plainLogits(OPTIONS, ids);
    let sum = 0;
    for (const [i, target] of ids.slice(1).entries()) {
      const row = logits[i] ?? new Float64Array();
      const total = row.reduce((all, value) => all + Math.exp(value), 0);
      sum += Math.log(total) - (row[target] ?? Number.NaN);
    }
    expect(await meanNll(model, ids, DENSE)).toBeCloseTo(sum / 170, 4);
    expect(model.cache.length).toBe(0);
  });

  test('compares configurations with full and averages over texts', async () => {
    const seen: number[] = [];
    const rows = await measurePerplexity(model, {
      texts: [TEXT, { name: 'again', text: TEXT.text.slice(100) }],
      configurations: ['all:ratio=1,reach=0,tail=false', 'few:ratio=0.02,tail=false,minKeys=1'].map(parseConfiguration),
      tokens: 256,
      onProgress: (_, done, total) => seen.push(done / total),
    });
    expect(rows.map(({ text, config }) => `${text} ${config}`)).toEqual([
      'lines full',
      'lines all',
      'lines few',
      'again full',
      'again all',
      'again few',
    ]);
    const [full, all, few] = rows;
    expect(full?.ratio).toBe(1);
    expect(all?.ratio).toBeCloseTo(1, 3);
    expect(Math.abs((few?.ratio ?? 1) - 1)).toBeGreaterThan(1e-3);
    expect(few?.ratio).toBeCloseTo((few?.perplexity ?? 0) / (full?.perplexity ?? 0), 9);
    expect(perplexityFigures(rows).perplexity_few_vs_full).toBeCloseTo(
      ((few?.ratio ?? 0) + (rows[5]?.ratio ?? 0)) / 2,
      9,
    );
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(seen.at(-1)).toBe(1);
  });

  test('a stop ends it', async () => {
    const stop = new AbortController();
    const run = { texts: [TEXT], configurations: [], tokens: 256, signal: stop.signal, onProgress: () => stop.abort() };
    await expect(measurePerplexity(model, run)).rejects.toMatchObject({ kind: 'cancelled' });
  });

  test('configurations with one name, and what this model cannot have, are refused before the first run', async () => {
    const twice = [shipped('shadow'), parseConfiguration('shadow:ratio=0.2')];
    await expect(checkConfigurations(model, twice, 3)).rejects.toMatchObject({ kind: 'usage' });
    await expect(checkConfigurations(model, [parseConfiguration('full:')], 3)).rejects.toMatchObject({ kind: 'usage' });
    const byImportance = [parseConfiguration('a:ratios=importance')];
    await expect(checkConfigurations(model, byImportance, 3)).rejects.toMatchObject({ kind: 'bad-input' });
  });
});

describe('divergence of weights', () => {
  const OTHER = { ...OPTIONS, seed: 22 };
  let others: Engine;
  beforeAll(async () => {
    const file = path.join(dir, 'other.gguf');
    writeTinyLlama(file, OTHER);
    others = new Engine({ modelsDir: dir, bundlesDir: path.join(dir, 'bundles') });
    await others.load({ model: file, weights: 'exact', threads: 1, contextSize: 1024 });
  });
  afterAll(() => others.close());

  test('of other weights is that of two plain float64 forward passes', async () => {
    const ids = firstTokens(model, TEXT, 150);
    const softmax = (logits: Float64Array) => {
      const powers = logits.map(Math.exp);
      const total = powers.reduce((sum, power) => sum + power, 0);
      return powers.map((power) => power / total);
    };
    const [wanted, got] = [OPTIONS, OTHER].map((options) => plainLogits(options, ids).map(softmax));
    let kl = 0;
    let same = 0;
    for (const [i, p] of (wanted ?? []).entries()) {
      const q = got?.[i] ?? new Float64Array();
      kl += p.reduce((sum, value, token) => sum + value * Math.log(value / (q[token] ?? Number.NaN)), 0);
      if (p.indexOf(Math.max(...p)) === q.indexOf(Math.max(...q))) same++;
    }
    const measured = await divergenceOver(model, others.model, ids);
    expect(measured.tokens).toBe(150);
    expect(measured.kl).toBeCloseTo(kl / 150, 4);
    expect(measured.kl).toBeGreaterThan(0.01);
    expect(measured.top1).toBeCloseTo(same / 150, 9);
  });

  test('is nothing between a model and its twin, text by text, and both caches are left empty', async () => {
    const twin = new Engine({ modelsDir: dir, bundlesDir: path.join(dir, 'bundles') });
    await twin.load({ model: path.join(dir, 'tiny.gguf'), weights: 'exact', threads: 1, contextSize: 1024 });
    const seen: number[] = [];
    const texts = [TEXT, { name: 'again', text: TEXT.text.slice(100) }];
    const rows = await measureDivergence(model, twin.model, {
      texts,
      tokens: 140,
      onProgress: (_, done, total) => seen.push(done / total),
    });
    expect(rows.map(({ text, tokens, top1 }) => [text, tokens, top1])).toEqual([
      ['lines', 140, 1],
      ['again', 140, 1],
    ]);
    for (const { kl } of rows) expect(Math.abs(kl)).toBeLessThan(1e-9);
    expect([model.cache.length, twin.model.cache.length]).toEqual([0, 0]);
    expect(seen).toHaveLength(280);
    expect(seen.at(-1)).toBe(1);
    await twin.close();
  });

  test('figures are means over the texts', () => {
    const rows = [
      { text: 'a', tokens: 10, kl: 0.01, top1: 0.9 },
      { text: 'b', tokens: 10, kl: 0.03, top1: 1 },
    ];
    expect(divergenceFigures(rows)).toEqual({ linear_kl: 0.02, linear_top1: 0.95 });
  });

  test('a stop ends it', async () => {
    const stop = new AbortController();
    const run = { texts: [TEXT], tokens: 200, signal: stop.signal, onProgress: () => stop.abort() };
    await expect(measureDivergence(model, others.model, run)).rejects.toMatchObject({ kind: 'cancelled' });
    expect([model.cache.length, others.model.cache.length]).toEqual([0, 0]);
  });
});

describe('recall', () => {
  const headDim = 16;

  /** Scores by a plain function of query and key. */
  function scorer(name: string, score: (q: Float32Array, k: Float32Array, position: number) => number): Scorer {
    return {
      name,
      keep: (chunk: HeadChunk, visit: Visit) => {
        const { measured, k } = chunk;
        const keys = k.length / headDim;
        const scores = new Int32Array((measured.length / headDim) * keys);
        for (let r = 0; r < measured.length / headDim; r++) {
          const q = measured.subarray(r * headDim, (r + 1) * headDim);
          for (let j = 0; j < keys; j++) {
            scores[r * keys + j] = score(q, k.subarray(j * headDim, (j + 1) * headDim), j);
          }
        }
        visitBest(native, scores, chunk, visit);
      },
    };
  }
  const dot = (q: Float32Array, k: Float32Array) => q.reduce((sum, value, d) => sum + value * (k[d] ?? 0), 0);

  test('is 1 for the float order, 0 for its reverse, and as counted by hand for the latest keys', async () => {
    let expected = 0;
    let rows = 0;
    const latest = scorer('latest', (_, __, position) => position);
    const counting: Scorer = {
      name: 'latest',
      keep: (chunk, visit) => {
        latest.keep(chunk, visit);
        // One chunk of 128 rows: every eighth from the 65th key on is measured.
        for (let r = 0, p = 64; p < 128; r++, p += 8) {
          const q = chunk.measured.subarray(r * headDim, (r + 1) * headDim);
          const order = Array.from({ length: p + 1 }, (_, j) => j).sort(
            (a, b) =>
              dot(q, chunk.k.subarray(b * headDim, (b + 1) * headDim)) -
              dot(q, chunk.k.subarray(a * headDim, (a + 1) * headDim)),
          );
          const k = keepCount(0.2, p + 1);
          expected += order.slice(0, k).filter((j) => j > p - k).length / k;
          rows++;
        }
      },
    };
    const meter = new RecallMeter(native, model.shared, 0.2, [
      scorer('float', (q, k) => Math.round(dot(q, k) * 1e7)),
      scorer('reverse', (q, k) => -Math.round(dot(q, k) * 1e7)),
      counting,
    ]);
    const ids = firstTokens(model, TEXT, 128);
    await model.forward.pass(ids, 0, DENSE, new Breath(), (layer) => meter.observe(layer, 128, 0));
    const [float, reverse, last] = meter.take();
    expect(float?.recall).toBeCloseTo(1, 3);
    expect(reverse).toMatchObject({ recall: 0, kept: 1 });
    expect(rows).toBe(2 * 4 * 8);
    expect(last?.recall).toBeCloseTo(expected / rows, 3);
    expect(meter.take()[0]?.recall).toBeNaN();
  });

  test('of INT8 scales over a text', async () => {
    const rows = await measureRecall(model, { native, texts: [TEXT], tokens: 300, ratio: 0.2 });
    expect(rows.map(({ scorer }) => scorer)).toEqual([
      'exact',
      'exact-smooth',
      'buckets',
      'buckets-0.7',
      'single',
      'native',
    ]);
    const figures = recallFigures(rows);
    expect(figures.recall20).toBe(figures.recall20_native);
    expect(figures.recall20_native).toBeGreaterThan(0.95);
    expect(figures.recall20_native).toBeLessThan(1);
    expect(rows.at(-1)?.kept).toBeGreaterThan(1);
    expect(rows.at(-1)?.kept).toBeLessThan(1.2);
    expect(figures.recall20_exact).toBeGreaterThan(0.95);
    expect(figures.recall20_exact).toBeLessThan(1);
  });
});

test('the keys that the fused kernel keeps are read off its outputs', () => {
  const headDim = 16;
  const keys = 900; // more than one block of 256
  const random = seededRandom(5);
  const k = Float32Array.from({ length: keys * headDim }, () => 6 * random() - 3);
  const positions = [80, 255, 256, 899];
  // A query that is the key at 40 times ten: that one is its best by far, and its opposite's worst.
  const target = k.subarray(40 * headDim, 41 * headDim);
  const measured = Float32Array.from({ length: 4 * headDim }, (_, i) => 10 * (target[i % headDim] ?? 0));
  const fused = scorers(native, model.shared).find(({ name }) => name === 'native');
  const sets = (counts: number[], q: Float32Array) => {
    const kept: number[][] = [];
    fused?.keep({ q, measured: q, positions, counts, k, kSmooth: k }, (_, indices) => kept.push([...indices]));
    return kept;
  };
  expect(
    sets(
      positions.map((p) => p + 1),
      measured,
    ),
  ).toEqual(positions.map((p) => Array.from({ length: p + 1 }, (_, i) => i)));
  const few = sets([3, 3, 3, 3], measured);
  for (const set of few) {
    expect(set).toContain(40);
    expect(set.length).toBeGreaterThanOrEqual(3);
    expect(set.length).toBeLessThan(12);
  }
  for (const set of sets(
    [3, 3, 3, 3],
    measured.map((x) => -x),
  ))
    expect(set).not.toContain(40);
});

describe('needle', () => {
  test('prompts hold the phrase once, deeper and deeper, and end with the question', () => {
    const prompts = needlePrompts(model.tokenizer, TEXT, 500, 4);
    const places = prompts.map(({ ids, phrase }) => {
      expect(ids.length).toBeLessThanOrEqual(500);
      expect(ids.length).toBeGreaterThan(480);
      const text = model.tokenizer.decode(ids);
      expect(text.split(phrase)).toHaveLength(2);
      expect(text).toMatch(/\nQuestion: What is the pass phrase\?\nAnswer: The pass phrase is$/);
      return text.indexOf(phrase) / text.length;
    });
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(prompts.map(({ depth }) => Number(depth.toFixed(2)))).toEqual([0.05, 0.35, 0.65, 0.95]);
    expect(new Set(prompts.map(({ phrase }) => phrase)).size).toBe(3);
    expect(() => needlePrompts(model.tokenizer, TEXT, 2000, 4)).toThrow(/"lines" has \d+ tokens, fewer than/);
  });

  test.each([
    [' BLUE-42-HARBOR.', true],
    [' the BLUE-4', true],
    [' BLUE', false],
    [' blue-42', false],
    [' GREEN-42', false],
  ])('answer "%s" is right: %s', (answer, right) => {
    expect(isRight(answer, 'BLUE-42-HARBOR')).toBe(right);
  });

  test('runs full and the others over every prompt', async () => {
    const rows = await measureNeedle(model, {
      texts: [TEXT],
      configurations: [shipped('shadow')],
      tokens: 400,
      depths: 2,
    });
    expect(rows.map(({ config, depth }) => `${config} ${depth}`)).toEqual([
      'full 0.05',
      'shadow 0.05',
      'full 0.95',
      'shadow 0.95',
    ]);
    // Random weights know no pass phrase, so there is nothing that shadow could lose.
    expect(needleFigures(rows)).toEqual({ needle_full: 0, needle_shadow: 0 });
  });

  test('figures count what full has right', () => {
    const row = (config: string, depth: number, right: boolean) => ({
      text: 't',
      config,
      depth,
      promptTokens: 1,
      phrase: '',
      answer: '',
      right,
    });
    const rows = [
      ...[row('full', 1, true), row('full', 2, true), row('full', 3, false)],
      ...[row('shadow', 1, true), row('shadow', 2, false), row('shadow', 3, true)],
    ];
    expect(needleFigures(rows)).toEqual({
      needle_full: 2 / 3,
      needle_shadow: 2 / 3,
      needle_shadow_vs_full: 0.5,
    });
  });
});
