import { describe, expect, test } from 'vitest';
import {
  attendGolden,
  type GoldenTensors,
  goldenFloats,
  goldenPrefixes,
  goldenTensors,
  greatestDifference,
  plainAttention,
  visibleKeys,
} from '../../testdata/golden-head.ts';

const BLOCK = 64;

/** Mean of rows [from, to) of a [n, 64] tensor, in float64. */
function mean(x: Float32Array, from: number, to: number): number[] {
  return Array.from({ length: 64 }, (_, d) => {
    let sum = 0;
    for (let row = from; row < to; row++) sum += x[row * 64 + d] ?? 0;
    return sum / (to - from);
  });
}

/** Kept keys of golden rows [from, to), which lie in one block: reference block_mask in float64. */
function keptBlocks({ q, k }: GoldenTensors, from: number, to: number, ratio: number): number[] {
  const diagonal = Math.floor((384 + from) / BLOCK);
  const query = mean(q, from, to);
  const scores = Array.from({ length: diagonal }, (_, block) =>
    mean(k, block * BLOCK, (block + 1) * BLOCK).reduce((sum, value, d) => sum + value * (query[d] ?? 0), 0),
  );
  const count = Math.max(1, Math.floor(ratio * (diagonal + 1) + 0.5));
  const best = scores.map((_, block) => block).sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  return [...best.slice(0, count - 1), diagonal];
}

function plainBlock(tensors: GoldenTensors, ratio: number, first: number): Float64Array {
  const bounds = [first, 64, 128].filter((bound, i) => i === 0 || bound > first);
  const keeps = (row: number) => {
    const to = bounds.find((bound) => bound > row) ?? 128;
    const from = bounds.filter((bound) => bound <= row).at(-1) ?? first;
    const blocks = keptBlocks(tensors, from, to, ratio);
    return visibleKeys(row).filter((key) => blocks.includes(Math.floor(key / BLOCK)));
  };
  return plainAttention(tensors, keeps, first);
}

describe.each(goldenPrefixes)('block on %s', (prefix) => {
  const tensors = goldenTensors(prefix);

  test.each([0.2, 0.5])('keeps the best blocks and the diagonal at ratio %f', (ratio) => {
    const out = attendGolden(tensors, { mode: 'block', ratio });
    expect(greatestDifference(out, plainBlock(tensors, ratio, 0))).toBeLessThan(1e-5);
  });

  test('a pass that begins inside a block ends its row blocks where the key blocks end', () => {
    // Tile 0 holds rows 96 .. 127 of the last block alone.
    expect(
      greatestDifference(
        attendGolden(tensors, { mode: 'block', ratio: 0.4 }, { first: 96 }),
        plainBlock(tensors, 0.4, 96),
      ),
    ).toBeLessThan(1e-5);
  });

  test('at ratio 1 is full attention, whatever the first row', () => {
    const full = goldenFloats(`${prefix}out_full.bin`);
    expect(greatestDifference(attendGolden(tensors, { mode: 'block', ratio: 1 }), full)).toBeLessThan(1e-5);
    const part = attendGolden(tensors, { mode: 'block', ratio: 1 }, { first: 37 });
    expect(greatestDifference(part, full.subarray(37 * 64))).toBeLessThan(1e-5);
  });
});
