/** Pilot devices in the whole engine: the real model over the golden prompt, faults, cancelling, lifetimes. */

import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AttentionOptions } from '../../../../contract/engine.ts';
import { FACTS, type Span, STAGES, type Stage, spanAt } from '../../../../contract/trace.ts';
import { loadNative } from '../../../../native/js/load.ts';
import type { Engine } from '../../engine.ts';
import { Bundle } from '../../model/bundle.ts';
import { Breath } from '../../session/breath.ts';
import { type GenerationHooks, generate } from '../../session/generation.ts';
import { LoadedModel } from '../../session/loaded-model.ts';
import { GREEDY } from '../../session/sampler.ts';
import { type GoldenAttention, type GoldenModel, goldenJson } from '../../testdata/golden.ts';
import { realModelEngine, realModelPath } from '../../testdata/real-model.ts';
import { createTokenizer } from '../../tokenizer/create-tokenizer.ts';
import { NEVER, ruleFor } from '../rules.ts';

const golden = goldenJson<GoldenModel>('model');
const attention = goldenJson<GoldenAttention>('attention');
const { tokens } = attention;
const native = loadNative();
const SHADOW20 = {
  mode: 'shadow',
  ratio: 0.2,
  ratios: 'uniform',
  minKeys: 1,
  reach: 0,
  tail: false,
  exactSelection: true,
} as const;

let engine: Engine;
let model: LoadedModel;
let sessionsBefore: number;
let folder: string;

beforeAll(async () => {
  sessionsBefore = native.sessionCount();
  engine = realModelEngine();
  const imported = await engine.import({ model: realModelPath(), weights: 'exact' });
  // The golden bucket centres come from another calibration text than ours.
  const calibration = {
    ...imported.manifest.calibration,
    meanLambdaQ: attention.mean_lambda_q,
    meanLambdaK: attention.mean_lambda_k,
  };
  // A folder of its own, for the graphs are kept beside the bundle.
  folder = mkdtempSync(path.join(tmpdir(), 'pilot-'));
  symlinkSync(imported.dir, path.join(folder, 'exact'), 'junction');
  const bundle = new Bundle(path.join(folder, 'exact'), { ...imported.manifest, calibration });
  imported.close();
  const tokenizer = createTokenizer(bundle.tokenizerSource());
  model = await LoadedModel.load(native, bundle, tokenizer, { contextSize: 1024, threads: 2 });
}, 600_000);
afterAll(async () => {
  await model?.close();
  rmSync(folder, { recursive: true, force: true });
  // The pilot's graphs too.
  expect(native.sessionCount()).toBe(sessionsBefore);
});

/** Mean negative log likelihood of the golden prompt. */
async function meanNll(options: AttentionOptions): Promise<number> {
  const rule = ruleFor(options, NEVER);
  const vocab = model.bundle.manifest.config.nVocab;
  await model.pilot.open(rule);
  model.cache.truncate(0);
  let sum = 0;
  for (let start = 0; start < tokens.length; start += model.forward.chunkSize) {
    const chunk = tokens.slice(start, start + model.forward.chunkSize);
    await model.forward.pass(chunk, start, rule, new Breath());
    model.cache.append(chunk);
    const logits = model.forward.logits(0, chunk.length);
    for (let row = 0; row < chunk.length; row++) {
      const target = tokens[start + row + 1];
      if (target !== undefined) sum -= logLikelihood(logits.subarray(row * vocab, (row + 1) * vocab), target);
    }
  }
  return sum / (tokens.length - 1);
}

function logLikelihood(logits: Float32Array, target: number): number {
  let total = 0;
  for (const value of logits) total += Math.exp(value);
  return (logits[target] ?? Number.NaN) - Math.log(total);
}

/** An answer of a few tokens to the first tokens of the golden prompt, nothing cached. */
function answer(options: Partial<AttentionOptions>, hooks: GenerationHooks = {}) {
  model.cache.truncate(0);
  return generate(model, tokens.slice(0, 200), { ...GREEDY, maxTokens: 3 }, { ...SHADOW20, ...options }, hooks);
}

describe('likelihood of the golden prompt', () => {
  test.each([
    ['ort:CPU', { scale: 'buckets' }],
    ['ort:CPU', { scale: 'exact', pipeline: false, fuse: false }],
  ] as const)('%s %o', async (pilot, more) => {
    const nll = await meanNll({ ...SHADOW20, pilot, ...more });
    expect(nll - golden.prompt512_shadow20.mean_nll).toBeLessThan(0.02);
    expect(nll).toBeGreaterThan(golden.prompt512_full.mean_nll - 0.01);
  });

  test('with tail and whole bins: near full attention', async () => {
    const nll = await meanNll({ mode: 'shadow', ratio: 0.2, ratios: 'uniform', pilot: 'simulated' });
    expect(Math.abs(nll - golden.prompt512_full.mean_nll)).toBeLessThan(0.02);
  });
});

