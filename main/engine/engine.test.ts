import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { AttentionOptions } from '../../contract/engine.ts';
import { Engine } from './engine.ts';
import { GREEDY } from './session/sampler.ts';
import { writeGguf } from './testdata/gguf-encode.ts';
import { plainLogits } from './testdata/plain-llama.ts';
import { TINY_TOKENS, type TinyLlamaOptions, tinyLlama, writeTinyLlama } from './testdata/tiny-llama.ts';

const FULL: AttentionOptions = { mode: 'full', ratio: 1 };

let dir: string;
let engine: Engine;
let files = 0;

beforeAll(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'engine 引擎-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));
afterEach(() => engine.close());

function tinyModel(options: TinyLlamaOptions): string {
  const file = path.join(dir, `tiny-${files++}.gguf`);
  writeTinyLlama(file, options);
  return file;
}

async function load(options: TinyLlamaOptions, more: { contextSize?: number; threads?: number } = {}): Promise<void> {
  engine = new Engine({ modelsDir: dir, bundlesDir: path.join(dir, 'bundles') });
  await engine.load({ model: tinyModel(options), weights: 'exact', ...more });
}

function prompt(length: number): number[] {
  return Array.from({ length }, (_, i) => 3 + ((i * 7919) % (TINY_TOKENS - 3)));
}

function expectClose(actual: Float32Array, expected: Float64Array | Float32Array | undefined, tolerance: number): void {
  expect(actual.length).toBe(expected?.length);
  const worst = actual.reduce((most, value, i) => Math.max(most, Math.abs(value - (expected?.[i] ?? Number.NaN))), 0);
  expect(worst).toBeLessThanOrEqual(tolerance);
}

describe('logits equal a plain float64 forward pass on the stored layout', () => {
  test.each<[string, TinyLlamaOptions]>([
    ['4 query and 2 key heads', {}],
    ['one head dimension of 8, untied output', { headDim: 8, hidden: 32, tied: false, seed: 2 }],
    ['as many key as query heads', { heads: 3, kvHeads: 3, layers: 3, seed: 3 }],
    ['one key head for all, padded vocabulary', { heads: 4, kvHeads: 1, vocab: 320, seed: 4 }],
    ['one layer', { layers: 1, seed: 5 }],
    ['llama with biases', { bias: true, seed: 6 }],
    ['qwen2', { architecture: 'qwen2', seed: 7 }],
    ['qwen3, heads wider than the model', { architecture: 'qwen3', headDim: 32, tied: false, seed: 8 }],
  ])('%s', async (_, options) => {
    await load(options);
    const ids = prompt(9);
    expectClose(await engine.logits(ids, FULL), plainLogits(options, ids).at(-1), 1e-3);
  });
});

test('values beyond float range end with an error that names the layer, not with a run of one token', async () => {
  const spec = tinyLlama({ layers: 3, seed: 16 });
  const down = spec.tensors.find(({ name }) => name === 'blk.1.ffn_down.weight');
  if (down === undefined) throw new Error('the tiny model has no such tensor');
  down.data = Buffer.from(new Float32Array(down.data.byteLength / 4).fill(3e38).buffer);
  const file = path.join(dir, 'overflow.gguf');
  writeGguf(file, spec);
  engine = new Engine({ modelsDir: dir, bundlesDir: path.join(dir, 'bundles') });
  // The import's own calibration is the first to run the model.
  await expect(engine.load({ model: file, weights: 'exact' })).rejects.toMatchObject({
    kind: 'numeric-fault',
    message: expect.stringMatching(/layer 2 of 3/),
  });
});

describe('chunked prefill', () => {
  const C = 128; // CHUNK_SIZE
  test.each([1, C - 1, C, C + 1, 2 * C, 2 * C + 1])(
    '%i tokens give the logits of a one-pass forward',
    async (length) => {
      const options = { seed: 6 };
      await load(options, { threads: 2 });
      const ids = prompt(length);
      expectClose(await engine.logits(ids, FULL), plainLogits(options, ids).at(-1), 1e-3);
    },
  );

  test('shadow that keeps every key equals full attention', async () => {
    await load({ seed: 7 }, { threads: 2 });
    const ids = prompt(300);
    const full = await engine.logits(ids, FULL);
    expectClose(await engine.logits(ids, { mode: 'shadow', ratio: 1 }), full, 1e-3);
  });

  test('shadow on a prompt within its floor equals full attention, and beyond it drops keys', async () => {
    await load({ seed: 8 });
    const short = prompt(60);
    expectClose(await engine.logits(short, { mode: 'shadow', ratio: 0.05 }), await engine.logits(short, FULL), 1e-6);
    const long = prompt(300);
    const full = await engine.logits(long, FULL);
    const shadow = await engine.logits(long, { mode: 'shadow', ratio: 0.05 });
    expect(shadow.some((value, i) => Math.abs(value - (full[i] ?? 0)) > 1e-4)).toBe(true);
  });

  test('one thread and two threads agree', async () => {
    const ids = prompt(200);
    await load({ seed: 9 }, { threads: 1 });
    const one = await engine.logits(ids, { mode: 'shadow', ratio: 0.2 });
    await engine.close();
    await load({ seed: 9 }, { threads: 2 });
    expectClose(await engine.logits(ids, { mode: 'shadow', ratio: 0.2 }), one, 1e-3);
  });
});

describe('generate', () => {
  test('stops at the cap with exactly that many tokens, or when the context is full', async () => {
    await load({ seed: 10 }, { contextSize: 64 });
    const raw = (text: string, maxTokens?: number) =>
      engine.generate({
        prompt: { kind: 'raw', text },
        sampling: { ...GREEDY, ...(maxTokens === undefined ? {} : { maxTokens }) },
        attention: FULL,
      });
    for (const n of [1, 2, 5]) {
      const result = await raw('abc', n);
      if (result.finishReason === 'length') expect(result.completionTokens).toBe(n);
      expect(result.tokenIds.length).toBe(result.completionTokens);
    }
    const almost = await raw('x'.repeat(63));
    expect(almost).toMatchObject({ promptTokens: 63, completionTokens: 1, finishReason: 'length' });
  });

  test.each([64, 65])('a prompt of %i tokens for a context of 64 is refused with both numbers', async (length) => {
    await load({ seed: 10 }, { contextSize: 64 });
    const run = engine.generate({
      prompt: { kind: 'raw', text: 'x'.repeat(length) },
      sampling: GREEDY,
      attention: FULL,
    });
    await expect(run).rejects.toMatchObject({
      kind: 'context-overflow',
      message: expect.stringMatching(`${length} tokens.* 64`),
    });
  });

  test('an empty prompt is refused', async () => {
    await load({ seed: 10 });
    const run = engine.generate({ prompt: { kind: 'raw', text: '' }, sampling: GREEDY, attention: FULL });
    await expect(run).rejects.toMatchObject({ kind: 'bad-input' });
  });

  test('a following turn reuses the prefix and gives the text of a fresh run', async () => {
    await load({ seed: 11 });
    const ask = (text: string) =>
      engine.generate({ prompt: { kind: 'raw', text }, sampling: { ...GREEDY, maxTokens: 8 }, attention: FULL });
    await ask('The harbour town');
    const reused = await ask('The harbour town in the fog');
    expect(reused.cachedTokens).toBeGreaterThan(5);
    await engine.close();
    await load({ seed: 11 });
    const fresh = await ask('The harbour town in the fog');
    expect(fresh.cachedTokens).toBe(0);
    expect(reused.tokenIds).toEqual(fresh.tokenIds);
  });

  test('cancelling in the prefill ends it between two layers; the next request works', async () => {
    await load({ seed: 12, layers: 4, context: 4096 }, { contextSize: 4096 });
    const abort = new AbortController();
    const seen: number[] = [];
    const stopped = await engine.generate(
      { prompt: { kind: 'raw', text: 'x'.repeat(4000) }, sampling: GREEDY, attention: { mode: 'shadow', ratio: 0.2 } },
      {
        signal: abort.signal,
        onPrefill: (done) => {
          seen.push(done);
          if (done > 0) abort.abort();
        },
      },
    );
    expect(stopped).toMatchObject({ finishReason: 'cancelled', text: '', completionTokens: 0 });
    expect(seen).toEqual([0, 128]);
    const ids = prompt(150);
    expectClose(await engine.logits(ids, FULL), plainLogits({ seed: 12, layers: 4 }, ids).at(-1), 1e-3);
  });

  test('cancelling while decoding keeps the text so far', async () => {
    await load({ seed: 13 });
    const abort = new AbortController();
    let streamed = '';
    const result = await engine.generate(
      { prompt: { kind: 'raw', text: 'abc' }, sampling: { ...GREEDY, temperature: 5, seed: 4 }, attention: FULL },
      {
        signal: abort.signal,
        onDelta: (text, tokens) => {
          streamed += text;
          if (tokens >= 5) abort.abort();
        },
      },
    );
    expect(result.finishReason).toBe('cancelled');
    expect(result.text).toBe(streamed);
    expect(result.completionTokens).toBeGreaterThanOrEqual(5);
  });

  test('padding rows of the vocabulary are never sampled, even at temperature 5', async () => {
    await load({ seed: 14, vocab: 320, context: 1024 }, { contextSize: 1024 });
    const { tokenIds } = await engine.generate({
      prompt: { kind: 'raw', text: 'abc' },
      sampling: { ...GREEDY, temperature: 5, seed: 1, maxTokens: 500 },
      attention: FULL,
    });
    expect(tokenIds.every((id) => id < TINY_TOKENS)).toBe(true);
  });

  test('a second request meanwhile is refused as busy', async () => {
    await load({ seed: 15 });
    const request = {
      prompt: { kind: 'raw', text: 'abc' } as const,
      sampling: { ...GREEDY, maxTokens: 3 },
      attention: FULL,
    };
    const first = engine.generate(request);
    await expect(engine.generate(request)).rejects.toMatchObject({ kind: 'engine-busy' });
    await first;
  });
});

test('tokens are counted beside an answer, of prompts as they would be sent', async () => {
  await load({ seed: 30, context: 8192 }, { contextSize: 8192 });
  const turns = [{ role: 'user' as const, content: 'abc' }];
  const sampling = { ...GREEDY, maxTokens: 8000 };
  const whole = { kind: 'chat' as const, turns };
  const begun = { kind: 'continue' as const, turns, text: 'de' };
  const stop = new AbortController();
  const answer = engine.generate({ prompt: whole, sampling, attention: FULL }, { signal: stop.signal });
  const counts = await engine.countTokens([whole, begun, { kind: 'text', text: 'de' }]);
  stop.abort();
  const { promptTokens, finishReason } = await answer;
  expect(finishReason).toBe('cancelled'); // so the counts came while it was under way
  const short = { ...GREEDY, maxTokens: 1 };
  const { promptTokens: withText } = await engine.generate({ prompt: begun, sampling: short, attention: FULL });
  expect(counts).toEqual([promptTokens, withText, withText - promptTokens]);
});
