import { describe, expect, it } from 'vitest';
import type { AttentionOptions } from '../../contract/engine.ts';
import { attentionOf } from './attention.ts';
import { attentionWords } from './output.ts';
import { parseCommandLine } from './parse.ts';

function attention(words: string): AttentionOptions {
  const request = parseCommandLine(['ask', 'x', ...words.split(' ').filter((word) => word !== '')]);
  if (request.kind !== 'command') throw new Error('help was asked for');
  return attentionOf(request.values);
}

describe('attention options', () => {
  it.each([
    ['', { mode: 'shadow', ratio: 0.07 }],
    ['--attention full', { mode: 'full', ratio: 0.2 }],
    ['--attention sparse --ratio 0.3 --min-keys 8', { mode: 'sparse', ratio: 0.3, minKeys: 8 }],
    ['--attention block', { mode: 'block', ratio: 0.2 }],
    ['--attention npu-full', { mode: 'npu-full', ratio: 0.2 }],
    ['--pilot ort:cpu-0 --scale buckets', { mode: 'shadow', ratio: 0.07, pilot: 'ort:cpu-0', scale: 'buckets' }],
    ['--ratios lost-mass --no-tail', { mode: 'shadow', ratio: 0.07, ratios: 'lost-mass', tail: false }],
    ['--reach 5 --sigma 0.7', { mode: 'shadow', ratio: 0.07, reach: 5, sigma: 0.7 }],
    ['--sharing --exact-selection', { mode: 'shadow', ratio: 0.07, sharing: true, exactSelection: true }],
    [
      '--no-pipeline --no-buckets --uniform-ratio --no-fuse',
      { mode: 'shadow', ratio: 0.07, pipeline: false, scale: 'single', ratios: 'uniform', fuse: false },
    ],
    ['--no-buckets --scale single', { mode: 'shadow', ratio: 0.07, scale: 'single' }],
  ])('"%s"', (words, expected) => {
    expect(attention(words)).toEqual(expected);
  });

  it.each([
    ['--no-buckets --scale buckets', '--scale buckets'],
    ['--uniform-ratio --ratios importance', '--ratios importance'],
    ['--attention full --no-tail', '--no-tail means nothing to full attention'],
    ['--attention full --min-keys 64', '--min-keys means nothing to full attention'],
    ['--attention npu-full --scale exact', '--scale means nothing to npu-full attention'],
    ['--attention block --sharing', '--sharing means nothing to block attention'],
    ['--attention sparse --pilot simulated', '--pilot means nothing to sparse attention'],
  ])('refuses "%s" as a contradiction', (words, message) => {
    expect(() => attention(words)).toThrow(
      expect.objectContaining({ kind: 'usage', message: expect.stringContaining(message) }),
    );
  });
});

describe('attention in words', () => {
  it.each([
    [{ mode: 'full', ratio: 1, pilotDevice: null }, 'full attention'],
    [{ mode: 'npu-full', ratio: 1, pilotDevice: null }, 'INT8 attention'],
    [{ mode: 'sparse', ratio: 0.2, pilotDevice: null }, 'sparse attention by float scores 20 %'],
    [{ mode: 'shadow', ratio: 0.07, pilotDevice: 'CPU', tail: true }, 'shadow attention 7 %'],
    [
      { mode: 'shadow', ratio: 0.125, pilotDevice: 'simulated', tail: false },
      'shadow attention 12.5 % (simulated pilot, without tail)',
    ],
  ] as const)('%o', (used, words) => {
    expect(attentionWords(used)).toBe(words);
  });
});
