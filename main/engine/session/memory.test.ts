/** What a long prompt takes beyond the weights and the KV cache, on the real default model. */
import { expect, test } from 'vitest';
import { loadNative } from '../../../native/js/load.ts';
import { NEVER, ruleFor } from '../attention/rules.ts';
import { releaseMemory } from '../release-memory.ts';
import { realModelEngine, realModelPath } from '../testdata/real-model.ts';
import { createTokenizer } from '../tokenizer/create-tokenizer.ts';
import { Breath } from './breath.ts';
import { LoadedModel } from './loaded-model.ts';

const TOKENS = 8000;
const THREADS = 2;
const MB = 2 ** 20;

test('a prefill of 8000 tokens needs the KV cache and 64 MB a worker, and allocates nothing from chunk to chunk', async () => {
  const bundle = await realModelEngine().import({ model: realModelPath(), weights: 'fast' });
  const tokenizer = createTokenizer(bundle.tokenizerSource());
  const model = await LoadedModel.load(loadNative(), bundle, tokenizer, { contextSize: 8192, threads: THREADS });
  const rule = ruleFor(model.prepareHeads({ mode: 'shadow', ratio: 0.07 }), NEVER);
  const { chunkSize } = model.forward;
  const ids = Array.from({ length: TOKENS }, (_, i) => 100 + ((i * 7919) % 40_000));
  const breath = new Breath();
  // Of what is no longer used, as much as the collector happened to leave would count otherwise.
  const arrayBytes = () => {
    releaseMemory(loadNative());
    return process.memoryUsage().arrayBuffers;
  };
  const pass = async (from: number) => {
    const chunk = ids.slice(from, from + chunkSize);
    await model.forward.pass(chunk, from, rule, breath);
    model.cache.append(chunk);
  };

  // The first chunk warms sessions and threads.
  await pass(0);
  model.cache.truncate(0);
  const before = process.memoryUsage().rss;
  let early = 0;
  for (let from = 0; from < TOKENS; from += chunkSize) {
    await pass(from);
    if (from === 20 * chunkSize) early = arrayBytes();
  }
  const { rss } = process.memoryUsage();
  const { k, v, kBf16, vBf16, codes } = model.shared.kv;
  const cache = [k, v, kBf16, vBf16, codes].flat().reduce((sum, buffer) => sum + buffer.byteLength, 0);
  console.info(`growth ${((rss - before) / MB).toFixed(0)} MB, KV cache with its copies ${(cache / MB).toFixed(0)} MB`);
  expect(rss - before).toBeLessThan(cache + 64 * MB * THREADS);
  expect(arrayBytes() - early).toBeLessThan(MB / 4);
  await model.close();
}, 300_000);
