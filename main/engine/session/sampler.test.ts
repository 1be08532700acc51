import { describe, expect, it } from 'vitest';
import type { SamplingOptions } from '../../../contract/engine.ts';
import { createRandom } from './random.ts';
import { createSampler } from './sampler.ts';
import { topByCount, topByMass } from './sampler-select.ts';

const PLAIN: SamplingOptions = {
  temperature: 1,
  topK: 0,
  topP: 1,
  minP: 0,
  repetitionPenalty: 1,
  repetitionWindow: 64,
  seed: 7,
  stop: [],
};
const NEVER = Number.NEGATIVE_INFINITY;

/** How often each id comes out of `count` draws. */
function draws(options: Partial<SamplingOptions>, logits: number[], count = 2000, recent: number[] = []): number[] {
  const sampler = createSampler({ ...PLAIN, ...options }, logits.length);
  const row = Float32Array.from(logits);
  const hits = logits.map(() => 0);
  for (let i = 0; i < count; i++) {
    const id = sampler.sample(row, recent);
    hits[id] = (hits[id] ?? 0) + 1;
  }
  return hits;
}

describe('greedy settings (MORE-04)', () => {
  const logits = [1, NEVER, 3, 3, 2];

  it.each([
    ['temperature 0', { temperature: 0 }],
    ['temperature 1e-9', { temperature: 1e-9 }],
    ['top_p 0', { topP: 0 }],
    ['top_k 1', { topK: 1 }],
    ['all of them 0', { temperature: 0, topP: 0, topK: 0, minP: 0, repetitionPenalty: 0 }],
  ])('%s takes the likeliest, the lowest id among equals', (_, options) => {
    expect(draws(options, logits, 50)).toEqual([0, 0, 50, 0, 0]);
  });

  it('reads top_k 0 and penalty 0 as off, and never takes a logit of -infinity', () => {
    const hits = draws({ topK: 0, repetitionPenalty: 0 }, logits, 2000, [2, 3]);
    expect(hits[1]).toBe(0);
    expect(hits.filter((hit) => hit > 0)).toHaveLength(4);
  });
});

describe('distribution', () => {
  const logits = [0, Math.log(2), Math.log(5), Math.log(2)];

  it('follows the softmax', () => {
    const hits = draws({}, logits, 20_000).map((hit) => hit / 20_000);
    // Four standard deviations of a share near 0.5 over 20,000 draws are 0.014.
    for (const [id, share] of [0.1, 0.2, 0.5, 0.2].entries())
      expect(Math.abs((hits[id] ?? 0) - share)).toBeLessThan(0.014);
  });

  it('flattens with a high and sharpens with a low temperature', () => {
    expect(draws({ temperature: 10 }, logits)[0]).toBeGreaterThan(350);
    expect(draws({ temperature: 0.1 }, logits)[2]).toBeGreaterThan(1990);
  });

  it('cuts by count, mass and share of the best, on the probabilities before temperature', () => {
    expect(draws({ topK: 2, temperature: 10 }, logits)).toMatchObject({ 0: 0, 3: 0 });
    expect(draws({ topP: 0.5, temperature: 10 }, logits)).toEqual([0, 0, 2000, 0]);
    expect(draws({ topP: 0.6, temperature: 10 }, logits)).toMatchObject({ 0: 0, 3: 0 });
    expect(draws({ topP: 0.95, temperature: 10 }, logits)[0]).toBeGreaterThan(0);
    expect(draws({ minP: 0.3, temperature: 10 }, logits)[0]).toBe(0);
    expect(draws({ minP: 1, temperature: 10 }, logits)).toEqual([0, 0, 2000, 0]);
    expect(draws({ topK: 3, topP: 0.9, minP: 0.1, temperature: 10 }, logits)[0]).toBe(0);
  });

  it('penalises recent tokens inside the window only', () => {
    const two = [2, 1.9];
    expect(draws({ temperature: 0, repetitionPenalty: 1.5 }, two, 1, [0])).toEqual([0, 1]);
    expect(draws({ temperature: 0, repetitionPenalty: 1.5, repetitionWindow: 1 }, two, 1, [0, 1])).toEqual([1, 0]);
    expect(draws({ temperature: 0, repetitionPenalty: 1.5, repetitionWindow: 0 }, two, 1, [0])).toEqual([1, 0]);
    expect(draws({ temperature: 0, repetitionPenalty: 2 }, [-1, -1.5], 1, [0])).toEqual([0, 1]);
  });

  it('gives the same ids for the same seed, others for another', () => {
    const logitsOf = (step: number) => Float32Array.from({ length: 1000 }, (_, id) => Math.sin(id * 12.9 + step));
    const text = (seed: number) => {
      const sampler = createSampler({ ...PLAIN, seed, topP: 0.9 }, 1000);
      return Array.from({ length: 40 }, (_, step) => sampler.sample(logitsOf(step), []));
    };
    expect(text(5)).toEqual(text(5));
    expect(text(5)).not.toEqual(text(6));
    expect(text(5)).not.toEqual(text(5 + 2 ** 32));
  });

  it('leaves the logits as they are', () => {
    const row = Float32Array.of(1, 2, 3);
    createSampler({ ...PLAIN, repetitionPenalty: 2 }, 3).sample(row, [0, 1, 2]);
    expect([...row]).toEqual([1, 2, 3]);
  });
});

