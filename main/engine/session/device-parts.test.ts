/**
 * Linear parts on a device, through the whole engine with the real model. ONNX Runtime's own processor device stands in for
 * an NPU: it takes the same calls, on a thread of its own.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { GenerateResult, Work } from '../../../contract/engine.ts';
import { loadNative } from '../../../native/js/load.ts';
import { type GoldenAttention, goldenJson } from '../testdata/golden.ts';
import { realModelEngine, realModelPath } from '../testdata/real-model.ts';
import { createTokenizer } from '../tokenizer/create-tokenizer.ts';
import { openParts } from './device-open.ts';
import type { LinearPart } from './device-parts.ts';
import { type GenerationHooks, generate } from './generation.ts';
import { LoadedModel } from './loaded-model.ts';
import { GREEDY } from './sampler.ts';

const { tokens } = goldenJson<GoldenAttention>('attention');
const native = loadNative();
const CPU_DEVICE = { id: 'CPUExecutionProvider:CPU:0', name: 'CPU', executionProvider: 'CPUExecutionProvider' };
const PROMPT = tokens.slice(0, 300);
const CHUNKS = 3;
const TOKENS = 4;

let model: LoadedModel;
let sessionsBefore: number;

beforeAll(async () => {
  sessionsBefore = native.sessionCount();
  const bundle = await realModelEngine().import({ model: realModelPath(), weights: 'fast' });
  const tokenizer = createTokenizer(bundle.tokenizerSource());
  model = await LoadedModel.load(native, bundle, tokenizer, { contextSize: 1024, threads: 1 });
}, 600_000);
afterAll(async () => {
  await model?.close();
  expect(native.sessionCount()).toBe(sessionsBefore);
});

async function place(parts: readonly LinearPart[], more: { cpuTokens?: number; patienceMs?: number } = {}) {
  const placed = await openParts({
    native,
    bundle: model.bundle,
    shape: model.shared.shape,
    chunk: model.forward.chunkSize,
    device: CPU_DEVICE,
    open: { index: native.devices().find(({ type }) => type === 'CPU')?.index ?? 0, epOptions: {} },
    flavour: 'cpu',
    cacheDir: '',
    parts,
    patienceMs: more.patienceMs,
  });
  await model.place(new Map(parts.map((part) => [part, { ...placed, cpuTokens: more.cpuTokens ?? 0 }])));
}

function answer(mode: 'full' | 'shadow' = 'full', hooks: GenerationHooks = {}): Promise<GenerateResult> {
  model.cache.truncate(0);
  return generate(model, PROMPT, { ...GREEDY, maxTokens: TOKENS }, { mode, ratio: mode === 'full' ? 1 : 0.1 }, hooks);
}

function of({ work = [] }: GenerateResult, part: Work['part'], device = 'CPU'): Work | undefined {
  return work.find((entry) => entry.part === part && entry.device === device);
}

const blocks = () => model.shared.shape.nLayer + 1;

describe('on the processor', () => {
  test('parts of the prompt and of decoding add up to their times on one thread', async () => {
    for (const mode of ['full', 'shadow'] as const) {
      const result = await answer(mode);
      const sum = (parts: readonly Work['part'][]) =>
        (result.work ?? []).filter(({ part }) => parts.includes(part)).reduce((total, { ms }) => total + ms, 0);
      const prompt = sum(['linear', 'pilot', 'topk', 'sparse', 'dense']) / 1000;
      expect(prompt).toBeLessThanOrEqual(result.prefill.seconds);
      expect(prompt).toBeGreaterThan(0.8 * result.prefill.seconds);
      expect(sum(['decode']) / 1000).toBeLessThanOrEqual(result.decode.seconds);
      expect(sum(['decode']) / 1000).toBeGreaterThan(0.7 * result.decode.seconds);
    }
  });

  test('every launch is counted', async () => {
    const result = await answer();
    const { nLayer, nHead, nHeadKv } = model.shared.shape;
    expect(of(result, 'linear')?.launches).toBe(CHUNKS * blocks());
    // Tiles of 64 rows: chunks of 128, 128 and 44 rows.
    expect(of(result, 'dense')?.launches).toBe(5 * nLayer * nHead);
    // Logits of each token; blocks and heads of each pass. The first token needs no pass of its own.
    expect(of(result, 'decode')?.launches).toBe(TOKENS + (TOKENS - 1) * (blocks() + nLayer * nHeadKv));
    expect(result.work).toHaveLength(3);
    const shadow = await answer('shadow');
    expect((shadow.work ?? []).map(({ part }) => part)).toEqual([
      'linear',
      'pilot',
      'topk',
      'sparse',
      'dense',
      'decode',
    ]);
  });
});

describe('on a device', () => {
  test('the same answer; blocks of prompt and tokens are launched there, all else stays', async () => {
    await model.place(new Map());
    const expected = await answer();
    await place(['linear', 'decode']);
    const result = await answer();
    expect(result.tokenIds).toEqual(expected.tokenIds);
    expect(result.device).toBe(CPU_DEVICE.id);
    expect(of(result, 'linear', CPU_DEVICE.id)?.launches).toBe(CHUNKS * blocks());
    expect(of(result, 'decode', CPU_DEVICE.id)?.launches).toBe((TOKENS - 1) * blocks());
    expect(of(result, 'linear', CPU_DEVICE.id)?.ms).toBeGreaterThan(1);
    expect(of(result, 'linear')).toBeUndefined();
    const { nLayer, nHeadKv } = model.shared.shape;
    expect(of(result, 'decode')?.launches).toBe(TOKENS + (TOKENS - 1) * nLayer * nHeadKv);
    expect(result.deviceProblems).toBeUndefined();
  });

  test('is left alone by a request that asks for the processor, and works for the next one', async () => {
    await place(['linear', 'decode']);
    model.onProcessor = true;
    const result = await answer().finally(() => {
      model.onProcessor = false;
    });
    expect(result.device).toBe('CPU');
    expect(result.work?.every(({ device }) => device === 'CPU')).toBe(true);
    expect((await answer()).device).toBe(CPU_DEVICE.id);
  });

  test('cancelled while the device computes: ends early, and the next answer is right', async () => {
    await model.place(new Map());
    const expected = await answer();
    await place(['linear']);
    const controller = new AbortController();
    const cancelled = answer('full', {
      signal: controller.signal,
      onPrefill: (done) => done === 128 && controller.abort(),
    });
    expect(await cancelled).toMatchObject({ finishReason: 'cancelled', completionTokens: 0 });
    expect((await answer()).tokenIds).toEqual(expected.tokenIds);
  });

  test('tokens at the beginning stay on the processor', async () => {
    await model.place(new Map());
    const expected = await answer();
    await place(['linear'], { cpuTokens: 5 });
    const result = await answer();
    expect(result.tokenIds).toEqual(expected.tokenIds);
    expect(of(result, 'linear')?.launches).toBe(blocks());
    expect(of(result, 'linear', CPU_DEVICE.id)?.launches).toBe(CHUNKS * blocks());
    expect(of(result, 'decode', CPU_DEVICE.id)).toBeUndefined();
  });
});
