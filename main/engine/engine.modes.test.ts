/** Every attention mode through the engine, on tiny models: chunks, threads, cache reuse, what an answer tells. */

import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { AttentionOptions } from '../../contract/engine.ts';
import { Engine } from './engine.ts';
import { GREEDY } from './session/sampler.ts';
import { TINY_TOKENS, writeTinyLlama } from './testdata/tiny-llama.ts';

const FULL: AttentionOptions = { mode: 'full', ratio: 1 };

let dir: string;
let engine: Engine;

beforeAll(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'modes-'));
  writeTinyLlama(path.join(dir, 'tiny.gguf'), { seed: 21, context: 1024 });
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));
afterEach(() => engine.close());

async function load(threads: number): Promise<void> {
  engine = new Engine({ modelsDir: dir, bundlesDir: path.join(dir, 'bundles') });
  await engine.load({ model: path.join(dir, 'tiny.gguf'), weights: 'exact', threads });
}

function prompt(length: number): number[] {
  return Array.from({ length }, (_, i) => 3 + ((i * 7919) % (TINY_TOKENS - 3)));
}

function distance(a: Float32Array, b: Float32Array): number {
  return a.reduce((most, value, i) => Math.max(most, Math.abs(value - (b[i] ?? Number.NaN))), 0);
}

describe.each(['sparse', 'block'] as const)('%s', (mode) => {
  test('at ratio 1 gives the logits of full attention, at a small ratio others', async () => {
    await load(2);
    const ids = prompt(300);
    const full = await engine.logits(ids, FULL);
    expect(distance(await engine.logits(ids, { mode, ratio: 1 }), full)).toBeLessThan(1e-3);
    expect(distance(await engine.logits(ids, { mode, ratio: 0.05 }), full)).toBeGreaterThan(1e-4);
  });

  test('one thread and two threads agree', async () => {
    const ids = prompt(200);
    await load(1);
    const one = await engine.logits(ids, { mode, ratio: 0.2 });
    await engine.close();
    await load(2);
    expect(distance(await engine.logits(ids, { mode, ratio: 0.2 }), one)).toBeLessThan(1e-3);
  });

  test('at ratio 1 continues a cached prompt as full attention does', async () => {
    await load(1);
    const ask = async (attention: AttentionOptions, text: string) =>
      engine.generate({ prompt: { kind: 'raw', text }, sampling: { ...GREEDY, maxTokens: 4 }, attention });
    const text = 'abc '.repeat(40);
    await ask({ mode, ratio: 1 }, text);
    const continued = await ask({ mode, ratio: 1 }, text + 'def '.repeat(40));
    expect(continued.cachedTokens).toBeGreaterThan(100);
    expect(continued.cachedTokens % 64).not.toBe(0);
    expect(continued.tokenIds).toEqual((await ask(FULL, text + 'def '.repeat(40))).tokenIds);
  });
});

test('npu-full runs on a freshly imported model and rounds', async () => {
  await load(1);
  const ids = prompt(200);
  const full = await engine.logits(ids, FULL);
  const rounded = await engine.logits(ids, { mode: 'npu-full', ratio: 1 });
  expect(distance(rounded, full)).toBeGreaterThan(1e-5);
  expect(rounded.every(Number.isFinite)).toBe(true);
});

test('npu-full without the ranges of an import says what to do', async () => {
  await load(1);
  await engine.close();
  const bundles = path.join(dir, 'bundles');
  for (const model of readdirSync(bundles)) rmSync(path.join(bundles, model, 'attention.json'));
  await load(1);
  await expect(engine.logits(prompt(20), { mode: 'npu-full', ratio: 1 })).rejects.toMatchObject({
    kind: 'model-invalid',
    action: expect.stringMatching(/import/i),
  });
});

test('an answer tells the attention that it was made with, defaults included', async () => {
  await load(1);
  const used = async (attention: AttentionOptions) =>
    (
      await engine.generate({
        prompt: { kind: 'raw', text: 'abc' },
        sampling: { ...GREEDY, maxTokens: 1 },
        attention,
      })
    ).attention;
  expect(await used({ mode: 'full', ratio: 0.2 })).toEqual({ mode: 'full', ratio: 1, pilotDevice: null });
  expect(await used({ mode: 'block', ratio: 0.2 })).toEqual({ mode: 'block', ratio: 0.2, pilotDevice: null });
  const sparse = { mode: 'sparse', ratio: 0.3, minKeys: 4 } as const;
  expect(await used(sparse)).toEqual({ ...sparse, pilotDevice: null });
  const shadow = { mode: 'shadow', ratio: 0.1, tail: false } as const;
  const defaults = { scale: expect.any(String), ratios: expect.any(String), minKeys: expect.any(Number) };
  expect(await used(shadow)).toMatchObject({ ...shadow, ...defaults, pilot: 'native', pilotDevice: 'CPU' });
});