describe('padding and broken logits (HAND-14, HAND-21)', () => {
  it('never chooses an id beyond the vocabulary', () => {
    const row = Float32Array.from({ length: 320 }, (_, id) => (id < 300 ? 0 : 50));
    for (const options of [{}, { topK: 40 }, { topP: 0.9 }, { temperature: 0 }]) {
      const sampler = createSampler({ ...PLAIN, temperature: 5, ...options }, 300);
      for (let i = 0; i < 500; i++) expect(sampler.sample(row, [310])).toBeLessThan(300);
    }
  });

  it.each([
    ['one NaN', [1, Number.NaN, 2]],
    ['all NaN', [Number.NaN, Number.NaN]],
    ['+infinity', [1, Number.POSITIVE_INFINITY]],
    ['nothing finite', [NEVER, NEVER]],
  ])('stops at %s', (_, logits) => {
    for (const temperature of [0, 1]) {
      expect(() => draws({ temperature }, logits, 1)).toThrow(expect.objectContaining({ kind: 'numeric-fault' }));
    }
  });

  it('does not mind NaN in padding', () => {
    const sampler = createSampler({ ...PLAIN, temperature: 0 }, 2);
    expect(sampler.sample(Float32Array.of(1, 2, Number.NaN), [])).toBe(1);
  });
});

describe('partial selection equals a full sort', () => {
  const random = createRandom(11);
  const values = Float64Array.from({ length: 5000 }, () => Math.round(random() * 400) / 20); // many ties
  const sorted = Array.from(values.keys()).sort((a, b) => (values[b] ?? 0) - (values[a] ?? 0) || a - b);

  it.each([1, 2, 7, 40, 1000, 5000])('the best %i', (count) => {
    expect([...topByCount(values, count)]).toEqual(sorted.slice(0, count));
  });

  it.each([0.001, 0.3, 0.9, 0.999, 0.99999])('mass %d', (mass) => {
    const max = values[sorted[0] ?? 0] ?? 0;
    const weights = sorted.map((id) => Math.exp((values[id] ?? 0) - max));
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    let sum = 0;
    const expected = sorted.filter((_, i) => {
      const before = sum;
      sum += weights[i] ?? 0;
      return before < mass * total;
    });
    expect([...topByMass(values, null, max, mass)]).toEqual(expected);
  });

  it('works on a part of the ids', () => {
    expect([...topByMass(Float64Array.of(0, 9, 1, 1), Int32Array.of(0, 2, 3), 1, 0.6)]).toEqual([2, 3]);
  });
});

describe('random numbers', () => {
  it('lie in [0, 1), spread evenly and differ by seed', () => {
    const random = createRandom(1);
    const bins = new Array<number>(10).fill(0);
    for (let i = 0; i < 10_000; i++) {
      const value = random();
      expect(value >= 0 && value < 1).toBe(true);
      const bin = Math.floor(value * 10);
      bins[bin] = (bins[bin] ?? 0) + 1;
    }
    for (const bin of bins) expect(Math.abs(bin - 1000)).toBeLessThan(150); // five standard deviations
    expect(createRandom(0)()).not.toBe(createRandom(1)());
    expect(createRandom(-1)()).not.toBe(createRandom(1)());
  });
});
