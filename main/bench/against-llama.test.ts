import { describe, expect, it } from 'vitest';
import { decodeFigures, decodeRows } from './decode.ts';
import { LLAMA, LLAMA_Q40, prefillFigures, prefillRows } from './prefill.ts';

describe('figures against llama.cpp', () => {
  it('prefill: how many times longer the others take than shadow, by length', () => {
    const rows = prefillRows(
      2048,
      new Map([
        ['full', [300, 310, 290]],
        ['shadow', [200, 200, 200]],
        [LLAMA, [800, 900, 1000]],
        [LLAMA_Q40, [500, 400, 400]],
      ]),
    );
    expect(prefillFigures(rows)).toEqual({
      prefill_shadow_vs_full_2048: 1.5,
      prefill_vs_llamacpp_2048: 4.5,
      prefill_vs_llamacpp_q40_2048: 2,
    });
    const shadow = rows.find(({ name }) => name === 'shadow');
    expect(shadow?.tokensPerSecond.median).toBe(10240);
    expect(shadow?.firstTokenMs.median).toBe(200);
  });

  it('prefill: no figure about what did not run', () => {
    expect(prefillFigures(prefillRows(1024, new Map([['shadow', [1]]])))).toEqual({});
    expect(prefillFigures(prefillRows(1024, new Map([['full', [1]]])))).toEqual({});
  });

  it('decode: the same, by context', () => {
    const rows = decodeRows(
      1024,
      new Map([
        ['ShadowNPU', [10, 20, 10]],
        [LLAMA, [9, 18, 11]],
      ]),
    );
    expect(decodeFigures(rows)).toEqual({ decode_vs_llamacpp_1024: 0.9 });
    expect(rows[0]?.tokensPerSecond.median).toBe(100);
  });
});
