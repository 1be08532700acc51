/** Each architecture's tiny random model, as GGUF and as safetensors, against llama.cpp on the GGUF. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { getLlama, type Llama, type Token } from 'node-llama-cpp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Engine } from '../engine.ts';
import { f32, u32 } from '../testdata/gguf-encode.ts';
import { type HfOptions, writeHfModel } from '../testdata/hf-writer.ts';
import { TINY_TOKENS, writeTinyLlama } from '../testdata/tiny-llama.ts';

const CONTEXT = 256;
const ORIGINAL = 'phi3.rope.scaling.original_context_length';

let dir: string;
let llama: Llama;

beforeAll(async () => {
  dir = mkdtempSync(path.join(tmpdir(), 'architectures-'));
  llama = await getLlama({ gpu: false, build: 'never', maxThreads: 1 });
});
afterAll(async () => {
  await llama.dispose();
  rmSync(dir, { recursive: true, force: true });
});

/** Probabilities of the next token after `ids`, by llama.cpp. */
async function llamaProbabilities(modelPath: string, ids: readonly number[]): Promise<Map<Token, number>> {
  const model = await llama.loadModel({ modelPath, gpuLayers: 0 });
  const context = await model.createContext({ contextSize: CONTEXT, threads: 1 });
  const last = ids.length - 1;
  const evaluated = await context
    .getSequence()
    .controlledEvaluate(
      ids.map((id, i) =>
        i < last
          ? (id as Token)
          : [
              id as Token,
              { generateNext: { probabilities: true, options: { temperature: 1, topK: 0, topP: 1, minP: 0 } } },
            ],
      ),
    );
  await model.dispose();
  const found = evaluated[last]?.next.probabilities;
  if (found === undefined) throw new Error('llama.cpp gave no probabilities');
  return found;
}

function softmax(logits: Float32Array): number[] {
  const most = Math.max(...logits);
  const exps = Array.from(logits, (logit) => Math.exp(logit - most));
  const sum = exps.reduce((a, b) => a + b, 0);
  return exps.map((e) => e / sum);
}

describe('probabilities of the next token equal those of llama.cpp', () => {
  const wide = { hidden: 256, heads: 4, kvHeads: 2, headDim: 64, ff: 512 };
  const longRope = {
    short: Array.from({ length: 32 }, (_, i) => 1 + i / 20),
    long: Array.from({ length: 32 }, (_, i) => 1 + i / 4),
  };
  const phi3 = { ...wide, architecture: 'phi3', tied: false, longRope } as const;
  const longRopeConfig = (original: number) => ({
    rope_scaling: {
      rope_type: 'longrope',
      short_factor: longRope.short,
      long_factor: longRope.long,
      attention_factor: 1.19,
      original_max_position_embeddings: original,
    },
  });
  const scaling = { 'phi3.rope.scaling.attn_factor': f32(1.19) };
  test.each<[string, HfOptions]>([
    ['llama', { ...wide, seed: 21 }],
    ['llama with biases', { ...wide, bias: true, seed: 22 }],
    ['qwen2', { ...wide, architecture: 'qwen2', shards: 3, seed: 23 }],
    ['qwen3', { ...wide, architecture: 'qwen3', types: 'F16', tied: false, seed: 24 }],
    ['gemma3, windows of 16 keys', { ...wide, architecture: 'gemma3', layers: 7, seed: 28 }],
    ['phi3', { ...wide, architecture: 'phi3', tied: false, seed: 25 }],
    [
      'phi3 beyond its original context',
      { ...phi3, metadata: { ...scaling, [ORIGINAL]: u32(128) }, config: longRopeConfig(128), seed: 26 },
    ],
    [
      'phi3 within its original context',
      { ...phi3, metadata: { ...scaling, [ORIGINAL]: u32(512) }, config: longRopeConfig(512), seed: 27 },
    ],
  ])('%s', async (_, options) => {
    const file = path.join(dir, `${options.seed}.gguf`);
    writeTinyLlama(file, options);
    const ids = Array.from({ length: 70 }, (_, i) => 3 + ((i * 7919) % (TINY_TOKENS - 3)));
    const theirs = await llamaProbabilities(file, ids);
    expect(theirs.size).toBe(TINY_TOKENS);
    const folder = path.join(dir, `hf-${options.seed}`);
    writeHfModel(folder, options);
    const logits: Float32Array[] = [];
    for (const model of [file, folder]) {
      const engine = new Engine({ modelsDir: path.join(dir, 'none'), bundlesDir: path.join(dir, 'bundles') });
      await engine.load({ model, weights: 'exact', threads: 1, contextSize: CONTEXT });
      const made = await engine.logits(ids, { mode: 'full', ratio: 1 });
      await engine.close();
      logits.push(made);
      const ours = softmax(made);
      // llama.cpp keeps K and V in half precision.
      for (const [token, probability] of theirs) expect(Math.abs((ours[token] ?? 0) - probability)).toBeLessThan(2e-3);
    }
    const [ofFile = new Float32Array(), ofFolder = new Float32Array()] = logits;
    const apart = ofFile.map((logit, i) => Math.abs(logit - (ofFolder[i] ?? Number.NaN)));
    expect(Math.max(...apart)).toBeLessThan(1e-3);
  });
});
