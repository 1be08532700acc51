/** Trials on a tiny model, against the engine's own answers and plain sums. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AttentionOptions } from '../../../contract/engine.ts';
import { Engine } from '../engine.ts';
import { GREEDY } from '../session/sampler.ts';
import { writeTinyLlama } from '../testdata/tiny-llama.ts';

const FULL: AttentionOptions = { mode: 'full', ratio: 1 };
const FEW: AttentionOptions = { mode: 'sparse', ratio: 0.05 };
const EVERY: AttentionOptions = { mode: 'sparse', ratio: 1 };
const text = Array.from({ length: 60 }, (_, i) => `line ${i} of ${(i * 7919) % 97} words`).join('\n');
const prompt = { kind: 'raw' as const, text };

let dir: string;
let engine: Engine;

beforeAll(async () => {
  dir = mkdtempSync(path.join(tmpdir(), 'trial-'));
  const file = path.join(dir, 'tiny.gguf');
  writeTinyLlama(file, { seed: 33, context: 1024 });
  engine = new Engine({ modelsDir: dir, bundlesDir: path.join(dir, 'bundles') });
  await engine.load({ model: file, weights: 'exact', threads: 1, contextSize: 1024 });
});
afterAll(async () => {
  await engine.close();
  rmSync(dir, { recursive: true, force: true });
});

const softmax = (logits: Float32Array) => {
  const most = Math.max(...logits);
  const weights = Array.from(logits, (value) => Math.exp(value - most));
  const total = weights.reduce((sum, value) => sum + value, 0);
  return weights.map((value) => value / total);
};
const greatest = (values: readonly number[]) => values.indexOf(Math.max(...values));

describe('a trial', () => {
  test('answers like a greedy request, and finds nothing cached however often it is run', async () => {
    const asked = await engine.generate({ prompt, sampling: { ...GREEDY, maxTokens: 6 }, attention: FEW });
    for (let run = 0; run < 2; run++) {
      const seen: number[] = [];
      const { result, peakBytes } = await engine.trial(
        { prompt, attention: FEW, maxTokens: 6 },
        { onPrefill: (done) => seen.push(done) },
      );
      expect(result.tokenIds).toEqual(asked.tokenIds);
      expect(result).toMatchObject({ cachedTokens: 0, promptTokens: asked.promptTokens, completionTokens: 6 });
      expect(result.firstTokenMs).toBeGreaterThanOrEqual(result.prefill.seconds * 1000);
      // The warm-up is not told.
      expect(seen[0]).toBe(0);
      expect(seen.slice(1).every((done, i) => done > (seen[i] ?? 0))).toBe(true);
      expect(seen.at(-1)).toBe(asked.promptTokens);
      expect(peakBytes).toBeGreaterThan(20e6);
    }
  });

  test('leaves the trace of the answer before', async () => {
    await engine.generate({
      prompt: { kind: 'raw', text: 'line 1' },
      sampling: { ...GREEDY, maxTokens: 2 },
      attention: FULL,
    });
    const before = engine.trace()?.figures;
    await engine.trial({ prompt, attention: FULL, maxTokens: 3 });
    expect(engine.trace()?.figures).toEqual(before);
  });

  test('is cut to so many tokens of the prompt', async () => {
    const { result } = await engine.trial({ prompt, cutTo: 200, attention: FULL, maxTokens: 1 });
    expect(result.promptTokens).toBe(200);
  });

  test('that is stopped says so', async () => {
    const stop = new AbortController();
    const { result } = await engine.trial(
      { prompt, attention: FULL, maxTokens: 5 },
      { signal: stop.signal, onPrefill: (done) => done > 0 && stop.abort() },
    );
    expect(result.finishReason).toBe('cancelled');
  });
});

describe('agreement with full attention', () => {
  const predicted = async (attention: AttentionOptions, ids: readonly number[]) =>
    softmax(await engine.logits(ids, attention)).slice(0, engine.model.tokenizer.size);

  test('after the prompt equals plain sums over the two predictions', async () => {
    const ids = engine.model.tokenizer.encodeWithControl(text, { addSpecial: true });
    const p = await predicted(FULL, ids);
    const q = await predicted(FEW, ids);
    const kl = p.reduce((sum, value, i) => sum + value * Math.log(value / (q[i] ?? Number.NaN)), 0);
    const { result } = await engine.trial({ prompt, attention: FULL, maxTokens: 1 });
    expect(result.tokenIds).toEqual([greatest(p)]);
    expect(await engine.agreement({ prompt, attention: FULL, answer: result.tokenIds })).toBeUndefined();
    const agreement = await engine.agreement({ prompt, attention: FEW, answer: result.tokenIds });
    expect(kl).toBeGreaterThan(1e-7);
    expect(agreement?.kl).toBeCloseTo(kl, 5);
    expect(agreement).toMatchObject({ tokens: 1, top1: greatest(p) === greatest(q) ? 1 : 0 });
  });

  test('is whole where every key is kept, less where few are, and the same after another request', async () => {
    const { result } = await engine.trial({ prompt, attention: FULL, maxTokens: 12 });
    const answer = result.tokenIds;
    const every = await engine.agreement({ prompt, attention: EVERY, answer });
    expect(every).toMatchObject({ tokens: 12, top1: 1 });
    expect(every?.kl).toBeLessThan(1e-6);
    await engine.trial({ prompt, attention: FEW, maxTokens: 12 });
    const few = await engine.agreement({ prompt, attention: FEW, answer });
    expect(few?.kl).toBeGreaterThan(every?.kl ?? 1);
    await engine.generate({
      prompt: { kind: 'raw', text: 'other' },
      sampling: { ...GREEDY, maxTokens: 1 },
      attention: FULL,
    });
    const again = await engine.agreement({ prompt, attention: FEW, answer });
    expect(again?.kl).toBeCloseTo(few?.kl ?? Number.NaN, 5);
    expect(again?.top1).toBe(few?.top1);
  });
});
