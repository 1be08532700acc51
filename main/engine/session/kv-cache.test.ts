import { expect, test } from 'vitest';
import { KeyState, KvCache } from './kv-cache.ts';
import { allocateShared } from './shared-model.ts';

function cacheOf(heads: number) {
  const shape = { nLayer: 1, nEmbd: 4, nHead: heads, nHeadKv: heads, headDim: 4, slidingWindow: null };
  const { kv } = allocateShared(shape, { capacity: 16, chunkSize: 4, bf16: true });
  return { kv, cache: new KvCache(kv, heads, 16) };
}

test('a common prefix is kept, but the last token is always computed', () => {
  const { cache } = cacheOf(1);
  expect(cache.reuse([1, 2, 3], 'full')).toBe(0);
  cache.append([1, 2, 3, 9]);
  expect(cache.reuse([1, 2, 3, 4], 'full')).toBe(3);
  expect(cache.length).toBe(3);
  expect(cache.reuse([1, 2, 3], 'full')).toBe(2);
  expect(cache.reuse([7, 2, 3], 'full')).toBe(0);
});

test('entries made under another attention rule are not reused', () => {
  const { cache } = cacheOf(1);
  cache.reuse([1, 2], 'full');
  cache.append([1, 2]);
  expect(cache.reuse([1, 2, 3], 'shadow 0.2')).toBe(0);
});

test('truncating forgets derived copies beyond the end, and a maximum that covered more', () => {
  const { kv, cache } = cacheOf(2);
  const state = new KeyState(kv.state, 1);
  cache.append([1, 2, 3, 4]);
  state.setMax(5, 4);
  state.quantizedRows = 4;
  state.bf16Rows = 4;
  cache.truncate(4);
  expect([state.maxAbs, state.maxRows, state.quantizedRows]).toEqual([5, 4, 4]);
  cache.truncate(3);
  expect([state.maxAbs, state.maxRows, state.quantizedRows, state.bf16Rows]).toEqual([0, 0, 3, 3]);
});