/** Spans of a stage in the last answer. */
function spans(stage: Stage): Span[] {
  const trace = model.traceLog.read();
  const all = Array.from({ length: trace.facts.length / FACTS.length }, (_, i) => spanAt(trace, i));
  return all.filter((span) => STAGES[span.stage] === stage);
}

/** Whether rows are of the pass of a launch. */
function inChunk(rows: Span, launch: Span): boolean {
  return rows.position >= launch.position && rows.position < launch.position + launch.rows;
}

describe('stages', () => {
  test('run in their order, launches as planned, each row once; a simulated device is named', async () => {
    const { attention: used } = await answer({ pilot: 'simulated' });
    expect(used.pilotDevice).toBe('simulated');
    const { nLayer, nHead } = model.shared.shape;
    const chosen = spans('topk');
    const attended = spans('sparse');
    // Chunks of 128 and 72 rows in tiles of 64, and no tile that is dense.
    expect(chosen.length).toBe(nLayer * nHead * 4);
    expect(attended.length).toBe(nLayer * nHead * 4);
    const launches = spans('launch');
    const pilots = spans('pilot');
    for (const topk of chosen) {
      const same = (one: Span) => one.layer === topk.layer && one.head === topk.head;
      const launch = launches.find((one) => same(one) && inChunk(topk, one));
      const pilot = pilots.find((one) => same(one) && inChunk(topk, one));
      const qkv = attended.find((one) => same(one) && one.position === topk.position);
      const times = [0, launch?.start, launch?.end, pilot?.end, topk.start, topk.end, qkv?.end];
      expect(times).toEqual([...times].sort((a, b) => (a ?? 0) - (b ?? 0)));
      expect(topk.kept).toBeGreaterThanOrEqual(topk.rows);
    }
    const first = pilots.filter(({ layer, position }) => layer === 0 && position === 0);
    // Nine heads of one bucket: two launches of four and one of one.
    expect(new Set(first.map(({ end }) => end)).size).toBe(3);
    const overlaps = chosen.some((topk) =>
      pilots.some((pilot) => pilot.layer === topk.layer && inChunk(topk, pilot) && pilot.end > topk.start),
    );
    expect(overlaps).toBe(true);
  });

  test('without the pipeline nothing overlaps, without fusing heads are launched alone', async () => {
    await answer({ pilot: 'simulated', pipeline: false, fuse: false });
    const first = ({ layer, position }: Span) => layer === 0 && position < model.forward.chunkSize;
    const launches = spans('launch').filter(first);
    expect(new Set(launches.map(({ start }) => start)).size).toBe(model.shared.shape.nHead);
    for (const { head, end } of spans('sparse').filter(first)) {
      const own = launches.find((launch) => launch.head === head)?.start ?? Number.NaN;
      for (const { start } of launches) if (start > own) expect(start).toBeGreaterThanOrEqual(end);
    }
  });
});

describe('trouble', () => {
  test('a device that is not there is refused, and the engine goes on', async () => {
    await expect(answer({ pilot: 'ort:NPU' })).rejects.toMatchObject({ kind: 'bad-input' });
    expect((await answer({ pilot: 'native' })).finishReason).toBe('length');
  });

  test('a launch that fails: the native pilot takes over and the answer tells; the next request tries again', async () => {
    const native = await answer({ pilot: 'native' });
    await model.pilot.close();
    rmSync(path.join(folder, 'pilot'), { recursive: true });
    writeFileSync(path.join(folder, 'pilot'), 'not a folder');
    const failed = await answer({ pilot: 'ort:CPU' });
    expect(failed.attention).toMatchObject({ pilot: 'native', pilotDevice: 'CPU' });
    expect(failed.attention.pilotProblem).toMatch(/^The pilot device failed: /);
    expect(model.pilot.problem).toMatchObject({ kind: 'device-unusable' });
    expect(failed.tokenIds).toEqual(native.tokenIds);
    expect(model.cache.length).toBe(0);
    rmSync(path.join(folder, 'pilot'));
    const { attention: used } = await answer({ pilot: 'ort:CPU' });
    expect(used).toMatchObject({ pilot: 'ort:CPU', pilotDevice: 'CPU' });
    expect(used.pilotProblem).toBeUndefined();
  });

  test('cancelled while the device computes: ends early, and the next answer is right', async () => {
    const expected = await answer({ pilot: 'simulated' });
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 40);
    const { finishReason } = await answer({ pilot: 'simulated' }, { signal: controller.signal });
    expect(finishReason).toBe('cancelled');
    expect((await answer({ pilot: 'simulated' })).tokenIds).toEqual(expected.tokenIds);
  });
});
